"""What an owner sees of scopes: what they open, and how much."""

from typing import Any
from uuid import UUID

from orgctx.decisions import sources
from orgctx.decisions.scopes import explain, summary
from orgctx.operations.source_kinds import SCOPES
from orgctx.resources.catalog import OPERATIONS
from orgctx.stores.db import Connection, Tenant
from tests.decisions.conftest import Deciding
from tests.support import factories as f
from tests.support.deployment import Deployment

ACME, OTHER = UUID(f.ACME), UUID(f.uuid("other"))


def explained(connection: Connection, *source_ids: str) -> dict[str, dict[str, Any]]:
    rows = explain(sources.stored(Tenant(connection, ACME)), source_ids or None)
    assert tuple(row["scope"] for row in rows) == SCOPES
    return {row["scope"]: row for row in rows}


def test_scopes_are_explained_by_what_they_open(
    acme: Deployment, connection: Connection, deciding: Deciding
) -> None:
    acme.load([f.knowledge(1, prefix="assets"), f.knowledge(2, prefix="assets", archived=True)])
    rows = explained(connection)
    assert rows["knowledge:read"]["records"] == {"documents": 1, "notes": 1}
    assert [one["id"] for one in rows["knowledge:read"]["sources"]] == [
        "docs:handbook", "notes:team", "assets:main", "profile:main", "token:main",
    ]  # fmt: skip
    assert summary(rows["knowledge:read"]) == "sources: 5, documents: 1, notes: 1"
    assert summary(rows["context:read"]) == "sources: 1"
    assert "messages" in rows["telegram:read"]["records"]
    assert {name for row in rows.values() for name in row["operations"]} == {
        operation.name for operation in OPERATIONS
    }
    limited = explained(connection, "docs:handbook")
    assert [one["id"] for one in limited["knowledge:read"]["sources"]] == ["docs:handbook"]
    assert limited["x:read"]["sources"] == []
    with deciding() as decision:
        sources.approve(decision, ["docs:handbook"], value=False)
        sources.include(decision, ["notes:team"], value=False)
    assert explained(connection)["knowledge:read"]["records"] == {}
    with deciding() as decision:
        sources.approve(decision, ["docs:handbook"])
        sources.include(decision, ["notes:team"])


def test_explained_scopes_are_what_a_key_counts(acme: Deployment, connection: Connection) -> None:
    """The numbers are those that a key with the scope reads in /sources."""
    for scope, row in explained(connection).items():
        key = acme.issue_key("acme", f.OWNER, ["context:read", scope])
        with acme.client(key) as client:
            listed: Any = client.get("/api/v1/sources").json
        counts = {one["id"]: one.get("count") for one in listed["data"]}
        for source in row["sources"]:
            if source["records"]:
                assert [*source["records"].values()] == [counts[source["id"]]]
