"""Ten seconds of what `make soak` does for ten minutes."""

import pytest

from orgctx.config.settings import Config
from tests.soak.report import allowed
from tests.soak.requests import CONDITIONAL, HEAD, MCP, OPEN, REST
from tests.soak.run import Outcome, Plan, soak
from tests.support.deployment import Deployment

# The other tests of this folder are the sample of `make test`.
pytestmark = pytest.mark.thorough

# More clients than database connections; they pause because other tests run too.
KINDS = (
    "load", "keys issue", "keys revoke", "keys change", "key expires", "organizations delete",
)  # fmt: skip
PLAN = Plan(
    seconds=10, clients=12, pause=0.001, change_pause=0.1, stress_pause=0.5,
    has_processes=False, key_changes=1, kinds=KINDS, workers=2, most=16,
)  # fmt: skip
THREADS = 32
SEEN = [
    (REST, 200), (REST, 404), (REST, 403), (MCP, 200), (HEAD, 200), (MCP, 401), (OPEN, 413),
    (CONDITIONAL, 304),
]  # fmt: skip


@pytest.fixture(scope="module")
def outcome(module_deployment: Deployment, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return soak(module_deployment, tmp_path_factory.mktemp("soak"), PLAN)


def test_soak_has_no_wrong_or_lost_answer(outcome: Outcome) -> None:
    assert outcome.clients.error_count == 0, "\n".join(outcome.clients.errors)


def test_soak_covers_every_kind_of_request_and_change(outcome: Outcome) -> None:
    for kind, status in SEEN:
        assert outcome.clients.answers[kind, status] > 0, (kind, status)
    assert sum(outcome.clients.answers.values()) > 200
    assert all(outcome.changes[kind] for kind in KINDS)
    assert outcome.clients.during_change_count > 10


def test_soak_kills_backends_and_abandons_requests(outcome: Outcome) -> None:
    assert outcome.stress["killed backends"] >= 5
    assert outcome.stress["vanished clients"] >= 20
    assert outcome.stress["scrapes"] >= 5
    assert outcome.clients.failed_count <= outcome.stress["killed backends"]


def test_soak_admits_no_more_than_the_limit(outcome: Outcome) -> None:
    assert 0 < max(outcome.clients.admitted.values()) <= allowed(PLAN.seconds)


def test_soak_keeps_connections_within_their_bounds(outcome: Outcome) -> None:
    assert len(outcome.samples) > 2
    workers = {len(sample.pss_mib) - 1 for sample in outcome.samples}
    assert workers == {PLAN.workers}
    # A probe of readiness opens one more for a moment.
    pool = PLAN.workers * (Config.database_pool_size + 1)
    assert 0 < max(sample.database_connections for sample in outcome.samples) <= pool
    # Each client has at most one running command, which takes a connection.
    threads = min(PLAN.workers * THREADS, PLAN.workers * PLAN.clients)
    assert 0 < max(sample.redis_connections for sample in outcome.samples) <= threads


def test_soak_logs_no_key_text_or_error(outcome: Outcome) -> None:
    assert outcome.log["lines"] >= sum(outcome.clients.answers.values())
    assert (outcome.log["keys"], outcome.log["texts"]) == (0, 0)
    # A request whose connection was killed, and again on its second one, is an error in the log.
    assert outcome.log["errors"] <= outcome.stress["failed after a kill"]
