"""A few seconds of what `make soak` does for ten minutes."""

from __future__ import annotations

import pytest

from orgctx.config.settings import Config
from tests.soak.asks import CONDITIONAL, HEAD, MCP, OPEN, REST
from tests.soak.page import allowed
from tests.soak.run import Outcome, Plan, soak
from tests.support.deployment import Deployment

# There are more clients than database connections. They pause, because other tests run too.
PLAN = Plan(seconds=10, clients=12, pause=0.001, change_pause=0.1, workers=2, most=16)
THREADS = 32


@pytest.fixture(scope="module")
def outcome(module_deployment: Deployment, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return soak(module_deployment, tmp_path_factory.mktemp("soak"), PLAN)


def test_no_answer_is_wrong_or_lost(outcome: Outcome) -> None:
    assert outcome.wrongs == 0, "\n".join(outcome.wrong)


def test_every_kind_of_request_met_its_answers(outcome: Outcome) -> None:
    """The test above proves little unless every kind of request met its answers."""
    for kind, status in [
        (REST, 200), (REST, 404), (REST, 403), (MCP, 200), (HEAD, 200), (MCP, 401), (OPEN, 413),
        (CONDITIONAL, 304),
    ]:  # fmt: skip
        assert outcome.answers[kind, status] > 0, (kind, status)
    assert sum(outcome.answers.values()) > 200
    assert outcome.changes["load"] >= 1
    assert outcome.changes["keys issue"] >= 1
    assert outcome.in_flight > 10
    assert outcome.confirmed > 50


def test_no_more_than_allowed_is_admitted(outcome: Outcome) -> None:
    assert 0 < max(outcome.admitted.values()) <= allowed(PLAN.seconds)


def test_connections_stay_within_their_bounds(outcome: Outcome) -> None:
    assert len(outcome.samples) > 2
    workers = {len(one.pss_mib) - 1 for one in outcome.samples}
    assert workers == {PLAN.workers}
    pool = PLAN.workers * Config.database_pool_size
    assert 0 < max(one.database_connections for one in outcome.samples) <= pool
    # Each client has at most one command under way, which takes a connection.
    threads = min(PLAN.workers * THREADS, PLAN.workers * PLAN.clients)
    assert 0 < max(one.redis_connections for one in outcome.samples) <= threads


def test_nothing_of_it_is_in_the_log(outcome: Outcome) -> None:
    assert outcome.log["lines"] >= sum(outcome.answers.values())
    assert (outcome.log["keys"], outcome.log["texts"], outcome.log["faults"]) == (0, 0, 0)
