"""Hostile organizations, and the requests that each sends to keep a worker busy.

Every attack uses a process of its own, so that it does not delay the clients that are measured.
"""

import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from multiprocessing import get_context
from random import Random
from threading import Event, Thread
from typing import Any

import orjson

from bench.cases import Case
from bench.dataset import AT, identity, user
from bench.load_generator import BadAnswer, exchange

FIRST_ORGANIZATION = 101
MOST_ORGANIZATIONS = 8
DOCUMENT_COUNT, DOCUMENT_LENGTH = 250, 200_000
# Each message has another sender.
MESSAGE_COUNT, MENTION_COUNT = 4_000, 2_000
CHAT = str(identity(FIRST_ORGANIZATION, 2, 1))
TERM_LENGTH = 60
CONNECTIONS, BODY_CONNECTIONS = 20, 60
BODY_BYTES, ARRIVED_BYTES = 1024 * 1024, 100_000
REJECTED_SECONDS = 2

Address = tuple[str, int]


def organizations() -> range:
    """Return the numbers of the hostile organizations."""
    return range(FIRST_ORGANIZATION, FIRST_ORGANIZATION + MOST_ORGANIZATIONS)


def records(number: int) -> Iterator[dict[str, Any]]:
    """Yield an organization whose texts consist of random `a` and `b`."""
    times = {"createdAt": AT, "updatedAt": AT}
    base = {"organizationId": str(identity(number))}
    data = {"displayName": f"Hostile {number}", "slug": f"hostile-{number}", **times}
    yield {"type": "organization", **base, "data": data}
    owner = {"id": str(user(number)), "displayName": "Owner", "role": "owner"}
    yield {"type": "member", **base, "data": owner}
    for kind, account in (("telegram", None), ("x", "hostile"), ("docs", None)):
        source = {"label": kind, "description": "", "kind": kind, "status": "current"}
        base["sourceId"] = f"{kind}:main"
        yield {"type": "source", **base, "data": {**source, "updatedAt": AT, "account": account}}
    yield from _activity(base)
    for place in range(DOCUMENT_COUNT):
        document = {
            "id": f"docs:{identity(number, 3, place)}", "source": "docs", "title": f"Item {place}",
            "content": letters(number * DOCUMENT_COUNT + place, DOCUMENT_LENGTH),
            "visibility": "public", "archived": False, "contentFormat": "markdown",
            "sourceStatus": "current", "sourceLabel": "Bench", "sourceHref": None, **times,
        }  # fmt: skip
        yield {"type": "knowledge", **base, "data": document}


def _activity(base: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a chat, its messages, and posts."""
    chat = {
        "id": CHAT, "type": "supergroup", "title": "Chat", "username": None, "memberCount": 1,
        "linkedAt": AT, "updatedAt": AT,
    }  # fmt: skip
    yield {"type": "telegram.chat", **base, "sourceId": "telegram:main", "data": chat}
    for place in range(MESSAGE_COUNT):
        sender = {"id": f"u{place}", "name": letters(place, 20), "username": None}
        message = {
            "chatId": CHAT, "id": place + 1, "kind": "text", "sender": sender,
            "text": letters(place, 200), "file": None, "replyToMessageId": None, "sentAt": AT,
            "detail": None, "editedAt": None,
        }  # fmt: skip
        yield {"type": "telegram.message", **base, "sourceId": "telegram:main", "data": message}
    for place in range(MENTION_COUNT):
        counts = dict.fromkeys(("likes", "reposts", "replies", "quotes"), 0)
        author = {"id": f"a{place}", "username": f"a{place}", "name": "A", "verified": False}
        post = {
            "account": "hostile", "id": str(place + 1),
            "url": f"https://x.com/a/status/{place + 1}",
            "text": letters(place, 200), "createdAt": AT, "metrics": counts | {"views": place},
            "author": author, "isReply": False, "isRepost": False, "media": [], "quoted": None,
        }  # fmt: skip
        yield {"type": "x.mention", **base, "sourceId": "x:main", "data": post}


def letters(seed: int, length: int) -> str:
    """Return random letters a and b: every trigram of a term is in every text."""
    return f"{Random(seed).getrandbits(length):0{length}b}".translate({48: "a", 49: "b"})


def search(number: int) -> Case:
    """Return a search that compares its term with every document and finds nothing."""
    term = letters(number, TERM_LENGTH)
    return Case("search", "/api/v1/search", {"q": term, "limit": 50})


def batch(number: int) -> Case:
    """Return a batch of 20 such searches."""
    arguments = {"q": letters(number, TERM_LENGTH), "limit": 50}
    params = {"name": "search_context", "arguments": arguments}
    message = {"jsonrpc": "2.0", "method": "tools/call", "params": params}
    return Case("batch", "/api/mcp", body=orjson.dumps([{**message, "id": n} for n in range(20)]))


def page(number: int) -> Case:
    """Return a deep page: of people, of the posts with most views, or of one of many senders."""
    messages = f"/api/v1/telegram/chats/{CHAT}/messages"
    return (
        Case("people", "/api/v1/people", {"page": MESSAGE_COUNT // 50 - number % 9}),
        Case("people", "/api/v1/people", {"q": "a", "page": MESSAGE_COUNT // 50 - number % 9}),
        Case("views", "/api/v1/x/mentions", {"sort": "views", "page": 5 + number % 9}),
        Case("sender", messages, {"sender": f"telegram:u{number % MESSAGE_COUNT}", "q": "a"}),
    )[number % 4]


@contextmanager
def attack(name: str, address: Address, keys: list[list[str]]) -> Iterator[Counter[int]]:
    """Attack during the block. keys: those of each organization.

    Yields the count of each status, 0 for no answer; it is filled when the block ends.
    """
    context = get_context("spawn")
    statuses = Counter[int]()
    began, ended, results = context.Event(), context.Event(), context.Queue()
    arguments = (name, address, keys, began, ended, results)
    process = context.Process(target=_run, args=arguments)
    process.start()
    try:
        began.wait()
        yield statuses
    finally:
        ended.set()
        statuses.update(results.get())
        process.join()


def _run(
    name: str, address: Address, keys: list[list[str]], began: Any, ended: Any, results: Any
) -> None:
    statuses = Counter[int]()
    send, connections = ATTACKS[name]
    for number in range(connections * len(keys)):
        own = keys[number % len(keys)]
        arguments = (send, address, own[number // len(keys) % len(own)], number, ended, statuses)
        Thread(target=_repeat, args=arguments, daemon=True).start()
    began.set()
    ended.wait()
    results.put(statuses)


def _repeat(
    send: Any, address: Address, key: str, first: int, ended: Event, statuses: Counter[int]
) -> None:
    for number in count(first, 1_000):
        status = 0
        with suppress(OSError, BadAnswer):
            status = send(address, key, number)
        statuses[status] += 1
        if status in (0, 429) and ended.wait(REJECTED_SECONDS):
            break


def _ask(make: Any, address: Address, key: str, number: int) -> int:
    return exchange(address, make(number).request(key))[0]


def _leave_unfinished(address: Address, key: str, _: int) -> int:
    """Send a part of a body, and wait for the end of the connection."""
    head = Case("body", "/api/mcp", body=b" ").request(key)
    head = head.replace(b"Content-Length: 1\r\n", b"Content-Length: %d\r\n" % BODY_BYTES)
    with socket.create_connection(address, 60) as client:
        client.sendall(head + b" " * ARRIVED_BYTES)
        return int(client.recv(4096)[9:12] or 0)


# How each attack sends a request, and on how many connections of an organization.
ATTACKS = {
    "searches": (partial(_ask, search), CONNECTIONS),
    "batches": (partial(_ask, batch), CONNECTIONS),
    "pages": (partial(_ask, page), CONNECTIONS),
    "bodies": (_leave_unfinished, BODY_CONNECTIONS),
}
