"""Answers of requests during which a load, an approval or a withdrawal ends."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from orgctx.observability.observers import OBSERVERS, POSTGRESQL, Observer
from tests.soak import world
from tests.soak.changes import Changes
from tests.soak.expected import Expected, Reader
from tests.soak.requests import MCP, REST, Request, requests
from tests.soak.wire import Reply
from tests.soak.world import CHANGING, FIRST, State
from tests.support.deployment import Deployment
from tests.support.thorough import sampled

pytestmark = pytest.mark.thorough

ORGANIZATION = CHANGING[0]
READER = Reader(ORGANIZATION.marker, "everything")
# Requests of each kind; about one of five makes several round trips.
MOST = sampled((10, 30), (10).__eq__)
# A load, and a withdrawal.
PAIRS = ((FIRST, State(1, True)), (FIRST, State(0, False)))


class Interruption(Observer):
    """Makes a change after one of the round trips to PostgreSQL."""

    def __init__(self) -> None:
        self.count = 0
        self.change: tuple[int, Callable[[], None]] | None = None

    def end_round_trip(self, store: str, *_: Any) -> None:
        if store != POSTGRESQL:
            return
        self.count += 1
        if self.change and self.change[0] == self.count:
            change = self.change[1]
            self.change = None
            change()


class Soak:
    """A soak of one client. round_trips: how many each request makes at most."""

    def __init__(self, client: FlaskClient, changes: Changes, interruption: Interruption) -> None:
        self._client, self.changes, self._interruption = client, changes, interruption
        holders = changes.issue_lasting()
        self._key = holders[READER].key
        self.expected = Expected()
        self.round_trips: dict[Request, int] = {}

    def learn(self, most: int) -> None:
        """Learn the answers of each state."""
        for state in world.states(ORGANIZATION):
            self.changes.move(ORGANIZATION, state)
            for request in (each for each in requests(most) if each.kind in (REST, MCP)):
                self.expected.learn(READER, state, request, self.exchange(request))
                count = max(self._interruption.count, self.round_trips.get(request, 0))
                self.round_trips[request] = count

    def exchange(self, request: Request) -> Reply:
        self._interruption.count = 0
        headers = {"Authorization": f"Bearer {self._key}"}
        if request.body:
            headers["Content-Type"] = "application/json"
        response = self._client.open(
            request.path, method=request.method, data=request.body or None, headers=headers
        )
        named = {name.lower().encode(): value.encode() for name, value in response.headers}
        return Reply(response.status_code, named, response.data)

    def interrupted(self, request: Request, after: int, state: State) -> Reply:
        """Send a request and change to a state after so many of its round trips."""

        def change() -> None:
            self.changes.move(ORGANIZATION, state)

        self._interruption.change = (after, change)
        reply = self.exchange(request)
        if self._interruption.change:
            self._interruption.change = None
            change()
        return reply


@pytest.fixture(scope="module", params=MOST)
def soak(
    module_deployment: Deployment,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Iterator[Soak]:
    folder: Path = tmp_path_factory.mktemp("soak")
    world.prepare(module_deployment, folder)
    interruption = Interruption()
    OBSERVERS.append(interruption)
    try:
        with module_deployment.app(log_level="ERROR") as app:
            soak = Soak(app.test_client(), Changes(module_deployment, folder), interruption)
            soak.learn(request.param)
            yield soak
    finally:
        OBSERVERS.remove(interruption)


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_every_answer_of_an_interrupted_request_is_expected(
    soak: Soak, pair: tuple[State, State]
) -> None:
    soak.changes.move(ORGANIZATION, FIRST)
    sent = mixed = 0
    for request, count in soak.round_trips.items():
        for after in range(1, count):
            for before, state in (pair, pair[::-1]):
                reply = soak.interrupted(request, after, state)
                answers = [soak.expected.answer(READER, each, request) for each in pair]
                is_whole = reply.answer in answers
                assert is_whole or soak.expected.is_mixed(READER, pair, request, reply), (
                    request, before, state, after,
                    soak.expected.differing(READER, before, request, reply), reply,
                )  # fmt: skip
                sent += 1
                mixed += not is_whole
    assert sent > 10
    assert mixed or pair[0].version == pair[1].version
