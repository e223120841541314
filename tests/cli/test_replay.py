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


@pytest.fixture
def restored(own_acme: Deployment) -> Deployment:
    return own_acme


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
    restored: Deployment, tmp_path: Path
) -> None:
    key = restored.issue_key(make.ACME, make.OWNER)
    (listed,) = restored.cli("keys", "list", "--organization", make.ACME, "--json").json()
    kept = restored.execute("SELECT max(sequence) FROM audit")[0][0]
    decide(restored, "sources", "withdraw", *WHO, DOCS, TELEGRAM)
    decide(restored, "sources", "approve", *WHO, TELEGRAM)
    decide(restored, "sources", "exclude", *WHO, ASSETS)
    decide(restored, "knowledge", "suppress", *WHO, ITEM)
    decide(restored, "keys", "revoke", listed["id"], "--by", make.OWNER)
    path = tmp_path / "audit.jsonl"
    path.write_text(restored.cli("audit", "--json-lines").stdout)
    undo(restored)
    restored.execute("ALTER TABLE audit DISABLE TRIGGER audit_is_append_only")
    restored.execute("DELETE FROM audit WHERE sequence > %s", [kept])
    restored.execute("ALTER TABLE audit ENABLE TRIGGER audit_is_append_only")
    expected = {
        f"withdraw {DOCS}": "applied",
        f"withdraw {TELEGRAM}": "skipped: lifted later",
        f"exclude {ASSETS}": "applied",
        f"suppress {ITEM}": "applied",
        f"revoke {listed['id']}": "applied",
    }
    assert replay(restored, path, "--dry-run") == expected
    with restored.client(log_level="CRITICAL") as client:
        assert crawl.rest(client, key, f"/api/v1/knowledge/{ITEM}").status_code == 200
        assert replay(restored, path) == expected
        assert crawl.rest(client, key, "/api/v1/sources").status_code == 401
        other = restored.issue_key(make.ACME, make.OWNER)
        ids = {row["id"] for row in crawl.rest(client, other, "/api/v1/sources").json["data"]}
        assert TELEGRAM in ids
        assert not ids & {DOCS, ASSETS}
    again = replay(restored, path)
    assert set(again.values()) == {
        "skipped: already in effect", "skipped: lifted later",
    }  # fmt: skip
    record = lines(restored)[-2]
    assert (record["command"], record["decidedBy"]) == ("audit replay", make.OWNER)


def test_replay_of_records_that_the_audit_has_does_nothing(
    restored: Deployment, tmp_path: Path
) -> None:
    """Otherwise an old withdrawal would undo a later approval that the file lacks."""
    decide(restored, "sources", "withdraw", *WHO, DOCS)
    path = tmp_path / "audit.jsonl"
    path.write_text(restored.cli("audit", "--json-lines").stdout)
    decide(restored, "sources", "approve", *WHO, DOCS)
    assert replay(restored, path) == {}


def test_replay_rejects_unknown_organizations_and_lines(
    restored: Deployment, tmp_path: Path
) -> None:
    path = tmp_path / "audit.jsonl"
    other = make.uuid("another organization")
    withdrawn = {
        "at": "2026-11-01T00:00:00Z", "decidedBy": make.OWNER, "command": "sources withdraw",
        "before": {DOCS: {"external": True}}, "after": {DOCS: {"external": False}},
    }  # fmt: skip
    known = json.dumps(withdrawn | {"organizationId": make.ACME})
    path.write_text(f"{known}\n{json.dumps(withdrawn | {'organizationId': other})}\n")
    refused = restored.cli("audit", "replay", path)
    assert refused.exit_code == 1
    assert str(other) in refused.stderr
    assert restored.execute("SELECT external FROM sources WHERE id = %s", [DOCS]) == [(True,)]
    assert replay(restored, path, "--skip-unknown") == {f"withdraw {DOCS}": "applied"}
    path.write_text(f"{known}\nnonsense\n")
    refused = restored.cli("audit", "replay", path)
    assert (refused.exit_code, "Line 2 is no record" in refused.stderr) == (1, True)


def test_replay_never_grants(restored: Deployment, tmp_path: Path) -> None:
    decide(restored, "sources", "withdraw", *WHO, DOCS)
    decide(restored, "knowledge", "suppress", *WHO, ITEM)
    common = {
        "at": "2026-11-01T00:00:00Z", "decidedBy": make.OWNER, "command": "x",
        "organizationId": make.ACME,
    }  # fmt: skip
    changes: list[dict[str, Any]] = [
        {"before": {DOCS: {"external": False}}, "after": {DOCS: {"external": True}}},
        {"before": {ITEM: {"suppressed": True}}, "after": {ITEM: {"suppressed": False}}},
        {"before": {}, "after": {make.uuid("key"): {"hint": "octx_aaaa"}}},
        {"before": {}, "after": {DOCS: {"included": True, "external": True}}},
        {"before": {"unknown": {"external": True}}, "after": {"unknown": {"external": False}}},
    ]
    path = tmp_path / "audit.jsonl"
    path.write_text("\n".join(json.dumps(common | change, default=str) for change in changes))
    assert replay(restored, path) == {"withdraw unknown": "skipped: does not exist here"}
    assert restored.execute("SELECT external FROM sources WHERE id = %s", [DOCS]) == [(False,)]
    assert restored.execute("SELECT count(*) FROM knowledge_suppressions") == [(1,)]


def test_suppression_of_an_item_that_is_loaded_later_is_repeated(
    restored: Deployment, tmp_path: Path
) -> None:
    item = make.knowledge_id(99)
    change = {
        "at": "2026-11-01T00:00:00Z", "decidedBy": None, "command": "import markdown",
        "organizationId": make.ACME, "before": {}, "after": {item: {"suppressed": True}},
    }  # fmt: skip
    path = tmp_path / "audit.jsonl"
    path.write_text(json.dumps(change))
    assert replay(restored, path) == {f"suppress {item}": "applied"}
    restored.load([make.knowledge(99)])
    key = restored.issue_key(make.ACME, make.OWNER)
    with restored.app(log_level="CRITICAL") as app:
        response = crawl.rest(app.test_client(), key, f"/api/v1/knowledge/{item}")
    assert response.status_code == 404


def test_follow_prints_each_record_once(restored: Deployment) -> None:
    last = lines(restored)[-1]["sequence"]
    command = ("audit", "--follow", "--json-lines", "--after", last)
    with restored.process(*command) as process:
        assert process.stdout
        for verb in ("withdraw", "approve"):
            decide(restored, "sources", verb, *WHO, DOCS)
            record = json.loads(process.stdout.readline())
            assert (record["command"], record["organizationId"]) == (f"sources {verb}", make.ACME)
            assert record["sequence"] > last
            last = record["sequence"]
        process.terminate()


def lose_newest(deployment: Deployment) -> None:
    """Remove the newest record, as a restore does; the next one gets its sequence."""
    deployment.execute("ALTER TABLE audit DISABLE TRIGGER audit_is_append_only")
    deployment.execute("DELETE FROM audit WHERE sequence = (SELECT max(sequence) FROM audit)")
    deployment.execute("ALTER TABLE audit ENABLE TRIGGER audit_is_append_only")
    statement = (
        "SELECT setval(pg_get_serial_sequence('audit', 'sequence'), max(sequence)) FROM audit"
    )
    deployment.execute(statement)


def test_follow_fails_where_a_restored_database_lost_records(restored: Deployment) -> None:
    """It would skip the decisions whose sequences it has printed for other ones."""
    decide(restored, "sources", "withdraw", *WHO, DOCS)
    last = lines(restored)[-1]["sequence"]
    with restored.process("audit", "--follow", "--json-lines") as process:
        assert process.stdout
        while json.loads(process.stdout.readline())["sequence"] < last:
            pass
        lose_newest(restored)
        failed = restored.cli("audit", "--json-lines", "--after", last)
        assert (failed.exit_code, failed.stdout) == (1, "")
        assert "Pass a lower one" in failed.stderr
        decide(restored, "sources", "exclude", *WHO, DOCS)
        assert lines(restored)[-1]["sequence"] == last
        _, message = process.communicate(timeout=60)
        assert (process.returncode, "restored" in message) == (1, True)


def test_follow_needs_json_lines(restored: Deployment) -> None:
    assert "--json-lines" in restored.cli("audit", "--follow").stderr


def test_replay_names_keys_whose_limit_became_narrower(
    restored: Deployment, tmp_path: Path
) -> None:
    """A restored key would read more than its owner decided."""
    restored.issue_key(make.ACME, make.OWNER)
    (key,) = restored.cli("keys", "list", "--organization", make.ACME, "--json").json()
    change = ("keys", "change", key["id"], "--by", make.OWNER)
    path = tmp_path / "audit.jsonl"
    for options, is_named in (
        (("--source", DOCS, "--source", TELEGRAM), True),
        (("--source", DOCS), True),
        (("--source", DOCS, "--source", ASSETS), False),
        (("--all-sources",), False),
    ):
        decide(restored, *change, *options)
        # Its sequence is one that this database does not have.
        path.write_text(json.dumps(lines(restored)[-1] | {"sequence": 10**6}))
        results = replay(restored, path, "--dry-run")
        named = {f"change {key['id']}": "not repeated: run `orgctx keys change` again"}
        assert results == (named if is_named else {})
