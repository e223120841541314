"""Clients that stay connected, or send slowly, keep nobody else waiting."""

import socket
from collections.abc import Iterator

import pytest

from tests.desk import running, slow
from tests.support.deployment import Deployment


@pytest.fixture(scope="module")
def origin(acme: Deployment) -> Iterator[str]:
    with running.desk(acme) as (origin, _):
        yield origin


def status(connection: socket.socket) -> bytes:
    """Read the status of the response."""
    with connection, connection.makefile("rb") as file:
        return file.readline().split()[1]


@pytest.mark.thorough
@pytest.mark.parametrize("request_", slow.REQUESTS)
def test_slow_clients_keep_nobody_waiting(
    origin: str, request_: tuple[str, str, list[str], bytes]
) -> None:
    with slow.clients(origin, request_):
        assert status(slow.connect(origin, "GET", "/sign-in", [])) == b"200"


@pytest.mark.thorough
def test_form_that_never_ends_is_rejected(origin: str) -> None:
    lines = ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 1000"]
    connection = slow.connect(origin, "POST", "/sign-in", lines, b"secret=")
    assert status(connection) == b"408"
