"""Hostile organizations, and the requests that each sends to keep a worker busy.

Every attack uses a process of its own, so that it does not delay the clients that are measured.
"""

from __future__ import annotations

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
TERM_LENGTH = 60
CONNECTIONS, BODY_CONNECTIONS = 20, 60
BODY_BYTES, ARRIVED_BYTES = 1024 * 1024, 100_000
REJECTED_SECONDS = 2

Address = tuple[str, int]


def organizations() -> range:
    """Return the numbers of the hostile organizations."""
    return range(FIRST_ORGANIZATION, FIRST_ORGANIZATION + MOST_ORGANIZATIONS)


def records(number: int) -> Iterator[dict[str, Any]]:
    """Yield an organization whose documents consist of random `a` and `b`."""
    times = {"createdAt": AT, "updatedAt": AT}
    base = {"organizationId": str(identity(number))}
    data = {"displayName": f"Hostile {number}", "slug": f"hostile-{number}", **times}
    yield {"type": "organization", **base, "data": data}
    owner = {"id": str(user(number)), "displayName": "Owner", "role": "owner"}
    yield {"type": "member", **base, "data": owner}
    source = {"label": "Documents", "description": "", "kind": "docs", "status": "current"}
    base["sourceId"] = "docs:main"
    yield {"type": "source", **base, "data": {**source, "updatedAt": AT}}
    for place in range(DOCUMENT_COUNT):
        document = {
            "id": f"docs:{identity(number, 3, place)}", "source": "docs", "title": f"Item {place}",
            "content": letters(number * DOCUMENT_COUNT + place, DOCUMENT_LENGTH),
            "visibility": "public", "archived": False, "contentFormat": "markdown",
            "sourceStatus": "current", "sourceLabel": "Bench", "sourceHref": None, **times,
        }  # fmt: skip
        yield {"type": "knowledge", **base, "data": document}


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
    "bodies": (_leave_unfinished, BODY_CONNECTIONS),
}
