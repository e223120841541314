"""orgctx audit replay fails closed on files that are cut, repeated, in another order or forged."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from orgctx.stores.db import sql
from tests.cli.test_replay import DOCS, ITEM, WHO, decide, replay
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment

OTHER = make.uuid("another organization")
COMMON = {
    "at": "2026-11-01T00:00:00Z", "sequence": 100, "decidedBy": make.OWNER, "command": "x",
    "organizationId": make.ACME,
}  # fmt: skip
WITHDRAWN = {"before": {DOCS: {"external": True}}, "after": {DOCS: {"external": False}}}
APPROVED = {"before": {DOCS: {"external": False}}, "after": {DOCS: {"external": True}}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


def write(path: Path, *records: dict[str, Any]) -> None:
    path.write_text("".join(f"{json.dumps(COMMON | record)}\n" for record in records))


def later(record: dict[str, Any], minute: int) -> dict[str, Any]:
    """Return a record that was made `minute` minutes later."""
    return record | {"at": f"2026-11-01T00:{minute:02}:00Z", "sequence": 100 + minute}


def key_row(deployment: Deployment) -> dict[str, Any]:
    (row,) = deployment.cli("keys", "list", "--organization", make.ACME, "--json").json()
    return dict(row)


def values(**changed: Any) -> dict[str, Any]:
    """Return what the audit stores of a key."""
    key = {
        "hint": "octx_aaaa", "name": None, "access": "both", "scopes": ["context:read"],
        "expires_at": "2027-01-01T00:00:00Z",
    }  # fmt: skip
    return key | changed


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([later(APPROVED, 1), later(WITHDRAWN, 2), later(APPROVED, 1)], id="repeated"),
        pytest.param([later(WITHDRAWN, 2), later(APPROVED, 1)], id="reordered"),
        pytest.param([later(WITHDRAWN, 2), later(APPROVED, 3) | {"sequence": 7}], id="restored"),
    ],
)
def test_replay_withdraws_unless_a_later_record_approves(
    own_acme: Deployment, path: Path, records: Sequence[dict[str, Any]]
) -> None:
    write(path, *records)
    assert replay(own_acme, path) == {f"withdraw {DOCS}": "applied"}


NO_RECORDS: tuple[dict[str, Any], ...] = (
    {"at": "yesterday"},
    {"at": 5},
    {"at": "2026-11-01T00:00:00"},
    {"sequence": "1"},
    {"before": [], "after": {}},
    {"before": None, "after": None},
    {"command": 5},
    {"before": {}, "after": {"a\0b": {"suppressed": True}}},
)
LINES = [json.dumps(COMMON | WITHDRAWN | broken).encode() for broken in NO_RECORDS]


@pytest.mark.parametrize("line", [*LINES, b'{"at": "2026-11-0', b"\xff\xfe\n", b"[" * 5000])
def test_replay_names_the_line_that_is_not_a_record(
    own_acme: Deployment, path: Path, line: bytes
) -> None:
    write(path, WITHDRAWN)
    path.write_bytes(path.read_bytes() + line)
    rejected = own_acme.cli("audit", "replay", path)
    assert (rejected.exit_code, "Line 2 is not a record" in rejected.stderr) == (1, True)
    assert "Remove the line if it is incomplete" in rejected.stderr
    assert own_acme.execute("SELECT external FROM sources WHERE id = %s", [DOCS]) == [(True,)]


def test_replay_rejects_unknown_organizations(own_acme: Deployment, path: Path) -> None:
    write(path, WITHDRAWN, WITHDRAWN | {"organizationId": OTHER})
    refused = own_acme.cli("audit", "replay", path)
    assert refused.exit_code == 1
    assert OTHER in refused.stderr
    assert own_acme.execute("SELECT external FROM sources WHERE id = %s", [DOCS]) == [(True,)]
    assert replay(own_acme, path, "--skip-unknown") == {f"withdraw {DOCS}": "applied"}


def test_replay_never_grants(own_acme: Deployment, path: Path) -> None:
    decide(own_acme, "sources", "withdraw", *WHO, DOCS)
    decide(own_acme, "knowledge", "suppress", *WHO, ITEM)
    write(
        path,
        APPROVED,
        {"before": {ITEM: {"suppressed": True}}, "after": {ITEM: {"suppressed": False}}},
        {"before": {}, "after": {make.uuid("key"): {"hint": "octx_aaaa"}}},
        {"before": {}, "after": {DOCS: {"included": True, "external": True}}},
        {"before": {"unknown": {"external": True}}, "after": {"unknown": {"external": False}}},
        {"before": {"x" * 5000: {"external": True}}, "after": {"x" * 5000: {"external": False}}},
        {"before": {"no uuid": values()}, "after": {}},
    )
    decisions = ("withdraw unknown", f"withdraw {'x' * 5000}", "revoke no uuid")
    assert replay(own_acme, path) == dict.fromkeys(decisions, "skipped: does not exist here")
    assert own_acme.execute("SELECT external FROM sources WHERE id = %s", [DOCS]) == [(False,)]
    assert own_acme.execute("SELECT count(*) FROM knowledge_suppressions") == [(1,)]


def test_replay_suppresses_an_item_that_is_loaded_later(own_acme: Deployment, path: Path) -> None:
    item = make.knowledge_id(99)
    write(path, {"decidedBy": None, "before": {}, "after": {item: {"suppressed": True}}})
    assert replay(own_acme, path) == {f"suppress {item}": "applied"}
    own_acme.load([make.knowledge(99)])
    key = own_acme.issue_key(make.ACME, make.OWNER)
    with own_acme.client(log_level="CRITICAL") as client:
        assert crawl.rest(client, key, f"/api/v1/knowledge/{item}").status_code == 404


def test_replay_ends_keys_that_were_rotated(own_acme: Deployment, path: Path) -> None:
    """Not those of another organization."""
    own_acme.load([make.organization(OTHER), make.member(organization_id=OTHER)])
    own_acme.issue_key(make.ACME, make.OWNER)
    row = key_row(own_acme)
    write(path, {"organizationId": OTHER, "before": {row["id"]: values()}, "after": {}})
    assert replay(own_acme, path) == {f"revoke {row['id']}": "skipped: does not exist here"}
    assert key_row(own_acme)["state"] == "active"
    ends_at = datetime.now(UTC) + timedelta(hours=1)
    ended = values(name="laptop (rotated)", expires_at=ends_at.isoformat())
    write(path, {"before": {row["id"]: values()}, "after": {row["id"]: ended}})
    assert replay(own_acme, path) == {f"end {row['id']}": "applied"}
    new = key_row(own_acme)
    assert abs(datetime.fromisoformat(new["expiresAt"]) - ends_at) < timedelta(minutes=5)
    assert new["name"] == "laptop (rotated)"
    assert replay(own_acme, path) == {f"end {row['id']}": "skipped: already in effect"}


def test_replay_says_which_decisions_it_does_not_repeat(own_acme: Deployment, path: Path) -> None:
    key_id = make.uuid("key")
    more = values(scopes=["context:read", "people:read"])
    write(
        path,
        {"before": {key_id: more}, "after": {key_id: values()}, "command": "keys change"},
        {"before": {DOCS: {"records": {}}}, "after": {}, "command": "sources delete"},
        {"before": {make.ADMIN: {"role": "admin"}}, "after": {make.ADMIN: {"role": "removed"}},
         "command": "members remove"},
        {"before": {make.MEMBER: {"role": "member"}}, "after": {make.MEMBER: {"role": "admin"}}},
    )  # fmt: skip
    assert replay(own_acme, path) == {
        f"change {key_id}": "not repeated: run `orgctx keys change` again",
        f"delete {DOCS}": "not repeated: run `orgctx sources delete` again",
        f"role {make.ADMIN}": "not repeated: run `orgctx members remove` again",
    }


@pytest.mark.thorough
def test_replay_holds_the_lock_of_the_audit_only_at_its_end(
    own_acme: Deployment, path: Path
) -> None:
    """A load holds its organization and then waits for the audit: the other order is a deadlock."""
    write(path, WITHDRAWN, {"before": {}, "after": {ITEM: {"suppressed": True}}})
    with psycopg.connect(own_acme.admin_url) as load:
        load.execute(sql("stores/lock_organization"), {"organization_id": make.ACME})
        with own_acme.process("audit", "replay", path) as process:
            while not own_acme.waiting():
                assert process.poll() is None
            lock = "SELECT pg_try_advisory_xact_lock(hashtext('orgctx audit'))"
            assert load.execute(lock).fetchone() == (True,)
            load.commit()
            assert process.wait() == 0
    assert own_acme.execute("SELECT external FROM sources WHERE id = %s", [DOCS]) == [(False,)]


def test_replay_repeats_a_decision_of_the_same_moment(own_acme: Deployment, path: Path) -> None:
    """Sequences tell records apart that have the same time and command."""
    decide(own_acme, "sources", "exclude", *WHO, DOCS)
    kept = json.loads(own_acme.cli("audit", "--json-lines").stdout.splitlines()[-1])
    write(path, kept, kept | {"sequence": kept["sequence"] + 1} | WITHDRAWN)
    assert replay(own_acme, path) == {f"withdraw {DOCS}": "applied"}
