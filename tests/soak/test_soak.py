"""Ten seconds of what `make soak` does for ten minutes."""

import pytest

from orgctx.config.settings import Config
from tests.soak.requests import HEAD, MCP, OPEN, REST
from tests.soak.run import Outcome, Plan, soak
from tests.support.deployment import Deployment

pytestmark = pytest.mark.thorough

# More clients than database connections; they pause because other tests run too.
KINDS = (
    "load", "keys issue", "keys revoke", "keys change", "key expires", "organizations delete",
)  # fmt: skip
PLAN = Plan(
    seconds=10, clients=12, pause=0.01, change_pause=0.1, kill_pause=0.5, kinds=KINDS, workers=2,
    most=16,
)  # fmt: skip
SEEN = [
    (REST, 200), (REST, 404), (REST, 403), (MCP, 200), (HEAD, 200), (MCP, 401), (OPEN, 413),
    (REST, 304),
]  # fmt: skip


@pytest.fixture(scope="module")
def outcome(module_deployment: Deployment, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return soak(module_deployment, tmp_path_factory.mktemp("soak"), PLAN)


def test_soak_has_no_wrong_or_lost_answer(outcome: Outcome) -> None:
    assert not outcome.clients.errors, "\n".join(outcome.clients.errors)


def test_soak_covers_every_kind_of_request_and_change(outcome: Outcome) -> None:
    for seen in SEEN:
        assert outcome.clients.statuses[seen] > 0, seen
    assert all(outcome.changes[kind] for kind in KINDS)
    assert outcome.clients.counts["during a change"] > 10
    assert outcome.kills["killed backends"] >= 5
    assert outcome.kills["vanished clients"] >= 20
    assert outcome.clients.counts["failed"] <= outcome.kills["killed backends"]


def test_soak_keeps_connections_within_their_bounds(outcome: Outcome) -> None:
    assert len(outcome.samples) > 2
    # A probe of readiness opens one more for a moment.
    pool = PLAN.workers * (Config.database_pool_size + 1)
    assert 0 < max(sample.connections for sample in outcome.samples) <= pool
