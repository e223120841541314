"""A cluster has the same rows and gives the same responses, byte for byte, as a single server."""

from collections.abc import Callable, Iterable

import pytest

from orgctx.bundle import search_tokens
from orgctx.key_format import digest
from orgctx.stores.db import sql
from tests.citus.conftest import answers, rows
from tests.contract import data as contract
from tests.support import factories as make
from tests.support import organizations as orgs
from tests.support.deployment import Deployment
from tests.support.organizations import ALL, AMBER, BASALT, Organization

STREAMS: dict[str, Callable[[], Iterable[make.Record]]] = {
    "all kinds": contract.records,
    "the same again": contract.records,
    "several organizations": lambda: [record for tenant in ALL for record in orgs.records(tenant)],
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

REJECT = (
    "UPDATE api_keys SET expires_at = now() WHERE key_hash = %(key_1)s",
    "UPDATE api_keys SET issued_by = organization_id WHERE key_hash = %(key_2)s",
    "UPDATE api_keys SET revoked_at = now(), revoked_by = issued_by WHERE key_hash = %(key_3)s",
)
CALLER = "SELECT access, source_ids FROM find_caller(%s)"


@pytest.fixture(scope="module")
def both(single: Deployment, module_deployment: Deployment) -> tuple[Deployment, Deployment]:
    for deployment in (single, module_deployment):
        orgs.load(deployment)
    return single, module_deployment


@pytest.mark.parametrize("tenant", ALL, ids=lambda tenant: tenant.marker)
def test_distributed_responses_are_equal(
    both: tuple[Deployment, Deployment], tenant: Organization
) -> None:
    here, there = (answers(deployment, tenant.id, make.OWNER) for deployment in both)
    assert len(here) > 100
    assert here == there


def test_distributed_responses_to_a_limited_key_are_equal(
    both: tuple[Deployment, Deployment],
) -> None:
    sources = ("docs:handbook", "telegram:main")
    here, there = (
        answers(deployment, AMBER.id, make.OWNER, sources=sources) for deployment in both
    )
    assert here == there
    assert here != answers(both[0], AMBER.id, make.OWNER)


def test_distributed_keys_are_rejected_for_the_same_reason(
    both: tuple[Deployment, Deployment],
) -> None:
    for deployment in both:
        keys = [
            deployment.issue_key(BASALT.id, make.OWNER, sources=["docs:handbook"]) for _ in range(4)
        ]
        places = {f"key_{number}": digest(key) for number, key in enumerate(keys)}
        for statement in REJECT:
            deployment.execute(statement, places)
        callers = [deployment.execute(CALLER, [place]) for place in places.values()]
        assert callers == [
            [(access, ["docs:handbook"])]
            for access in ("both", "expired", "ineligible issuer", "revoked")
        ]


def test_shard_index_has_no_pending_entries(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search would read all pending entries."""
    monkeypatch.setattr(search_tokens, "BATCH_ROWS", 20)
    items = [make.knowledge(number, content=f"Text {number}.") for number in range(50)]
    deployment.load([make.organization(), make.source(), *items])
    waiting = deployment.execute(sql("bundle/citus/sort_chunk_index"))
    assert len(waiting) > 2
    assert set(waiting) == {(True, "0")}


def test_distributed_rows_and_counts_are_equal(other: Deployment, deployment: Deployment) -> None:
    for name, stream in STREAMS.items():
        here, there = (target.load(stream()) for target in (other, deployment))
        assert here == there, name
        assert rows(other) == rows(deployment), name
