"""Bodies in tiny chunks, and bodies that never end."""

import json
import socket
from contextlib import ExitStack, closing, suppress
from time import sleep

import pytest

from orgctx.http.body import MAX_LARGE_AT_ONCE
from orgctx.server.request_headers import MAX_CHUNKS
from tests.hostile.test_connections import MAX_WORKER_MIB, resident
from tests.mcp.endpoint import request
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import Running, exchange, head, receive, serve

PING = json.dumps(request("ping")).encode()
LARGE = 1024 * 1024
SLOW_CLIENTS = 150


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


@pytest.mark.thorough
@pytest.mark.parametrize("hostile_count", [1, 8, 2 * MAX_LARGE_AT_ONCE])
def test_endless_bodies_do_not_delay_those_of_another_organization(
    acme: Deployment, key: str, hostile_count: int
) -> None:
    """The tenants' bodies occupy all slots for the time budget, which is long here."""
    keys = [issue(acme, f"hostile {number}") for number in range(hostile_count)]
    with (
        serve(acme, workers=1, request_timeout_seconds=120) as service,
        ExitStack() as stack,
    ):
        clients = [stack.enter_context(service.connect()) for _ in range(3 * hostile_count)]
        for number, client in enumerate(clients):
            sent = post(keys[number % hostile_count], f"Content-Length: {LARGE}")
            client.sendall(sent + b" " * 70_000)
        body = PING.ljust(LARGE)
        for _ in range(5):
            with closing(service.connect(timeout=60)) as mine:
                mine.sendall(post(key, f"Content-Length: {LARGE}") + body)
                assert receive(mine).status == 200
        unfinished = [client for client in clients if not has_answer(client)]
        # The others had to make room.
        assert len(unfinished) >= MAX_LARGE_AT_ONCE - 5 or hostile_count == 1


def issue(deployment: Deployment, name: str) -> str:
    """Add an organization; return a key of it."""
    organization_id = make.uuid(name)
    deployment.load([make.organization(organization_id, slug=name.replace(" ", "-"))])
    deployment.load(make.staff(organization_id))
    return deployment.issue_key(organization_id, make.OWNER)


def has_answer(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return bool(client.recv(12, socket.MSG_PEEK))
    except BlockingIOError:
        return False


@pytest.mark.system
def test_endless_bodies_use_bounded_memory(acme: Deployment, key: str) -> None:
    other = issue(acme, "other")
    # A body that waited for one that never ends would get 504, after this test.
    with serve(acme, workers=1, request_timeout_seconds=120) as lone, ExitStack() as stack:
        clients = [stack.enter_context(lone.connect()) for _ in range(SLOW_CLIENTS)]
        for client in clients:
            client.sendall(post(key, f"Content-Length: {LARGE}"))
        sleep(1)
        for client in clients:
            client.settimeout(0.01)
            with suppress(TimeoutError):
                client.sendall(b" " * (LARGE - 1))
        # Bodies of one organization do not block those of another.
        with closing(lone.connect()) as mine:
            body = PING[:-1] + b" " * (LARGE - len(PING)) + b"}"
            mine.sendall(post(other, f"Content-Length: {LARGE}") + body)
            assert receive(mine).status == 200
        assert lone.get(key=key).status == 200
        print(f"{SLOW_CLIENTS} bodies of 1 MiB that never end: {resident(lone)} MiB")
        assert max(resident(lone)) < MAX_WORKER_MIB
