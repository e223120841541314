"""Bodies that arrive slowly, in malformed chunks, or not at all."""

import json
import socket
import time
from collections.abc import Iterator
from threading import Event, Thread

import pytest

from tests.mcp.endpoint import request
from tests.support.deployment import Deployment
from tests.support.service import Running, head, receive, serve

PING = json.dumps(request("ping")).encode()
# Enough for a good request on a busy machine.
SECONDS = 3.0


@pytest.fixture(scope="module")
def hurried(acme: Deployment) -> Iterator[Running]:
    """A server that gives a request little time."""
    with serve(acme, workers=1, request_timeout_seconds=SECONDS) as running:
        yield running


def connect(running: Running, key: str, *lines: str) -> socket.socket:
    """A connection on which a request head was sent, and no body."""
    connection = running.connect()
    lines = ("Content-Type: application/json", *lines)
    connection.sendall(head("/api/mcp", key, *lines, method="POST"))
    return connection


def test_body_that_trickles_times_out(hurried: Running, key: str) -> None:
    ended = Event()
    with connect(hurried, key, "Content-Length: 1000") as connection:

        def trickle() -> None:
            while not ended.wait(0.1):
                try:
                    connection.sendall(b" ")
                except OSError:
                    return

        sender = Thread(target=trickle)
        sender.start()
        status = receive(connection).status
        ended.set()
        sender.join()
    assert status == 504


def test_bodies_that_stop_time_out_and_block_nobody(hurried: Running, key: str) -> None:
    began = time.monotonic()
    slow = [connect(hurried, key, "Content-Length: 1000") for _ in range(4)]
    slow[0].sendall(b'{"jsonrpc"')
    for connection in slow:
        answer = receive(connection)
        assert (answer.status, answer.body["error"]["data"]["code"]) == (504, "timeout")
        connection.close()
    assert time.monotonic() - began >= SECONDS
    assert hurried.post(request("ping"), key).status == 200


@pytest.mark.parametrize("chunks", [b"zz\r\n", b"5\r\nabcdefgh\r\n", b"-1\r\n\r\n"])
def test_malformed_chunks_are_rejected(hurried: Running, key: str, chunks: bytes) -> None:
    with connect(hurried, key, "Transfer-Encoding: chunked") as connection:
        connection.sendall(chunks)
        connection.shutdown(socket.SHUT_WR)
        assert receive(connection).status == 400


def test_long_chunks_are_rejected(hurried: Running, key: str) -> None:
    with connect(hurried, key, "Transfer-Encoding: chunked") as connection:
        chunk = b" " * 65536
        for _ in range(17):
            connection.sendall(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        assert receive(connection).status == 413


def test_short_body_is_rejected(hurried: Running, key: str) -> None:
    with connect(hurried, key, "Content-Length: 1000") as connection:
        connection.sendall(b"{")
        connection.shutdown(socket.SHUT_WR)
        answer = receive(connection)
    assert answer.status == 400
    assert "Content-Length" in answer.body["error"]["message"]
