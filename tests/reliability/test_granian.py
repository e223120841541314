"""granian serves the same application, as the README says."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from time import sleep

import pytest

from tests.reliability.test_half_requests import GIVEN_UP_SECONDS, HALVES
from tests.support.deployment import Deployment
from tests.support.service import Running, serve

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def running(acme: Deployment) -> Iterator[Running]:
    patience = {"request_timeout_seconds": GIVEN_UP_SECONDS}
    with serve(acme, server="granian", **patience) as running:
        yield running


def _comparable(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Remove headers that differ in each response or depend on the server."""
    varies = ("server", "date", "connection", "x-request-id", "ratelimit-")
    named = {name.lower(): value for name, value in headers}
    return {name: value for name, value in named.items() if not name.startswith(varies)}


def test_granian_responds_like_gunicorn(running: Running, acme: Deployment, key: str) -> None:
    with acme.client(key, base_url=running.base_url) as client:
        expected = client.get("/api/v1/knowledge?page=1")
    answer = running.get("/api/v1/knowledge?page=1", key)
    assert (answer.status, answer.body) == (200, expected.json)
    assert _comparable(answer.headers.items()) == _comparable(expected.headers)


def test_granian_errors_have_the_error_body(running: Running) -> None:
    assert running.get().body["error"]["code"] == "unauthorized"
    assert running.get(method="DELETE").body["error"]["code"] == "method_not_allowed"
    assert running.get("/none").body["error"]["code"] == "not_found"


@pytest.mark.parametrize("half", ["nothing", "half a head", "half a message"])
def test_stalled_clients_do_not_block_others(running: Running, half: str) -> None:
    with ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(running.connect()).sendall(HALVES[half])
        sleep(0.2)
        answers = [running.get("/healthz") for _ in range(10)]
    assert {answer.status for answer in answers} == {200}
    assert max(answer.seconds for answer in answers) < GIVEN_UP_SECONDS / 2
