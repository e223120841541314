"""granian serves the same application, as the README says."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from time import sleep

import pytest

from tests.support.deployment import UNLIMITED, Deployment
from tests.support.processes import free_port, started
from tests.support.service import Running, head

pytestmark = pytest.mark.thorough

COMMAND = ("granian", "--interface", "wsgi", "--factory", "--workers", "1")
# The server ends an endless body after this time. A blocked client would wait as long.
GIVEN_UP_SECONDS = 90
HALVES = {
    "nothing": b"",
    "half a head": b"GET /api/v1/sources HTTP/1.1\r\nHost: a\r\nX-A: ",
    "half a message": head("/api/mcp", "", "Content-Length: 100", method="POST") + b"half",
}


@pytest.fixture(scope="module")
def running(acme: Deployment) -> Iterator[Running]:
    port = free_port()
    environment = {
        **os.environ,
        **acme.environment,
        "ORGCTX_LIMIT_IP": str(UNLIMITED),
        "ORGCTX_REQUEST_TIMEOUT_SECONDS": str(GIVEN_UP_SECONDS),
        "ORGCTX_BASE_URL": f"http://127.0.0.1:{port}",
    }
    command = [sys.executable, "-m", *COMMAND, "--port", str(port), "orgctx.app:create_app"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with started(command, port, environment, **quiet) as process:
        yield Running(port, process)


def _comparable(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Remove headers that differ in each response or depend on the server."""
    varies = ("server", "date", "connection", "x-request-id", "ratelimit-")
    named = {name.lower(): value for name, value in headers}
    return {name: value for name, value in named.items() if not name.startswith(varies)}


def test_granian_responds_like_gunicorn(running: Running, acme: Deployment, key: str) -> None:
    with acme.client(key, base_url=f"http://127.0.0.1:{running.port}") as client:
        expected = client.get("/api/v1/knowledge?page=1")
    answer = running.get("/api/v1/knowledge?page=1", key)
    assert (answer.status, answer.body) == (200, expected.json)
    assert _comparable(answer.headers.items()) == _comparable(expected.headers)


def test_granian_errors_have_the_error_body(running: Running) -> None:
    assert running.get().body["error"]["code"] == "unauthorized"
    assert running.get(method="DELETE").body["error"]["code"] == "method_not_allowed"
    assert running.get("/none").body["error"]["code"] == "not_found"


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
def test_stalled_clients_do_not_block_others(running: Running, half: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(running.connect()).sendall(half)
        sleep(0.2)
        answers = [running.get("/healthz") for _ in range(10)]
    assert {answer.status for answer in answers} == {200}
    assert max(answer.seconds for answer in answers) < GIVEN_UP_SECONDS / 2
