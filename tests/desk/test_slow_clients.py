"""Clients that stay connected, or send slowly, keep nobody else waiting."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from tests.desk import running
from tests.support.deployment import Deployment

CONNECTIONS = 64
# Long for one answer, and short for as many that would wait for each other.
PATIENCE_SECONDS = 60.0
LARGE = 200 * 1024


@pytest.fixture(scope="module")
def origin(acme: Deployment) -> Iterator[str]:
    with running.desk(acme) as (origin, _):
        yield origin


def connect(origin: str, method: str, path: str, *lines: str, body: bytes = b"") -> socket.socket:
    """Send a request, or a part of it, and leave the connection open."""
    url = urlsplit(origin)
    assert url.hostname
    connection = socket.create_connection((url.hostname, url.port or 80), PATIENCE_SECONDS)
    head = [f"{method} {path} HTTP/1.1", f"Host: {url.netloc}", f"Origin: {origin}", *lines]
    connection.sendall("\r\n".join([*head, "", ""]).encode() + body)
    return connection


def answer(connection: socket.socket) -> bytes:
    """Return the status line."""
    with connection, connection.makefile("rb") as file:
        return file.readline()


@pytest.mark.parametrize(
    ("method", "path", "lines", "body"),
    [
        ("GET", "/sign-in", ["Connection: close"], b""),
        ("POST", "/sign-in", ["Content-Length: 1000"], b"secret="),
        ("POST", "/sign-in", ["Transfer-Encoding: chunked"], b"7\r\nsecret="),
        ("POST", "/sign-in", [f"Content-Length: {LARGE}"], b"x" * (LARGE - 1)),
        ("POST", "/keys/issue", ["Content-Length: 1000"], b"name="),
        ("PUT", "/nowhere", ["Content-Length: 1000"], b"x"),
        ("POST", "/", [f"Content-Length: {LARGE}"], b"x" * (LARGE - 1)),
    ],
)
def test_slow_clients_keep_nobody_waiting(
    origin: str, method: str, path: str, lines: list[str], body: bytes
) -> None:
    with ExitStack() as stack:
        for _ in range(CONNECTIONS):
            stack.enter_context(connect(origin, method, path, *lines, body=body))
        assert answer(connect(origin, "GET", "/sign-in")).split()[1] == b"200"


def test_form_that_never_ends_is_rejected(origin: str) -> None:
    slow = connect(
        origin,
        "POST",
        "/sign-in",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Length: 1000",
        body=b"secret=",
    )
    assert answer(slow).split()[1] == b"408"
