"""Request headers are limited in size, number and time."""

import socket
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from time import monotonic, sleep

import pytest

from orgctx.server import request_headers
from tests.support.deployment import Deployment
from tests.support.service import Answer, Running, exchange, head, receive, serve

pytestmark = pytest.mark.thorough

LINE = "GET /healthz HTTP/1.1\r\nHost: a\r\n"
# 95 headers of 8 KB each, without an end.
ENDLESS = LINE.encode() + (b"X: " + b"x" * 8000 + b"\r\n") * 95
# Bytes that are read from a connection at once.
PIECE = 8192


@pytest.fixture(scope="module")
def hurried(acme: Deployment) -> Iterator[Running]:
    """A server with a timeout of one second for request headers."""
    with serve(acme, head_timeout_seconds=1.0) as served:
        yield served


def of_size(size: int) -> bytes:
    """A complete request head of `size` bytes, in headers of at most 4,000 bytes."""
    head, end = LINE, "Connection: close\r\n\r\n"
    while (missing := size - len(head) - len(end)) > 0:
        length = min(missing, 4000) if missing - 4000 not in range(1, 10) else 2000
        head += "X: " + "x" * (length - 5) + "\r\n"
    assert len(head + end) == size
    return (head + end).encode()


def with_fields(count: int) -> bytes:
    """A complete request head with `count` headers."""
    return (LINE + "A:\r\n" * (count - 2) + "Connection: close\r\n\r\n").encode()


def check_rejected(answers: list[Answer], status: int, *words: str) -> None:
    """Check that the only response is an error in the contract's format, with these words."""
    (answer,) = answers
    assert answer.status == status
    assert answer.headers["connection"] == "close"
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = "default-src 'none'; frame-ancestors 'none'"
    assert answer.headers["content-security-policy"] == policy
    assert answer.body["requestId"] == answer.headers["x-request-id"]
    assert all(word in answer.body["error"]["message"] for word in words)


def with_field(size: int) -> bytes:
    """A complete request head with a header of `size` bytes."""
    field = "X: " + "x" * (size - len("X: \r\n")) + "\r\n"
    return f"{LINE}Connection: close\r\n{field}\r\n".encode()


def with_line(size: int) -> bytes:
    """A complete request head with a request line of `size` bytes."""
    path = "/healthz?" + "a" * (size - len("GET /healthz? HTTP/1.1"))
    return f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()


WHOLE = ("16 KiB", "64")


@pytest.mark.parametrize(
    ("head", "limit", "far", "status", "words"),
    [
        (of_size, request_headers.MAX_BYTES, 800_000, 431, WHOLE),
        (with_fields, request_headers.MAX_FIELDS, 3000, 431, WHOLE),
        (with_field, request_headers.MAX_FIELD_BYTES, 16_000, 431, (*WHOLE, "8,190")),
        (with_line, request_headers.MAX_LINE_BYTES, 15_000, 414, ("8,190",)),
    ],
)
def test_request_head_is_limited(
    served: Running,
    head: Callable[[int], bytes],
    limit: int,
    far: int,
    status: int,
    words: tuple[str, ...],
) -> None:
    assert [answer.status for answer in exchange(served, head(limit))] == [200]
    for size in (limit + 1, far):
        check_rejected(exchange(served, head(size)), status, *words)


def test_request_line_beyond_the_head_limit_is_rejected(served: Running) -> None:
    check_rejected(exchange(served, with_line(90_000)), 431, "16 KiB")


@pytest.mark.parametrize(
    "head",
    [b"\0\r\n\r\n", b"GET /healthz HTTP/1.1\nHost: a\n\n", b"GET /healthz\r\n\r\n", b"\r\n\r\n\r\n",
     LINE.encode() + b"A B: c\r\n\r\n", LINE.encode() + b"A: \x01\r\n\r\n",
     LINE.encode() + b"Host: b\r\n\r\n",
     LINE.encode() + b" folded: c\r\n\r\n", LINE.encode() + b"Content-Length: x\r\n\r\n"],
)  # fmt: skip
def test_malformed_request_head_is_rejected(served: Running, head: bytes) -> None:
    check_rejected(exchange(served, head), 400, "malformed")


def test_http_1_1_needs_a_host(served: Running) -> None:
    check_rejected(exchange(served, b"GET /healthz HTTP/1.1\r\n\r\n"), 400, "Host")
    older = b"GET /healthz HTTP/1.0\r\n\r\n"
    assert [answer.status for answer in exchange(served, older)] == [200]


@pytest.mark.parametrize("value", [b"X, close", b"Close ,TE", b"TE\r\nConnection: close"])
def test_close_among_other_options_closes_the_connection(served: Running, value: bytes) -> None:
    request = LINE.encode() + b"Connection: " + value + b"\r\n\r\n"
    (answer,) = exchange(served, 2 * request)
    assert (answer.status, answer.headers["connection"]) == (200, "close")


def test_unsupported_expectation_and_coding_are_rejected(served: Running) -> None:
    check_rejected(exchange(served, LINE.encode() + b"Expect: miracles\r\n\r\n"), 417)
    for coding in (b"br", b"gzip, chunked", b"identity, chunked"):
        head = LINE.encode() + b"Transfer-Encoding: " + coding + b"\r\n\r\n"
        check_rejected(exchange(served, head), 501)


@pytest.mark.parametrize("begun", [b"G", LINE.encode(), LINE.encode() + b"A: b\r\n" * 20])
def test_incomplete_request_head_times_out(hurried: Running, begun: bytes) -> None:
    began = monotonic()
    with closing(hurried.connect()) as client:
        client.sendall(begun)
        answer = receive(client)
        check_rejected([answer], 408, "1 s")
        assert client.recv(1) == b""
    assert monotonic() - began > 0.9


def test_trickling_request_head_times_out(hurried: Running) -> None:
    """A socket timeout would start again with each byte."""
    with closing(hurried.connect()) as client:
        with suppress(OSError):
            for _ in range(30):
                client.sendall(b"G")
                sleep(0.1)
        check_rejected([receive(client)], 408)


def test_silent_client_is_disconnected(hurried: Running) -> None:
    with closing(hurried.connect()) as client:
        assert client.recv(1) == b""


def test_keepalive_is_longer_than_the_head_timeout(hurried: Running) -> None:
    with closing(hurried.connect()) as client:
        for _ in range(2):
            client.sendall(LINE.encode() + b"\r\n")
            assert receive(client).status == 200
            sleep(1.5)
        # The next request head has as much time as the first, from its first byte.
        client.sendall(LINE.encode())
        check_rejected([receive(client)], 408)


def test_head_reader_reads_at_most_the_limit() -> None:
    """Otherwise an endless head would be read as fast as the client sends it."""
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


def test_half_closed_connection_gets_its_response(served: Running) -> None:
    with closing(served.connect()) as client:
        client.sendall(LINE.encode() + b"\r\n")
        client.shutdown(socket.SHUT_WR)
        assert receive(client).status == 200
        assert client.recv(1) == b""


# No header changes the path


@pytest.mark.parametrize(
    "line",
    ["SCRIPT_NAME: /api", "SCRIPT_NAME: /elsewhere", "SCRIPT-NAME: /api", "PATH_INFO: /healthz",
     "Script_Name: /api/v1", "X-Script-Name: /api", "X_FORWARDED_FOR: 203.0.113.9",
     "REMOTE_USER: root", "X-Forwarded-Proto: https", "X-Forwarded-Ssl: on",
     "X-Forwarded-Prefix: /api", "Upgrade: h2c"],
)  # fmt: skip
def test_headers_do_not_change_the_path(served: Running, key: str, line: str) -> None:
    lines = (line, "Connection: close")
    for path, statuses in (("/api/v1/sources", [200]), ("/v1/sources", [404]), ("/sources", [404])):
        answers = exchange(served, head(path, key, *lines))
        assert [answer.status for answer in answers] == statuses
        assert isinstance(answers[0].body, dict)
