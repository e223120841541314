"""Heads of requests are limited in size, fields and time."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from time import monotonic, sleep

import pytest

from orgctx.server import request_headers
from tests.support.deployment import Deployment
from tests.support.service import Answer, Running, exchange, receive, serve

LINE = "GET /healthz HTTP/1.1\r\nHost: a\r\n"
# 95 fields of 8 KB each, and no end.
ENDLESS = LINE.encode() + (b"X: " + b"x" * 8000 + b"\r\n") * 95
STALLED_CLIENTS = 200
# What is read from a connection at once, in bytes.
PIECE = 8192


@pytest.fixture(scope="module")
def hurried(acme: Deployment) -> Iterator[Running]:
    """A server that gives a head one second."""
    with serve(acme, workers=1, head_timeout_seconds=1.0) as running:
        yield running


def of_size(size: int) -> bytes:
    """A whole head of so many bytes, in fields of at most 4,000."""
    head, end = LINE, "Connection: close\r\n\r\n"
    while (missing := size - len(head) - len(end)) > 0:
        length = min(missing, 4000) if missing - 4000 not in range(1, 10) else 2000
        head += "X: " + "x" * (length - 5) + "\r\n"
    return (head + end).encode()


def with_fields(count: int) -> bytes:
    """A whole head of so many fields."""
    return (LINE + "A:\r\n" * (count - 2) + "Connection: close\r\n\r\n").encode()


def check_refused(answers: list[Answer], status: int, *words: str) -> None:
    """Check that the only answer is a refusal in the contract's form, with these words."""
    (answer,) = answers
    assert answer.status == status
    assert answer.headers["connection"] == "close"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.body["requestId"] == answer.headers["x-request-id"]
    assert all(word in answer.body["error"]["message"] for word in words)


@pytest.mark.parametrize(
    "size", [request_headers.MAX_BYTES, request_headers.MAX_BYTES + 1, 800_000]
)
def test_request_head_size_is_limited(running: Running, size: int) -> None:
    head = of_size(size)
    assert len(head) == size
    answers = exchange(running, head)
    if size <= request_headers.MAX_BYTES:
        assert [answer.status for answer in answers] == [200]
    else:
        check_refused(answers, 431, "16 KiB", "64")


@pytest.mark.parametrize(
    "count", [request_headers.MAX_FIELDS, request_headers.MAX_FIELDS + 1, 3000]
)
def test_number_of_headers_is_limited(running: Running, count: int) -> None:
    answers = exchange(running, with_fields(count))
    if count <= request_headers.MAX_FIELDS:
        assert [answer.status for answer in answers] == [200]
    else:
        check_refused(answers, 431, "16 KiB", "64")


@pytest.mark.parametrize(
    "length", [request_headers.MAX_FIELD_BYTES, request_headers.MAX_FIELD_BYTES + 1, 16_000]
)
def test_header_size_is_limited(running: Running, length: int) -> None:
    field = "X: " + "x" * (length - len("X: \r\n")) + "\r\n"
    answers = exchange(running, f"{LINE}Connection: close\r\n{field}\r\n".encode())
    if length <= request_headers.MAX_FIELD_BYTES:
        assert [answer.status for answer in answers] == [200]
    else:
        check_refused(answers, 431, "16 KiB", "64", "8,190")


@pytest.mark.parametrize(
    "length", [request_headers.MAX_LINE_BYTES, request_headers.MAX_LINE_BYTES + 1, 15_000, 90_000]
)
def test_request_line_length_is_limited(running: Running, length: int) -> None:
    path = "/healthz?" + "a" * (length - len("GET /healthz? HTTP/1.1"))
    answers = exchange(running, f"GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n".encode())
    if length <= request_headers.MAX_LINE_BYTES:
        assert [answer.status for answer in answers] == [200]
    elif length < request_headers.MAX_BYTES:
        check_refused(answers, 414, "8,190")
    else:
        check_refused(answers, 431, "16 KiB")


@pytest.mark.parametrize(
    "head",
    [b"\0\r\n\r\n", b"GET /healthz HTTP/1.1\nHost: a\n\n", b"GET /healthz\r\n\r\n", b"\r\n\r\n\r\n",
     LINE.encode() + b"A B: c\r\n\r\n", LINE.encode() + b"A: \x01\r\n\r\n",
     LINE.encode() + b" folded: c\r\n\r\n", LINE.encode() + b"Content-Length: x\r\n\r\n"],
)  # fmt: skip
def test_malformed_request_head_is_rejected(running: Running, head: bytes) -> None:
    check_refused(exchange(running, head), 400, "malformed")


def test_unsupported_expectation_and_coding_are_rejected(running: Running) -> None:
    check_refused(exchange(running, LINE.encode() + b"Expect: miracles\r\n\r\n"), 417)
    check_refused(exchange(running, LINE.encode() + b"Transfer-Encoding: br\r\n\r\n"), 501)


@pytest.mark.parametrize("begun", [b"G", LINE.encode(), LINE.encode() + b"A: b\r\n" * 20])
def test_incomplete_request_head_times_out(hurried: Running, begun: bytes) -> None:
    began = monotonic()
    with closing(hurried.connect()) as client:
        client.sendall(begun)
        answer = receive(client)
        check_refused([answer], 408, "1 s")
        assert client.recv(1) == b""
    assert monotonic() - began > 0.9


def test_trickling_request_head_times_out(hurried: Running) -> None:
    """With a timeout of the socket, each byte would begin it again."""
    with closing(hurried.connect()) as client:
        with suppress(OSError):
            for _ in range(30):
                client.sendall(b"G")
                sleep(0.1)
        check_refused([receive(client)], 408)


def test_silent_client_is_disconnected(hurried: Running) -> None:
    with closing(hurried.connect()) as client:
        assert client.recv(1) == b""


def test_keepalive_is_longer_than_the_head_timeout(hurried: Running) -> None:
    with closing(hurried.connect()) as client:
        for _ in range(2):
            client.sendall(LINE.encode() + b"\r\n")
            assert receive(client).status == 200
            sleep(1.5)
        # The next head, once begun, has as much time as the first.
        client.sendall(LINE.encode())
        check_refused([receive(client)], 408)


def test_endless_request_heads_do_not_block_others(running: Running) -> None:
    with ExitStack() as stack:
        for _ in range(STALLED_CLIENTS):
            client = stack.enter_context(running.connect())
            client.setblocking(False)
            with suppress(OSError):
                client.sendall(ENDLESS)
        answers = [running.get("/healthz") for _ in range(10)]
    assert {answer.status for answer in answers} == {200}


def test_head_reader_reads_at_most_the_limit() -> None:
    """Every byte that was waiting was once read, and all before it again with each piece."""
    server, client = socket.socketpair()
    with server, client:
        client.setblocking(False)
        sent = client.send(ENDLESS)
        with pytest.raises(request_headers.HeadTooLarge):
            request_headers.HeadReader(server, 60).read_head(60)
        server.setblocking(False)
        left = len(server.recv(sent))
    assert left > 0
    assert sent - left <= request_headers.MAX_BYTES + PIECE


def test_pipelined_requests_get_one_response_each(running: Running) -> None:
    requests = (LINE.encode() + b"\r\n") * 300
    answers = exchange(running, requests + LINE.encode() + b"Connection: close\r\n\r\n")
    assert [answer.status for answer in answers] == [200] * 301


def test_half_closed_connection_gets_its_response(running: Running) -> None:
    with closing(running.connect()) as client:
        client.sendall(LINE.encode() + b"\r\n")
        client.shutdown(socket.SHUT_WR)
        assert receive(client).status == 200
        assert client.recv(1) == b""
