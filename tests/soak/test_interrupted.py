"""Answers of requests during which a load, an approval or a withdrawal ends."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from orgctx.observability.observers import OBSERVERS, POSTGRESQL, Observer
from tests.operations import ROWS
from tests.soak import world
from tests.soak.answers import COMBINED, RIGHT, judge
from tests.soak.changes import Changes, Holder
from tests.soak.requests import Answer, Request, answer_of, message
from tests.soak.world import CHANGING, FIRST, State
from tests.support import factories as make
from tests.support.deployment import Deployment

pytestmark = pytest.mark.thorough

# Also those that look up where found documents match.
REQUESTS = [
    message("tools/call", {"name": name, "arguments": arguments})
    for name, arguments in (
        *((row.name, row.crawl[0]) for row in ROWS.values()),
        ("list_knowledge", {"q": "content"}),
        ("read_knowledge", {"id": make.knowledge_id(), "q": "e"}),
    )
]
LOADED, WITHDRAWN = State(1, True), State(0, False)


class Interruption(Observer):
    """Makes a change after one of the round trips to PostgreSQL."""

    def __init__(self) -> None:
        self.count = 0
        self.change: tuple[int, Callable[[], None]] | None = None

    def end_round_trip(self, store: str, *_: Any) -> None:
        self.count += store == POSTGRESQL
        if self.change and self.change[0] == self.count:
            change = self.change[1]
            self.change = None
            change()


@pytest.fixture
def interruption() -> Iterator[Interruption]:
    OBSERVERS.append(interruption := Interruption())
    yield interruption
    OBSERVERS.remove(interruption)


@pytest.fixture(scope="module")
def changes(module_deployment: Deployment, tmp_path_factory: pytest.TempPathFactory) -> Changes:
    folder = tmp_path_factory.mktemp("soak")
    world.prepare(module_deployment, folder)
    return Changes(module_deployment, folder)


@pytest.fixture(scope="module")
def client(module_deployment: Deployment) -> Iterator[FlaskClient]:
    with module_deployment.client(log_level="ERROR") as client:
        yield client


def exchange(client: FlaskClient, request: Request, holder: Holder) -> Answer:
    headers = request.headers(holder.key)
    response = client.post(request.path, data=request.body, headers=headers)
    return answer_of(response.status_code, dict(response.headers), response.data)


@pytest.mark.parametrize("states", [(FIRST, LOADED), (FIRST, WITHDRAWN), (WITHDRAWN, FIRST)])
def test_every_answer_of_an_interrupted_request_is_expected(
    client: FlaskClient, changes: Changes, interruption: Interruption, states: tuple[State, State]
) -> None:
    organization, holder = CHANGING[0], changes.lasting[0]
    answers: dict[Request, list[Answer]] = {request: [] for request in REQUESTS}
    counts = dict.fromkeys(REQUESTS, 0)
    for state in states:
        changes.move(organization, state)
        for request in REQUESTS:
            interruption.count = 0
            answers[request].append(exchange(client, request, holder))
            counts[request] = max(counts[request], interruption.count)
    interrupted = 0
    for request, count in counts.items():
        for after in range(1, count):
            changes.move(organization, states[0])
            interruption.count = 0
            interruption.change = after, lambda: changes.move(organization, states[1])
            answer = exchange(client, request, holder)
            interruption.change = None
            judgement = judge(holder.marker, answer, answers[request])
            assert judgement in (RIGHT, COMBINED), (judgement, request, after, answer)
            interrupted += 1
    assert interrupted > 5
