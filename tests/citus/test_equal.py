"""A cluster has the same rows and gives the same responses, byte for byte, as a single server."""

from collections.abc import Callable, Iterable

import pytest

from orgctx.bundle import search_tokens
from orgctx.stores.db import sql
from tests.citus.conftest import rows
from tests.contract import data as contract
from tests.support import crawl
from tests.support import factories as make
from tests.support import organizations as orgs
from tests.support.deployment import Deployment
from tests.support.organizations import ALL, Organization

STREAMS: dict[str, Callable[[], Iterable[make.Record]]] = {
    "all kinds": contract.records,
    "the same again": contract.records,
    "several organizations": lambda: [record for tenant in ALL for record in orgs.records(tenant)],
    "deletions within sources": lambda: [
        make.delete("x.mention", "1000"),
        make.delete("knowledge", make.knowledge_id("stale")),
        make.delete("knowledge", make.knowledge_id("empty")),
    ],
    "deletions": lambda: [
        make.message(3, text="a later one"),
        make.delete("knowledge", make.knowledge_id(1)),
        make.delete("asset", make.uuid("Brand")),
        make.delete("telegram.chat", make.CHAT),
        make.delete("source", make.KIND_SOURCES["docs"]),
        make.delete("token", make.KIND_SOURCES["token"]),
    ],
    "an organization": lambda: [make.delete("organization", make.ACME)],
}


@pytest.fixture(scope="module")
def both(single: Deployment, module_deployment: Deployment) -> tuple[Deployment, Deployment]:
    for deployment in (single, module_deployment):
        orgs.load(deployment)
    return single, module_deployment


@pytest.mark.parametrize("tenant", ALL, ids=lambda tenant: tenant.marker)
def test_distributed_responses_are_equal(
    both: tuple[Deployment, Deployment], tenant: Organization
) -> None:
    here, there = (crawl.answers(deployment, tenant.id) for deployment in both)
    assert len(here) > 100
    assert here == there


def test_shard_index_has_no_pending_entries(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search would read all pending entries."""
    monkeypatch.setattr(search_tokens, "BATCH_ROWS", 20)
    items = [make.knowledge(number, content=f"Text {number}.") for number in range(50)]
    deployment.load([make.organization(), make.source(), *items])
    waiting = deployment.execute(sql("bundle/citus/clean_pending_list"))
    assert len(waiting) > 2
    assert set(waiting) == {(True, "0")}


def test_distributed_rows_and_counts_are_equal(other: Deployment, deployment: Deployment) -> None:
    for name, stream in STREAMS.items():
        here, there = (target.load(stream()) for target in (other, deployment))
        assert here == there, name
        assert rows(other) == rows(deployment), name
