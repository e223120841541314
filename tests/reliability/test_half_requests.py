"""Clients that stop anywhere while sending do not block others."""

from collections.abc import Iterator
from contextlib import ExitStack
from time import sleep

import pytest

from tests.support.deployment import Deployment
from tests.support.service import Running, head, serve

CLIENTS = 200
# The server ends an endless request after this time. A blocked client would wait as long.
GIVEN_UP_SECONDS = 90
PROMPT_SECONDS = 45

HALVES = {
    "nothing": b"",
    "half a line": b"GET /api/v1/sou",
    "half a head": b"GET /api/v1/sources HTTP/1.1\r\nHost: a\r\nX-A: ",
    "half a rejected body": head("/api/v1/sources", "", "Content-Length: 100") + b"half",
    "half a chunk": head("/api/v1/sources", "", "Transfer-Encoding: chunked") + b"5\r\nha",
    "half a message": head("/api/mcp", "", "Content-Length: 100", method="POST") + b"half",
    "whole, answered": head("/healthz"),
    "whole, and never hung up": head("/healthz", "", "Connection: close"),
    "malformed": b"\0\r\n\r\n",
}


@pytest.fixture(scope="module")
def running(acme: Deployment) -> Iterator[Running]:
    """The shipped server with two workers, as on a machine with two cores."""
    patience = {
        "head_timeout_seconds": GIVEN_UP_SECONDS, "request_timeout_seconds": GIVEN_UP_SECONDS,
    }  # fmt: skip
    with serve(acme, workers=2, **patience) as running:
        yield running


@pytest.mark.thorough
@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
def test_stalled_clients_do_not_block_others(running: Running, key: str, half: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(CLIENTS):
            stack.enter_context(running.connect()).sendall(half)
        sleep(0.2)
        answers = [running.get(key=key) for _ in range(10)]
    slowest = max(answer.seconds for answer in answers)
    print(f"slowest {slowest:.3f} s")
    assert {answer.status for answer in answers} == {200}
    assert slowest < PROMPT_SECONDS
