"""Decisions after a backup are repeated in the restored database, if they restrict."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment

WHO = ("--organization", make.ACME, "--by", make.OWNER)
DOCS, TELEGRAM = make.KIND_SOURCES["docs"], make.KIND_SOURCES["telegram"]
ASSETS = make.KIND_SOURCES["assets"]
ITEM = make.knowledge_id(1)


def decide(deployment: Deployment, *arguments: object) -> None:
    result = deployment.cli(*arguments)
    assert result.exit_code == 0, result.stderr


def lines(deployment: Deployment) -> list[dict[str, Any]]:
    printed = deployment.cli("audit", "--json-lines").stdout
    return [json.loads(line) for line in printed.splitlines()]


def replay(deployment: Deployment, path: Path, *options: str) -> dict[str, str]:
    """Return the result of each decision by its verb and the object's id."""
    rows = deployment.cli("audit", "replay", path, "--json", *options).json()
    return {f"{row['decision']} {row['id']}": row["result"] for row in rows}


def undo(deployment: Deployment) -> None:
    """Make everything readable, as it was at the backup."""
    deployment.execute("UPDATE api_keys SET revoked_at = NULL, revoked_by = NULL")
    deployment.execute("UPDATE sources SET included = true, external = true")
    deployment.execute("DELETE FROM knowledge_suppressions")


def test_replay_repeats_what_a_restored_database_lacks(
    own_acme: Deployment, tmp_path: Path
) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    (listed,) = own_acme.cli("keys", "list", "--organization", make.ACME, "--json").json()
    kept = lines(own_acme)[-1]["sequence"]
    decide(own_acme, "sources", "withdraw", *WHO, DOCS, TELEGRAM)
    decide(own_acme, "sources", "approve", *WHO, TELEGRAM)
    decide(own_acme, "sources", "exclude", *WHO, ASSETS)
    decide(own_acme, "knowledge", "suppress", *WHO, ITEM)
    decide(own_acme, "keys", "revoke", listed["id"], "--by", make.OWNER)
    path = tmp_path / "audit.jsonl"
    path.write_text(own_acme.cli("audit", "--json-lines").stdout)
    undo(own_acme)
    lose_after(own_acme, kept)
    expected = {
        f"withdraw {DOCS}": "applied",
        f"withdraw {TELEGRAM}": "skipped: lifted later",
        f"exclude {ASSETS}": "applied",
        f"suppress {ITEM}": "applied",
        f"revoke {listed['id']}": "applied",
    }
    assert replay(own_acme, path, "--dry-run") == expected
    with own_acme.client(log_level="CRITICAL") as client:
        assert crawl.rest(client, key, f"/api/v1/knowledge/{ITEM}").status_code == 200
        assert replay(own_acme, path) == expected
        assert crawl.rest(client, key, "/api/v1/sources").status_code == 401
        other = own_acme.issue_key(make.ACME, make.OWNER)
        ids = {row["id"] for row in crawl.rest(client, other, "/api/v1/sources").json["data"]}
        assert TELEGRAM in ids
        assert not ids & {DOCS, ASSETS}
    again = replay(own_acme, path)
    assert set(again.values()) == {
        "skipped: already in effect", "skipped: lifted later",
    }  # fmt: skip
    record = lines(own_acme)[-2]
    assert (record["command"], record["decidedBy"]) == ("audit replay", make.OWNER)


def test_replay_of_records_that_the_audit_has_does_nothing(
    own_acme: Deployment, tmp_path: Path
) -> None:
    """Otherwise an old withdrawal would undo a later approval that the file lacks."""
    decide(own_acme, "sources", "withdraw", *WHO, DOCS)
    path = tmp_path / "audit.jsonl"
    path.write_text(own_acme.cli("audit", "--json-lines").stdout)
    decide(own_acme, "sources", "approve", *WHO, DOCS)
    assert replay(own_acme, path) == {}


@pytest.mark.thorough
def test_follow_prints_each_record_once(own_acme: Deployment) -> None:
    last = lines(own_acme)[-1]["sequence"]
    command = ("audit", "--follow", "--json-lines", "--after", last)
    with own_acme.process(*command) as process:
        assert process.stdout
        for verb in ("withdraw", "approve"):
            decide(own_acme, "sources", verb, *WHO, DOCS)
            record = json.loads(process.stdout.readline())
            assert (record["command"], record["organizationId"]) == (f"sources {verb}", make.ACME)
            assert record["sequence"] > last
            last = record["sequence"]
        process.terminate()


def lose_after(deployment: Deployment, sequence: int) -> None:
    """Remove the newer records, as a restore does; the next one gets the sequence of the first."""
    deployment.execute("ALTER TABLE audit DISABLE TRIGGER audit_is_append_only")
    deployment.execute("DELETE FROM audit WHERE sequence > %s", [sequence])
    deployment.execute("ALTER TABLE audit ENABLE TRIGGER audit_is_append_only")
    statement = (
        "SELECT setval(pg_get_serial_sequence('audit', 'sequence'), max(sequence)) FROM audit"
    )
    deployment.execute(statement)


@pytest.mark.thorough
def test_follow_fails_where_a_restored_database_lost_records(own_acme: Deployment) -> None:
    """It would skip the decisions whose sequences it has printed for other ones."""
    decide(own_acme, "sources", "withdraw", *WHO, DOCS)
    last = lines(own_acme)[-1]["sequence"]
    with own_acme.process("audit", "--follow", "--json-lines") as process:
        assert process.stdout
        while json.loads(process.stdout.readline())["sequence"] < last:
            pass
        lose_after(own_acme, last - 1)
        failed = own_acme.cli("audit", "--json-lines", "--after", last)
        assert (failed.exit_code, failed.stdout) == (1, "")
        assert "Pass a lower one" in failed.stderr
        decide(own_acme, "sources", "exclude", *WHO, DOCS)
        assert lines(own_acme)[-1]["sequence"] == last
        _, message = process.communicate(timeout=60)
        assert (process.returncode, "restored" in message) == (1, True)


def test_follow_needs_json_lines(own_acme: Deployment) -> None:
    assert "--json-lines" in own_acme.cli("audit", "--follow").stderr


def test_replay_names_keys_whose_limit_became_narrower(
    own_acme: Deployment, tmp_path: Path
) -> None:
    """A restored key would read more than its owner decided."""
    own_acme.issue_key(make.ACME, make.OWNER)
    (key,) = own_acme.cli("keys", "list", "--organization", make.ACME, "--json").json()
    change = ("keys", "change", key["id"], "--by", make.OWNER)
    path = tmp_path / "audit.jsonl"
    for options, is_named in (
        (("--source", DOCS, "--source", TELEGRAM), True),
        (("--source", DOCS), True),
        (("--source", DOCS, "--source", ASSETS), False),
        (("--all-sources",), False),
    ):
        decide(own_acme, *change, *options)
        # Its sequence is one that this database does not have.
        path.write_text(json.dumps(lines(own_acme)[-1] | {"sequence": 10**6}))
        results = replay(own_acme, path, "--dry-run")
        named = {f"change {key['id']}": "not repeated: run `orgctx keys change` again"}
        assert results == (named if is_named else {})
