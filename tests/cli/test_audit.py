"""orgctx audit: every change leaves one record in its own transaction, and none is ever changed."""

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
WHAT = ("--access", "api", "--scope", "context:read", "--expires-in-days", "7")


def records(deployment: Deployment, *options: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = deployment.cli("audit", *options, "--json").json()
    return rows


def decisions(deployment: Deployment) -> list[dict[str, Any]]:
    return [row for row in records(deployment) if row["decidedBy"]]


def test_an_approval(acme: Deployment) -> None:
    acme.cli("sources", "approve", *WHO, "docs:handbook", "x:main")
    acme.cli("sources", "approve", *WHO, "docs:handbook")
    (record,) = decisions(acme)
    assert (record["organizationId"], record["decidedBy"], record["name"]) == (
        f.ACME, f.OWNER, "Owner"
    )  # fmt: skip
    assert record["command"] == "sources approve"
    assert [record[side]["docs:handbook"]["external"] for side in ("before", "after")] == [
        False,
        True,
    ]
    assert set(record["after"]) == {"docs:handbook", "x:main"}


def test_a_suppression(acme: Deployment) -> None:
    for verb in ("suppress", "suppress", "restore"):
        acme.cli("knowledge", verb, *WHO, ITEM)
    assert [(row["command"], row["before"], row["after"]) for row in decisions(acme)] == [
        ("knowledge suppress", {ITEM: {"suppressed": False}}, {ITEM: {"suppressed": True}}),
        ("knowledge restore", {ITEM: {"suppressed": True}}, {ITEM: {"suppressed": False}}),
    ]


def test_the_life_of_a_key(acme: Deployment) -> None:
    key = acme.cli("keys", "issue", *WHO, *WHAT, "--name", "laptop", "--json").json()
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


def test_what_is_refused_leaves_no_record(acme: Deployment) -> None:
    acme.cli("sources", "approve", *WHO, "docs:handbook", "docs:nowhere")
    acme.cli("sources", "approve", "--organization", "acme", "--by", f.MEMBER, "--all")
    assert decisions(acme) == []


def test_by_organization_time_and_number(acme: Deployment) -> None:
    acme.cli("sources", "approve", *WHO, "docs:handbook")
    acme.cli("sources", "withdraw", *WHO, "docs:handbook")
    assert records(acme, "--organization", "acme", "--limit", "1")[0]["command"] == (
        "sources withdraw"
    )
    assert records(acme, "--organization", f.uuid("nobody")) == []
    assert records(acme, "--since", "2999-01-01") == []
    lines = acme.cli("audit", "--organization", "acme", "--json-lines").stdout.splitlines()
    assert [json.loads(line) for line in lines] == records(acme, "--organization", "acme")
    table = acme.cli("audit", "--organization", "acme").stdout
    assert "docs:handbook: external false -> true" in table


@pytest.mark.parametrize(
    "statement", ["UPDATE audit SET command = ''", "DELETE FROM audit", "TRUNCATE audit"]
)
def test_nothing_changes_a_record(acme: Deployment, statement: str) -> None:
    acme.cli("sources", "approve", *WHO, "--all")
    with pytest.raises(psycopg.errors.RaiseException, match="never changed"):
        acme.execute(statement)


def test_the_service_cannot_read_it(acme: Deployment) -> None:
    (row,) = acme.execute("SELECT has_table_privilege('orgctx_reader', 'audit', 'SELECT')")
    assert row == (False,)


def test_a_command_that_only_reads_cannot_write(acme: Deployment) -> None:
    """So a command can change something only as part of a decision."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in acme.environment.items():
            patch.setenv(name, value) if value else patch.delenv(name, raising=False)
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction), admin.reading() as connection:
            connection.execute("DELETE FROM sources")


def test_a_load_and_an_import(acme: Deployment, tmp_path: Path) -> None:
    bundle = tmp_path / "more.jsonl"
    bundle.write_bytes(orjson.dumps(f.knowledge(2)))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "one.md").write_text("# One\n")
    acme.cli("load", bundle, "--dry-run")
    acme.cli("load", bundle)
    acme.cli("load", bundle)
    folder = ("--organization", "acme", "--source", "docs:handbook", "--keep-missing")
    assert acme.cli("import", "markdown", tmp_path / "docs", *folder).exit_code == 0
    loaded, imported = records(acme, "--organization", "acme")
    assert (loaded["command"], loaded["decidedBy"], loaded["before"]) == ("load", None, {})
    assert loaded["after"] == {"files": [str(bundle)], "knowledge": {"created": 1}}
    assert imported["command"] == "import markdown"
    assert imported["after"]["knowledge"] == {"created": 1}
