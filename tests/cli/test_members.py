"""orgctx members, and who may decide with --by."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import click
import pytest

from orgctx.bundle.loader import load_records
from tests.architecture.test_commands import LEAVES
from tests.support import crawl
from tests.support import factories as f
from tests.support.deployment import Deployment, Result
from tests.support.thorough import sampled
from tests.support.waiting import until

TWIN = f.uuid("twin of the owner")
# A value for each parameter that a deciding command needs.
VALUES = {
    "state": "held",
    "organization": "acme",
    "access": "api",
    "scopes": "x:read",
    "days": "7",
    "source_ids": "docs:handbook",
    "ids": f.knowledge_id(),
    "persons": "telegram:user1",
    "member_name": "New",
    "role": "member",
    "email": "new@acme.example",
    "sequence": "1",
}


def deciding_commands(key_id: str) -> Iterator[tuple[str, ...]]:
    """Every command that has --by, with arguments but without --by."""
    values = VALUES | {"key": key_id}
    for name, command in LEAVES.items():
        parameters = {str(parameter.name): parameter for parameter in command.params}
        if "by" in parameters:
            words = ["--yes"] if "yes" in parameters else []
            for each in filter(values.__contains__, parameters):
                is_option = isinstance(parameters[each], click.Option)
                words += [parameters[each].opts[0]] if is_option else []
                words.append(values[each])
            yield (*name.split(), *words)


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
    approve = ("sources", "approve", "--organization", "acme", "docs:handbook")
    acme.cli(*approve, "--by", by).done()
    assert acme.execute("SELECT decided_by::text FROM sources WHERE external") == [(f.OWNER,)]


def test_by_rejects_an_ambiguous_name_and_lists_ids(acme: Deployment) -> None:
    acme.load([f.member(TWIN, "admin", displayName="owner")])
    approve = ("sources", "approve", "--organization", "acme", "--all")
    error = acme.cli(*approve, "--by", "Owner").failed()
    assert f.OWNER in error
    assert TWIN in error


@pytest.mark.parametrize(
    "by",
    sampled(
        [f.MEMBER, f.uuid("stranger"), f.uuid("nobody"), "Member", "Owne", "", "%"],
        (f.MEMBER, f.uuid("stranger"), "Member").__contains__,
    ),
)
def test_by_rejects_everyone_but_owners_and_admins(acme: Deployment, by: str) -> None:
    """[5.4] Holds for every command that has --by; nothing is changed or recorded."""
    key = acme.cli(
        *("keys", "issue", *f.WHO, "--access", "mcp"),
        *("--scope", "context:read", "--expires-in-days", "7", "--json"),
    ).json()
    before = acme.decided()
    commands = [*deciding_commands(key["id"])]
    assert len(commands) >= 11
    for command in commands:
        error = acme.cli(*command, "--by", by).failed()
        assert error.startswith(f"Error: {by!r} is not an owner or admin of organization")
        assert error.count("\n") == 1
    assert acme.decided() == before


def add(deployment: Deployment, name: str, role: str, by: str = f.OWNER) -> str:
    """Return the error message, or an empty text."""
    where = ("--organization", "acme", "--by", by)
    result = deployment.cli("members", "add", name, "--role", role, *where)
    assert (result.exit_code == 0) == (not result.stderr)
    return result.stderr


def test_added_member_may_do_what_the_role_allows(acme: Deployment) -> None:
    assert add(acme, "Grace", "admin") == ""
    assert add(acme, "Lin", "member", by="Grace") == ""
    assert "Only an owner may add an owner." in add(acme, "Eve", "owner", by="Grace")
    approve = ("sources", "approve", "--organization", "acme", "docs:handbook", "--by")
    acme.cli(*approve, "Lin").failed()
    acme.cli(*approve, "Grace").done()
    (record,) = acme.cli("audit", "--organization", "acme", "--json", "--limit", "3").json()[:1]
    assert record["command"] == "members add"
    assert [*record["after"].values()] == [{"display_name": "Grace", "role": "admin"}]


def test_taken_names_are_not_added(acme: Deployment) -> None:
    assert "is a member already: Member, member" in add(acme, "mEMBER", "owner")
    # A removed member's name is free.
    acme.load([f.member(f.MEMBER, "removed")])
    assert add(acme, "Member", "member") == ""


def test_name_that_looks_like_another_is_rejected(acme: Deployment) -> None:
    for name in (" Lin", "Lin ", "  ", f.OWNER, f.OWNER.upper(), "octx_Ab1c", "a\u202eb"):
        for command in (
            ("keys", "issue", *f.WHO, f"--name={name}"),
            ("members", "add", *f.WHO, "--role", "member", name),
            ("organizations", "create", "new", "--owner", "Ada", f"--name={name}"),
        ):
            error = acme.cli(*command).failed(2)
            assert "printable characters" in error
    assert acme.execute("SELECT FROM api_keys") == []


def change(deployment: Deployment, who: str, role: str, by: str = "Owner") -> str:
    """Change a role, or remove. Returns the error message, or an empty text."""
    words = ("remove", who) if role == "removed" else ("role", who, "--role", role)
    result = deployment.cli("members", *words, "--organization", "acme", "--by", by, "--yes")
    return result.stderr if result.exit_code else ""


# Who changes whom to what, one after the other, and the error.
CHANGES = [
    ("Admin", "Member", "owner", "Only an owner may"),
    ("Admin", "Owner", "member", "Only an owner may"),
    ("Admin", "Owner", "removed", "Only an owner may"),
    ("Owner", "Owner", "admin", "The last owner can be neither"),
    ("Owner", "Owner", "removed", "The last owner can be neither"),
    ("Owner", "Nobody", "removed", "is not an owner or admin"),
    ("Admin", "Member", "admin", ""),
    ("Owner", "Member", "owner", ""),
    ("Admin", "Admin", "member", ""),
    ("Owner", "Admin", "admin", ""),
    ("Owner", "Admin", "member", ""),
    ("Owner", "Admin", "removed", ""),
    ("Member", "Owner", "removed", ""),
    ("Member", "Member", "member", "The last owner can be neither"),
]


def test_roles_change_within_the_role_of_who_decides(acme: Deployment) -> None:
    for by, who, role, error in CHANGES:
        before = acme.decided()
        found = change(acme, who, role, by)
        if error:
            assert error in found
            assert acme.decided() == before
            continue
        assert not found
        rows = acme.cli("members", "list", "--organization", "acme", "--json").json()
        assert {row["displayName"]: row["role"] for row in rows}[who] == role
        record = acme.cli("audit", "--organization", "acme", "--json").json()[-1]
        assert record["command"] == ("members remove" if role == "removed" else "members role")
        assert [value["role"] for value in record["after"].values()] == [role]


def test_keys_of_a_demoted_member_end_and_revoked_ones_do_not_return(acme: Deployment) -> None:
    kept, revoked = (acme.issue_key("acme", f.ADMIN) for _ in range(2))
    rows = acme.cli("keys", "list", "--organization", "acme", "--json").json()
    remove = ("members", "remove", "Admin", "--organization", "acme")
    error = acme.cli(*remove, "--by", "Owner").failed()
    assert "pass --yes" in error
    assert change(acme, "Admin", "removed") == ""
    assert all(row["hint"] in error for row in rows)
    revoke = ("keys", "revoke", rows[0]["id"], "--by", "Owner")
    acme.cli(*revoke).done()
    assert "has no member" in change(acme, f.ADMIN, "admin")
    acme.load([f.member(f.ADMIN, "member", displayName="Admin")])
    with acme.client() as client:

        def statuses() -> list[int]:
            return [
                crawl.rest(client, key, "/api/v1/context").status_code for key in (kept, revoked)
            ]

        assert statuses() == [401, 401]
        assert change(acme, "Admin", "admin") == ""
        assert statuses() == [200, 401]


def test_created_organization_has_an_owner_who_decides(deployment: Deployment) -> None:
    create = ("organizations", "create", "acme", "--name", "Acme Inc", "--owner", "Ada")
    created = deployment.cli(*create, "--json").json()
    assert (created["slug"], created["displayName"]) == ("acme", "Acme Inc")
    approve = ("sources", "approve", "--organization", "acme", "--by", "Ada", "--all", "--json")
    assert [row["id"] for row in deployment.cli(*approve).json()] == ["profile:main"]
    assert deployment.execute("SELECT display_name FROM organizations") == [("Acme Inc",)]
    (record,) = deployment.cli("audit", "--json").json()[:1]
    assert (record["command"], record["decidedBy"]) == ("organizations create", None)


def test_organization_with_a_taken_or_invalid_slug_is_not_created(acme: Deployment) -> None:
    before = acme.decided()
    for slug in ("acme", "Acme", "a-", f.uuid("a"), "a b", ""):
        error = acme.cli("organizations", "create", slug, "--owner", "Eve").failed()
        assert ("exists already" if slug == "acme" else "Invalid slug") in error
    assert acme.decided() == before


def test_organization_is_not_created_with_the_slug_of_a_running_load(
    deployment: Deployment,
) -> None:
    create = ("organizations", "create", "acme", "--owner", "Eve")
    with ThreadPoolExecutor(1) as threads:

        def finish(*_: object) -> None:
            creations.append(threads.submit(deployment.cli, *create))
            until(deployment.waiting, "the command waits for the load")

        creations: list[Future[Result]] = []
        load_records(deployment.admin_url, [f.organization()], finish=finish)
        assert "exists already" in creations[0].result().stderr
    assert deployment.execute("SELECT count(*) FROM organizations") == [(1,)]
