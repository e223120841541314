"""What an owner sees: explained scopes, pages of the audit and its CSV, documents."""

import csv
from typing import Any
from uuid import UUID

import pytest

from orgctx.decisions import DecisionRejected, audit_log, knowledge, sources
from orgctx.decisions.audit_log import CSV_COLUMNS, record
from orgctx.decisions.scopes import explain, summary
from orgctx.operations.source_kinds import SCOPES
from orgctx.resources.catalog import OPERATIONS
from orgctx.stores.db import Connection, Tenant
from tests.decisions.conftest import Deciding
from tests.support import factories as f
from tests.support.deployment import Deployment

ACME, OTHER = UUID(f.ACME), UUID(f.uuid("other"))


def explained(connection: Connection, *source_ids: str) -> dict[str, dict[str, Any]]:
    rows = explain(Tenant(connection, ACME), source_ids or None)
    assert tuple(row["scope"] for row in rows) == SCOPES
    return {row["scope"]: row for row in rows}


def test_scopes_are_explained_by_what_they_open(
    acme: Deployment, connection: Connection, deciding: Deciding
) -> None:
    acme.load([f.knowledge(1, prefix="assets"), f.knowledge(2, prefix="assets", archived=True)])
    rows = explained(connection)
    # Documents of the handbook, the assets, the profile and the token.
    assert rows["knowledge:read"]["records"] == {"documents": 4, "notes": 1}
    assert [one["id"] for one in rows["knowledge:read"]["sources"]] == [
        "docs:handbook", "notes:team", "assets:main", "profile:main", "token:main",
    ]  # fmt: skip
    assert summary(rows["knowledge:read"]) == "sources: 5, documents: 4, notes: 1"
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
    assert explained(connection)["knowledge:read"]["records"] == {"documents": 3}
    with deciding() as decision:
        sources.approve(decision, ["docs:handbook"])
        sources.include(decision, ["notes:team"])


def test_explained_scopes_are_what_a_key_counts(acme: Deployment, connection: Connection) -> None:
    """The numbers are those that a key with the scope reads in /sources."""
    for scope, row in explained(connection).items():
        key = acme.issue_key("acme", f.OWNER, ["context:read", scope])
        with acme.client(key) as client:
            listed: Any = client.get("/api/v1/sources").json
            if scope == "knowledge:read":
                items: Any = client.get("/api/v1/knowledge").json
                assert items["pagination"]["total"] == sum(row["records"].values())
                continue
        counts = {one["id"]: one.get("count") for one in listed["data"]}
        for source in row["sources"]:
            if source["id"] in counts and counts[source["id"]] is not None:
                assert [*source["records"].values()] == [counts[source["id"]]]


def add(connection: Connection, organization_id: UUID, command: str, **after: Any) -> None:
    record(
        Tenant(connection, organization_id),
        command=command,
        before={},
        after=after,
        authentication="test",
        decided_by=UUID(f.ADMIN),
    )


def test_audit_pages_join_to_the_whole(connection: Connection) -> None:
    for number in range(7):
        add(connection, OTHER, "test page", number=number)
    add(connection, UUID(f.uuid("third")), "test page", number=8)
    seen, before = [], None
    while True:
        part = audit_log.page(Tenant(connection, OTHER), before=before, size=3)
        assert len(part.rows) <= 3
        seen += part.rows
        if part.next_before is None:
            break
        before = part.next_before
        add(connection, OTHER, "test page", number=99)
    assert [row["after"]["number"] for row in seen] == [6, 5, 4, 3, 2, 1, 0]


def test_csv_has_every_record_and_no_formula(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_log, "CSV_SIZE", 2)
    commands = [
        '=HYPERLINK("http://x")',
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\u200f\x85",
        'a "b", c\nd',
    ]
    fourth = UUID(f.uuid("fourth"))
    for command in commands:
        add(connection, fourth, command, name="=1\u202e\x9b")
    lines = [*audit_log.csv_lines(Tenant(connection, fourth))]
    header, *rows = csv.reader("".join(lines).splitlines(keepends=True))
    assert tuple(header) == CSV_COLUMNS
    cells = [dict(zip(header, row, strict=True)) for row in rows]
    guarded = [
        '\'=HYPERLINK("http://x")',
        "'+1",
        "'-1",
        "'@SUM(A1)",
        "'\t'=1",
        "'\r'=1",
        r"\u200f\u0085",
        commands[-1],
    ]
    assert [cell["command"].replace("\r\n", "\n") for cell in cells] == guarded[::-1]
    assert {cell["after"] for cell in cells} == {r'{"name":"=1\u202e\u009b"}'}
    assert not any(audit_log.FORMULA.search(value) for cell in cells for value in cell.values())


def test_search_finds_titles_and_contents_of_all_items(
    acme: Deployment, connection: Connection, deciding: Deciding
) -> None:
    acme.load(
        [
            f.knowledge(11, title="Winter plan"),
            f.knowledge(12, content="A plan for\nWINTER, 100%."),
            f.knowledge(13, content="winter", archived=True),
        ]
    )
    with deciding() as decision:
        knowledge.suppress(decision, [f.knowledge_id(12)])
        sources.approve(decision, ["docs:handbook"], value=False)
    ids = {f.knowledge_id(number) for number in (11, 12, 13)}

    def found(**options: Any) -> set[str]:
        return {row["id"] for row in knowledge.search(Tenant(connection, ACME), **options).rows}

    assert found(q="winter") == ids
    assert found(q="for winter, 100%.") == {f.knowledge_id(12)}
    assert found(q="wi") == ids
    assert found(q="winter", only_suppressed=True) == {f.knowledge_id(12)}
    assert found(q="winter", source_id="notes:team") == set()
    assert knowledge.search(Tenant(connection, OTHER), q="winter").rows == []
    first = knowledge.search(Tenant(connection, ACME), q="winter", size=2)
    last = knowledge.search(Tenant(connection, ACME), q="winter", size=2, page=2)
    assert (first.has_more, last.has_more) == (True, False)
    assert {row["id"] for row in [*first.rows, *last.rows]} == ids
    assert knowledge.state(first.rows[0])
    with deciding() as decision:
        sources.approve(decision, ["docs:handbook"])


def test_document_is_read_in_segments(
    acme: Deployment, connection: Connection, deciding: Deciding
) -> None:
    """Also one that is suppressed and whose source is not approved."""
    content = "\N{SHIP}harbor " * 5_000
    id_ = f.knowledge_id(21)
    acme.load([f.knowledge(21, content=content)])
    with deciding() as decision:
        knowledge.suppress(decision, [id_])
        sources.approve(decision, ["docs:handbook"], value=False)
    text, offset = "", 0
    while item := knowledge.read(Tenant(connection, ACME), id_, offset=offset, limit=10_001):
        text += item["content"]
        offset = item["content_range"]["next_offset"]
        if offset is None:
            break
    assert text == content
    assert (item["is_suppressed"], item["is_approved"], item["is_included"]) == (True, False, True)
    with deciding() as decision:
        decision.expect({id_: item["state"]})
        knowledge.restore(decision, [id_])
    for organization_id, unknown in ((OTHER, id_), (ACME, f.knowledge_id(404))):
        with pytest.raises(DecisionRejected, match="has no knowledge item"):
            knowledge.read(Tenant(connection, organization_id), unknown)
