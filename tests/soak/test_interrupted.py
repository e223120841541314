"""Answers of requests during which a load, a deletion, an approval or a withdrawal ends."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from orgctx.observability.observers import OBSERVERS, POSTGRESQL, Observer
from tests.operations import ROWS
from tests.soak import world
from tests.soak.changes import Changes
from tests.soak.expected import Expected, Reader
from tests.soak.requests import MCP, REST, Request, requests, tool_call
from tests.soak.wire import Reply
from tests.soak.world import CHANGING, DELETED, FIRST, GONE, State
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.organizations import Organization

pytestmark = pytest.mark.thorough

ORGANIZATIONS = (CHANGING[0], DELETED)
# Also those that look up where found documents match.
TOOL_CALLS = [
    *(tool_call(row.name, row.crawl[0]) for row in ROWS.values()),
    tool_call("list_knowledge", {"q": "content"}),
    tool_call("read_knowledge", {"id": make.knowledge_id(), "q": "e"}),
]
# Requests of each kind; about one of five makes several round trips.
MOST = 30
# A load, a withdrawal, and what a request meets whose organization is deleted.
PAIRS = (
    (CHANGING[0], (FIRST, State(1, True))),
    (CHANGING[0], (FIRST, State(0, False))),
    (DELETED, (FIRST, GONE)),
)


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
    """A soak of one client. round_trips: how many each request of a reader makes at most."""

    def __init__(self, client: FlaskClient, changes: Changes, interruption: Interruption) -> None:
        self._client, self.changes, self._interruption = client, changes, interruption
        self._holders = changes.issue_lasting()
        self.expected = Expected()
        self.round_trips: dict[tuple[Reader, Request], int] = {}

    def learn(self) -> None:
        """Learn the answers of each state."""
        chosen = [each for each in requests(MOST) if each.kind in (REST, MCP)]
        for organization in ORGANIZATIONS:
            reader = reader_of(organization)
            for state in world.states(organization):
                self.changes.move(organization, state)
                for request in dict.fromkeys([*TOOL_CALLS, *chosen]):
                    reply = self.exchange(reader, request)
                    self.expected.learn(reader, state, request, reply)
                    count = max(
                        self._interruption.count, self.round_trips.get((reader, request), 0)
                    )
                    self.round_trips[reader, request] = count

    def exchange(self, reader: Reader, request: Request) -> Reply:
        self._interruption.count = 0
        headers = {"Authorization": f"Bearer {self._holders[reader].key}"}
        if request.body:
            headers["Content-Type"] = "application/json"
        response = self._client.open(
            request.path, method=request.method, data=request.body or None, headers=headers
        )
        named = {name.lower().encode(): value.encode() for name, value in response.headers}
        return Reply(response.status_code, named, response.data)

    def interrupted(
        self, organization: Organization, request: Request, after: int, state: State
    ) -> Reply:
        """Send a request and change to a state after so many of its round trips."""

        def change() -> None:
            self.changes.move(organization, state)

        self._interruption.change = (after, change)
        reply = self.exchange(reader_of(organization), request)
        if self._interruption.change:
            self._interruption.change = None
            change()
        return reply


def reader_of(organization: Organization) -> Reader:
    return Reader(organization.marker, "everything")


@pytest.fixture(scope="module")
def soak(module_deployment: Deployment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soak]:
    folder: Path = tmp_path_factory.mktemp("soak")
    world.prepare(module_deployment, folder)
    interruption = Interruption()
    OBSERVERS.append(interruption)
    try:
        with module_deployment.app(log_level="ERROR") as app:
            soak = Soak(app.test_client(), Changes(module_deployment, folder), interruption)
            soak.learn()
            yield soak
    finally:
        OBSERVERS.remove(interruption)


@pytest.mark.parametrize(
    ("organization", "pair"), PAIRS, ids=lambda value: getattr(value, "marker", str(value))
)
def test_every_answer_of_an_interrupted_request_is_expected(
    soak: Soak, organization: Organization, pair: tuple[State, State]
) -> None:
    soak.changes.move(organization, FIRST)
    reader = reader_of(organization)
    sent = mixed = 0
    for (_, request), count in (each for each in soak.round_trips.items() if each[0][0] == reader):
        for after in range(1, count):
            for before, state in (pair, pair[::-1])[: 1 if GONE in pair else 2]:
                soak.changes.move(organization, before)
                reply = soak.interrupted(organization, request, after, state)
                answers = [soak.expected.answer(reader, each, request) for each in pair]
                is_whole = reply.answer in answers
                assert is_whole or soak.expected.is_mixed(reader, pair, request, reply), (
                    request, before, state, after,
                    soak.expected.differing(reader, before, request, reply), reply,
                )  # fmt: skip
                sent += 1
                mixed += not is_whole
    assert sent > 5
    assert mixed or pair[0].version == pair[1].version
