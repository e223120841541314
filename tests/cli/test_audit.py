"""orgctx audit: every change leaves one record in its own transaction, and no record changes."""

import json
from pathlib import Path
from typing import Any

import orjson
import psycopg
import pytest

from orgctx.cli import admin
from tests.support import factories as f
from tests.support.deployment import Deployment

ITEM = f.knowledge_id()
RIGHTS = ("--access", "api", "--scope", "context:read", "--expires-in-days", "7")


def records(deployment: Deployment, *options: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = deployment.cli("audit", *options, "--json").json()
    return rows


def decisions(deployment: Deployment) -> list[dict[str, Any]]:
    return [row for row in records(deployment) if row["decidedBy"]]


def test_audit_filters_by_organization_time_and_limit(acme: Deployment) -> None:
    acme.cli("sources", "approve", *f.WHO, "docs:handbook")
    acme.cli("sources", "withdraw", *f.WHO, "docs:handbook")
    (newest,) = records(acme, "--organization", "acme", "--limit", "1")
    assert newest["command"] == "sources withdraw"
    assert records(acme, "--organization", f.uuid("nobody")) == []
    assert records(acme, "--since", "2999-01-01") == []
    error = acme.cli("audit", "--since", "yesterday").failed(2)
    assert "'yesterday' is not a time in UTC such as 2026-01-31 or" in error
    lines = acme.cli("audit", "--organization", "acme", "--json-lines").stdout.splitlines()
    assert [json.loads(line) for line in lines] == records(acme, "--organization", "acme")
    table = acme.cli("audit", "--organization", "acme").stdout
    assert "Owner  approved Acme docs" in table
    assert "Owner  withdrew Acme docs" in table


KEY = "SELECT access, scopes, source_ids FROM api_keys"
SOURCES = "SELECT id, external, included FROM sources ORDER BY id"
# A decision, and the query of what it changes.
UNDONE = [
    ("sources approve docs:handbook x:main", SOURCES),
    ("sources withdraw docs:handbook", SOURCES),
    ("sources exclude docs:handbook", SOURCES),
    (f"knowledge suppress {ITEM}", "SELECT knowledge_id FROM knowledge_suppressions"),
    ("keys change laptop --source docs:handbook --scope context:read --access mcp", KEY),
]


def test_undo_restores_what_a_decision_changed(acme: Deployment) -> None:
    acme.cli("keys", "issue", *f.WHO, *RIGHTS, "--name", "laptop")
    acme.approve("acme", f.OWNER, "docs:handbook", "notes:team")
    for command, query in UNDONE:
        before = acme.execute(query)
        assert acme.cli(*command.split(), *f.WHO).exit_code == 0, command
        after, sequence = acme.execute(query), records(acme)[-1]["sequence"]
        assert after != before
        acme.cli("audit", "undo", sequence, *f.WHO).done()
        assert acme.execute(query) == before
        record = records(acme)[-1]
        assert (record["command"], record["after"].pop("undoes")) == ("audit undo", sequence)
        # The undo is undone as any decision; then nothing is as either decision left it.
        undo = ("audit", "undo", record["sequence"], *f.WHO)
        acme.cli(*undo).done()
        assert acme.execute(query) == after
        assert "Nothing was changed" in acme.cli(*undo).failed()
        assert acme.execute(query) == after


def test_undo_approves_no_source_that_was_deleted_since(acme: Deployment) -> None:
    acme.approve("acme", f.OWNER, "docs:handbook")
    acme.cli("sources", "withdraw", *f.WHO, "docs:handbook")
    sequence = records(acme)[-1]["sequence"]
    acme.cli("sources", "delete", *f.WHO, "docs:handbook", "--yes")
    assert "with `sources delete`" in acme.cli("audit", "undo", sequence, *f.WHO).failed()


def test_undo_rejects_what_cannot_be_undone(acme: Deployment) -> None:
    for command in (
        ("keys", "issue", *RIGHTS, "--name", "laptop"),
        ("keys", "rotate", "laptop"),
        ("keys", "revoke", "laptop"),
        ("members", "add", "Grace", "--role", "member"),
    ):
        acme.cli(*command, *f.WHO).done()
        last = records(acme)[-1]
        assert "cannot be undone" in acme.cli("audit", "undo", last["sequence"], *f.WHO).failed()
    missing = acme.cli("audit", "undo", last["sequence"] + 1, *f.WHO)
    assert "has no record" in missing.stderr
    other = acme.cli("audit", "undo", 1, "--organization", "other", "--by", f.uuid("stranger"))
    assert "has no record" in other.stderr


def test_audit_table_rejects_changes_and_hides_from_the_service(acme: Deployment) -> None:
    acme.cli("sources", "approve", *f.WHO, "--all")
    for statement in ("UPDATE audit SET command = ''", "DELETE FROM audit", "TRUNCATE audit"):
        with pytest.raises(psycopg.errors.RaiseException, match="never changed"):
            acme.execute(statement)
    (row,) = acme.execute("SELECT has_table_privilege('orgctx_reader', 'audit', 'SELECT')")
    assert row == (False,)


def test_reading_command_cannot_write(acme: Deployment) -> None:
    """A command can change something only as part of a decision."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in acme.environment.items():
            patch.setenv(name, value) if value else patch.delenv(name, raising=False)
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction), admin.reading() as connection:
            connection.execute("DELETE FROM sources")


def test_audit_records_loads_and_imports_that_change_something(
    acme: Deployment, tmp_path: Path
) -> None:
    bundle = tmp_path / "more.jsonl"
    bundle.write_bytes(orjson.dumps(f.knowledge(2)))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "one.md").write_text("# One\n")
    acme.cli("load", bundle, "--dry-run")
    acme.cli("load", bundle)
    acme.cli("load", bundle)
    options = ("--organization", "acme", "--source", "docs:handbook", "--keep-missing")
    acme.cli("import", "markdown", tmp_path / "docs", *options).done()
    loaded, imported = records(acme, "--organization", "acme")
    assert (loaded["command"], loaded["decidedBy"], loaded["before"]) == ("load", None, {})
    assert loaded["after"] == {"files": [str(bundle)], "knowledge": {"created": 1}}
    assert imported["command"] == "import markdown"
    assert imported["after"]["knowledge"] == {"created": 1}
