"""orgctx audit: every change leaves one record in its own transaction, and no record changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import psycopg
import pytest

from orgctx.cli import admin
from tests.cli.conftest import WHO
from tests.support import factories as f
from tests.support.deployment import Deployment

ITEM = f.knowledge_id()
RIGHTS = ("--access", "api", "--scope", "context:read", "--expires-in-days", "7")


def records(deployment: Deployment, *options: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = deployment.cli("audit", *options, "--json").json()
    return rows


def decisions(deployment: Deployment) -> list[dict[str, Any]]:
    return [row for row in records(deployment) if row["decidedBy"]]


def test_audit_records_an_approval_once(acme: Deployment) -> None:
    acme.cli("sources", "approve", *WHO, "docs:handbook", "x:main")
    acme.cli("sources", "approve", *WHO, "docs:handbook")
    (record,) = decisions(acme)
    author = (record["organizationId"], record["decidedBy"], record["name"])
    assert author == (f.ACME, f.OWNER, "Owner")
    assert record["command"] == "sources approve"
    assert not record["before"]["docs:handbook"]["external"]
    assert record["after"]["docs:handbook"]["external"]
    assert set(record["after"]) == {"docs:handbook", "x:main"}


def test_audit_records_suppression_and_restoration_once(acme: Deployment) -> None:
    for verb in ("suppress", "suppress", "restore"):
        acme.cli("knowledge", verb, *WHO, ITEM)
    assert [(row["command"], row["before"], row["after"]) for row in decisions(acme)] == [
        ("knowledge suppress", {ITEM: {"suppressed": False}}, {ITEM: {"suppressed": True}}),
        ("knowledge restore", {ITEM: {"suppressed": True}}, {ITEM: {"suppressed": False}}),
    ]


def test_audit_records_the_life_of_a_key_without_its_secret(acme: Deployment) -> None:
    key = acme.cli("keys", "issue", *WHO, *RIGHTS, "--name", "laptop", "--json").json()
    acme.cli("keys", "change", key["id"], "--by", "admin", "--access", "both")
    acme.cli("keys", "revoke", key["id"], "--by", f.OWNER)
    acme.cli("keys", "revoke", key["id"], "--by", f.OWNER)
    issued, changed, revoked = decisions(acme)
    assert issued["before"] == {}
    assert issued["after"][key["id"]]["name"] == "laptop"
    assert changed["decidedBy"] == f.ADMIN
    assert changed["before"][key["id"]]["access"] == "api"
    assert changed["after"][key["id"]]["access"] == "both"
    assert (revoked["command"], revoked["after"]) == ("keys revoke", {})
    assert key["key"] not in json.dumps(records(acme))


def test_audit_filters_by_organization_time_and_limit(acme: Deployment) -> None:
    acme.cli("sources", "approve", *WHO, "docs:handbook")
    acme.cli("sources", "withdraw", *WHO, "docs:handbook")
    (newest,) = records(acme, "--organization", "acme", "--limit", "1")
    assert newest["command"] == "sources withdraw"
    assert records(acme, "--organization", f.uuid("nobody")) == []
    assert records(acme, "--since", "2999-01-01") == []
    lines = acme.cli("audit", "--organization", "acme", "--json-lines").stdout.splitlines()
    assert [json.loads(line) for line in lines] == records(acme, "--organization", "acme")
    table = acme.cli("audit", "--organization", "acme").stdout
    assert "docs:handbook: external false -> true" in table


def test_audit_table_rejects_changes_and_hides_from_the_service(acme: Deployment) -> None:
    acme.cli("sources", "approve", *WHO, "--all")
    for statement in ("UPDATE audit SET command = ''", "DELETE FROM audit", "TRUNCATE audit"):
        with pytest.raises(psycopg.errors.RaiseException, match="never changed"):
            acme.execute(statement)
    (row,) = acme.execute("SELECT has_table_privilege('orgctx_reader', 'audit', 'SELECT')")
    assert row == (False,)


def test_reading_command_cannot_write(acme: Deployment) -> None:
    """So a command can change something only as part of a decision."""
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
    assert acme.cli("import", "markdown", tmp_path / "docs", *options).exit_code == 0
    loaded, imported = records(acme, "--organization", "acme")
    assert (loaded["command"], loaded["decidedBy"], loaded["before"]) == ("load", None, {})
    assert loaded["after"] == {"files": [str(bundle)], "knowledge": {"created": 1}}
    assert imported["command"] == "import markdown"
    assert imported["after"]["knowledge"] == {"created": 1}


def test_audit_explains_times(acme: Deployment) -> None:
    result = acme.cli("audit", "--organization", "acme", "--since", "yesterday")
    assert result.exit_code == 2
    assert "'yesterday' is not a time in UTC such as 2026-01-31 or" in result.stderr
