"""The requests that hostile organizations send to keep a worker busy.

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

from bench import hostile
from bench.cases import Case, rpc
from bench.load_generator import BadAnswer, exchange

CONNECTIONS, BODY_CONNECTIONS = 20, 60
BODY_BYTES, ARRIVED_BYTES = 1024 * 1024, 100_000

Address = tuple[str, int]
# In random order, so that each connection soon sends something else.
CASES = [*hostile.cases()]
Random(1).shuffle(CASES)


def case(number: int) -> Case:
    """Return one of the worst requests."""
    return CASES[number % len(CASES)]


def batch(number: int) -> Case:
    """Return a batch of 20 searches that compare their term with every document."""
    arguments = {"q": hostile.letters(number, hostile.TERM_LENGTH), "limit": 50}
    message = rpc("tools/call", name="search_context", arguments=arguments)
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
    send, connections, pause_seconds = ATTACKS[name]
    for number in range(connections * len(keys)):
        own = keys[number % len(keys)]
        key = own[number // len(keys) % len(own)]
        arguments = (send, pause_seconds, address, key, number, ended, statuses)
        Thread(target=_repeat, args=arguments, daemon=True).start()
    began.set()
    ended.wait()
    results.put(statuses)


def _repeat(
    send: Any, pause_seconds: float, address: Address, key: str, first: int, ended: Event,
    statuses: Counter[int],
) -> None:  # fmt: skip
    for number in count(first, 1_000):
        status = 0
        with suppress(OSError, BadAnswer):
            status = send(address, key, number)
        statuses[status] += 1
        if ended.wait(pause_seconds if status in (0, 429) else 0):
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


# How each attack sends a request, on how many connections of an organization, and for how many
# seconds one pauses after a request that was rejected or not answered.
ATTACKS = {
    "operations": (partial(_ask, case), CONNECTIONS, 2),
    "rejected": (partial(_ask, case), CONNECTIONS, 0),
    "batches": (partial(_ask, batch), CONNECTIONS, 2),
    "bodies": (_leave_unfinished, BODY_CONNECTIONS, 2),
}
