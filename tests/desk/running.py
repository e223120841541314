"""The desk as a process, `orgctx desk` under gunicorn, and clients that stay or send slowly."""

import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.deployment import TESTS, Deployment
from tests.support.processes import free_port, started
from tests.support.service import Answer, receive
from tests.support.written import written

SLOW_CONNECTIONS = 64
# Long for one answer, and short for as many that would wait for each other.
PATIENCE_SECONDS = 60.0
LARGE = 200 * 1024
# Method, path, headers, and the part of the body that is sent.
SLOW_REQUESTS: list[tuple[str, str, list[str], bytes]] = [
    ("GET", "/sign-in", ["Connection: close"], b""),
    ("POST", "/sign-in", ["Content-Length: 1000"], b"secret="),
    ("POST", "/sign-in", ["Transfer-Encoding: chunked"], b"7\r\nsecret="),
    ("POST", "/sign-in", [f"Content-Length: {LARGE}"], b"x" * (LARGE - 1)),
    ("POST", "/keys/issue", ["Content-Length: 1000"], b"name="),
    ("PUT", "/nowhere", ["Content-Length: 1000"], b"x"),
    ("POST", "/", [f"Content-Length: {LARGE}"], b"x" * (LARGE - 1)),
]


@contextmanager
def desk(deployment: Deployment, *, port: int = 0, **settings: str) -> Iterator[tuple[str, Path]]:
    """Run `orgctx desk` while the block runs. Yields its origin and its log.

    port: by default a free one. settings: variables.
    """
    port = port or free_port()
    origin = f"http://localhost:{port}"
    command = [sys.executable, "-m", "orgctx.cli", "desk"]
    environment = {**deployment.program_environment, "ORGCTX_DESK_URL": origin, **settings}
    with (
        written.log(f"desk-{port}") as log,
        started(command, port, environment, "/healthz", cwd=TESTS, stderr=log),
    ):
        yield origin, Path(log.name)


def connect(
    origin: str, method: str, path: str, lines: list[str], body: bytes = b"", *, port: int = 0
) -> socket.socket:
    """Send a request, or a part of it, and leave the connection open.

    port: of a proxy on this machine; by default that of the origin.
    """
    url = urlsplit(origin)
    connection = socket.create_connection(("localhost", port or url.port or 80), PATIENCE_SECONDS)
    head = [f"{method} {path} HTTP/1.1", f"Host: {url.netloc}", f"Origin: {origin}", *lines]
    # A body that is too large is refused while it is sent.
    with suppress(ConnectionError):
        connection.sendall("\r\n".join([*head, "", ""]).encode() + body)
    return connection


def ask(
    origin: str, method: str, path: str, body: str = "", *, port: int = 0, **headers: str
) -> Answer:
    """Send a form or an empty body, and return the response. port: as in `connect`."""
    sent = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": len(body)}
    lines = [f"{name}: {value}" for name, value in (sent | headers).items()]
    with connect(origin, method, path, lines, body.encode(), port=port) as connection:
        return receive(connection, method=method)


@contextmanager
def slow_clients(
    origin: str, request: tuple[str, str, list[str], bytes], *, port: int = 0
) -> Iterator[None]:
    """Keep many connections open while the block runs. port: as in `connect`."""
    with ExitStack() as stack:
        for _ in range(SLOW_CONNECTIONS):
            stack.enter_context(connect(origin, *request, port=port))
        yield
