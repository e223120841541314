"""orgctx members, and who may decide with --by."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.architecture.test_commands import LEAVES
from tests.support import factories as f
from tests.support.deployment import Deployment

TWIN = f.uuid("twin of the owner")
TABLES = ("organizations", "sources", "api_keys", "knowledge_suppressions", "audit")
# A value for each parameter that a deciding command may have.
VALUES = {
    "organization": ("--organization", "acme"),
    "access": ("--access", "api"),
    "scopes": ("--scope", "x:read"),
    "days": ("--expires-in-days", "7"),
    "yes": ("--yes",),
    "source_ids": ("docs:handbook",),
    "ids": (f.knowledge_id(),),
    "persons": ("telegram:user1",),
}


def deciding_commands(key_id: str) -> Iterator[tuple[str, ...]]:
    """Every command that has --by, with arguments but without --by."""
    values = VALUES | {"key_id": (key_id,)}
    for name, command in LEAVES.items():
        names = [str(parameter.name) for parameter in command.params]
        if "by" in names:
            words = (values[each] for each in names if each in values)
            yield (*name.split(), *(word for group in words for word in group))


def stored_rows(deployment: Deployment) -> list[object]:
    rows = (deployment.execute(f"SELECT to_jsonb(t) FROM {table} AS t") for table in TABLES)
    return [*rows]


def test_members_list_counts_active_keys(acme: Deployment) -> None:
    acme.issue_key("acme", f.OWNER)
    rows = acme.cli("members", "list", "--organization", "acme", "--json").json()
    assert rows == [
        {"id": f.OWNER, "displayName": "Owner", "role": "owner", "activeKeyCount": 1},
        {"id": f.ADMIN, "displayName": "Admin", "role": "admin", "activeKeyCount": 0},
        {"id": f.MEMBER, "displayName": "Member", "role": "member", "activeKeyCount": 0},
    ]
    assert "Owner" in acme.cli("members", "list", "--organization", "acme").stdout


@pytest.mark.parametrize("by", ["Owner", "oWNER", f.OWNER, f.OWNER.upper()])
def test_by_accepts_an_id_or_a_name(acme: Deployment, by: str) -> None:
    result = acme.cli("sources", "approve", "--organization", "acme", "--by", by, "docs:handbook")
    assert result.exit_code == 0
    assert acme.execute("SELECT decided_by::text FROM sources WHERE external") == [(f.OWNER,)]


def test_by_rejects_an_ambiguous_name_and_lists_ids(acme: Deployment) -> None:
    acme.load([f.member(TWIN, "admin", displayName="owner")])
    result = acme.cli("sources", "approve", "--organization", "acme", "--by", "Owner", "--all")
    assert result.exit_code == 1
    assert f.OWNER in result.stderr
    assert TWIN in result.stderr


@pytest.mark.parametrize(
    "by", [f.MEMBER, f.uuid("stranger"), f.uuid("nobody"), "Member", "Owne", "", "%"]
)
def test_by_rejects_everyone_but_owners_and_admins(acme: Deployment, by: str) -> None:
    """Holds for every command that has --by; nothing is changed or recorded."""
    key = acme.cli(
        *("keys", "issue", "--organization", "acme", "--by", f.OWNER, "--access", "mcp"),
        *("--scope", "context:read", "--expires-in-days", "7", "--json"),
    ).json()
    before = stored_rows(acme)
    commands = [*deciding_commands(key["id"])]
    assert len(commands) >= 11
    for command in commands:
        result = acme.cli(*command, "--by", by)
        assert result.exit_code == 1, command
        assert result.stderr.startswith(f"Error: {by!r} is not an owner or admin of organization")
        assert result.stderr.count("\n") == 1
    assert stored_rows(acme) == before
