"""Bodies in tiny chunks, and bodies that never end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from time import sleep

import pytest

from orgctx.server.request_headers import MAX_CHUNKS
from tests.hostile.test_connections import MAX_WORKER_MIB, resident
from tests.mcp.endpoint import request
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import Running, exchange, head, receive, serve

PING = json.dumps(request("ping")).encode()
LARGE = 1024 * 1024
SLOW_CLIENTS = 150


@pytest.fixture(scope="module")
def lone(acme: Deployment) -> Iterator[Running]:
    with serve(acme, workers=1) as running:
        yield running


def post(key: str, *lines: str) -> bytes:
    return head("/api/mcp", key, "Content-Type: application/json", *lines, method="POST")


def in_chunks(body: bytes, count: int) -> bytes:
    """The body in chunks of one byte; the last chunk contains the rest."""
    pieces = [*(body[n : n + 1] for n in range(count - 1)), body[count - 1 :]]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


@pytest.mark.parametrize("count", [MAX_CHUNKS - 1, MAX_CHUNKS + 1, 900_000])
def test_body_limits_the_number_of_chunks(running: Running, key: str, count: int) -> None:
    body = PING[:-1] + b" " * count + b"}"
    sent = post(key, "Transfer-Encoding: chunked", "Connection: close") + in_chunks(body, count)
    (answer,) = exchange(running, sent)
    if count <= MAX_CHUNKS:
        assert (answer.status, answer.body["result"]) == (200, {})
    else:
        assert answer.status == 400
        assert "well-formed chunks" in answer.body["error"]["message"]


def test_chunk_limit_applies_to_each_body(running: Running, key: str) -> None:
    body = PING[:-1] + b" " * 6000 + b"}"
    chunked = post(key, "Transfer-Encoding: chunked") + in_chunks(body, 6000)
    last = post(key, "Connection: close", f"Content-Length: {len(PING)}") + PING
    assert [answer.status for answer in exchange(running, chunked * 3 + last)] == [200] * 4


@pytest.mark.system
def test_endless_bodies_use_bounded_memory(lone: Running, acme: Deployment, key: str) -> None:
    acme.load([make.organization(make.uuid("other"), slug="other")])
    acme.load(make.staff(make.uuid("other")))
    other = acme.issue_key(make.uuid("other"), make.OWNER)
    with ExitStack() as stack:
        clients = [stack.enter_context(lone.connect(timeout=30)) for _ in range(SLOW_CLIENTS)]
        for client in clients:
            client.sendall(post(key, f"Content-Length: {LARGE}"))
        sleep(1)
        for client in clients:
            client.settimeout(0.01)
            with suppress(TimeoutError):
                client.sendall(b" " * (LARGE - 1))
            client.settimeout(30)
        # Bodies of one organization do not block those of another.
        with closing(lone.connect(timeout=8)) as mine:
            body = PING[:-1] + b" " * (LARGE - len(PING)) + b"}"
            mine.sendall(post(other, f"Content-Length: {LARGE}") + body)
            assert receive(mine).status == 200
        assert lone.get(key=key).status == 200
        print(f"{SLOW_CLIENTS} bodies of 1 MiB that never end: {resident(lone)} MiB")
        assert max(resident(lone)) < MAX_WORKER_MIB
        statuses = {receive(client).status for client in clients}
        assert statuses == {504}
