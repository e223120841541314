"""Bodies that arrive slowly, in chunks, too long, or not at all."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from threading import Event, Thread
from typing import Any

import pytest

from tests.mcp.endpoint import request
from tests.mcp.served import Served, serve
from tests.support.deployment import Deployment

PING = json.dumps(request("ping")).encode()
SECONDS = 1.0


@pytest.fixture(scope="module")
def hurried(acme: Deployment, key: str) -> Iterator[Served]:
    """A server that gives a request one second."""
    with serve(acme, key, request_timeout_seconds=SECONDS) as served:
        yield served


def connect(served: Served, *headers: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", served.port), timeout=60)
    lines = [
        "POST /api/mcp HTTP/1.1",
        "Host: x",
        f"Authorization: Bearer {served.key}",
        "Content-Type: application/json",
        *headers,
    ]
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    return connection


def answer(connection: socket.socket) -> tuple[int, Any]:
    """Status and document of the next response."""
    response = HTTPResponse(connection)
    response.begin()
    body = response.read()
    return response.status, json.loads(body) if body else None


def test_body_that_trickles_times_out(hurried: Served) -> None:
    over = Event()
    with connect(hurried, "Content-Length: 1000") as connection:

        def trickle() -> None:
            while not over.wait(0.1):
                try:
                    connection.sendall(b" ")
                except OSError:
                    return

        sender = Thread(target=trickle)
        sender.start()
        status, _ = answer(connection)
        over.set()
        sender.join()
    assert status == 504


def test_bodies_that_stop_time_out_and_block_nobody(hurried: Served) -> None:
    began = time.monotonic()
    slow = [connect(hurried, "Content-Length: 1000") for _ in range(4)]
    slow[0].sendall(b'{"jsonrpc"')
    for connection in slow:
        status, document = answer(connection)
        assert (status, document["error"]["data"]["code"]) == (504, "timeout")
        connection.close()
    assert time.monotonic() - began >= SECONDS
    # On a busy machine a good request may take as long as a slow one is given.
    end, status = time.monotonic() + 60, 504
    while status == 504 and time.monotonic() < end:
        with connect(hurried, f"Content-Length: {len(PING)}") as connection:
            connection.sendall(PING)
            status = answer(connection)[0]
    assert status == 200


def test_connection_is_reused(hurried: Served) -> None:
    connection = HTTPConnection("127.0.0.1", hurried.port, timeout=60)
    headers = {"Authorization": f"Bearer {hurried.key}", "Content-Type": "application/json"}
    for _ in range(3):
        connection.request("POST", "/api/mcp", PING, headers)
        response = connection.getresponse()
        assert (response.status, json.loads(response.read())["result"]) == (200, {})
        time.sleep(SECONDS / 2)
    connection.close()


@pytest.mark.parametrize("chunks", [b"zz\r\n", b"5\r\nabcdefgh\r\n", b"-1\r\n\r\n"])
def test_malformed_chunks_are_rejected(served: Served, chunks: bytes) -> None:
    with connect(served, "Transfer-Encoding: chunked") as connection:
        connection.sendall(chunks)
        connection.shutdown(socket.SHUT_WR)
        assert answer(connection)[0] == 400


def test_long_chunks_are_rejected(served: Served) -> None:
    with connect(served, "Transfer-Encoding: chunked") as connection:
        chunk = b" " * 65536
        for _ in range(17):
            connection.sendall(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        assert answer(connection)[0] == 413


def test_short_body_is_rejected(served: Served) -> None:
    with connect(served, "Content-Length: 1000") as connection:
        connection.sendall(b"{")
        connection.shutdown(socket.SHUT_WR)
        status, document = answer(connection)
    assert status == 400
    assert "Content-Length" in document["error"]["message"]


def test_missing_body_is_rejected(served: Served) -> None:
    with connect(served) as connection:
        status, document = answer(connection)
    assert (status, document["error"]["code"]) == (400, -32700)
