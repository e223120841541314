"""orgctx members, and who may be named by --by."""

from __future__ import annotations

import pytest

from tests.support import factories as f
from tests.support.deployment import Deployment

TWIN = f.uuid("twin of the owner")


def test_list(acme: Deployment) -> None:
    acme.issue_key("acme", f.OWNER)
    rows = acme.cli("members", "list", "--organization", "acme", "--json").json()
    assert rows == [
        {"id": f.OWNER, "displayName": "Owner", "role": "owner", "activeKeyCount": 1},
        {"id": f.ADMIN, "displayName": "Admin", "role": "admin", "activeKeyCount": 0},
        {"id": f.MEMBER, "displayName": "Member", "role": "member", "activeKeyCount": 0},
    ]
    assert "Owner" in acme.cli("members", "list", "--organization", "acme").stdout


@pytest.mark.parametrize("by", ["Owner", "oWNER", f.OWNER, f.OWNER.upper()])
def test_by_takes_an_id_or_a_name(acme: Deployment, by: str) -> None:
    decided = acme.cli("sources", "approve", "--organization", "acme", "--by", by, "docs:handbook")
    assert decided.exit_code == 0
    assert acme.execute("SELECT decided_by::text FROM sources WHERE external") == [(f.OWNER,)]


def test_a_name_of_two_is_refused_with_their_ids(acme: Deployment) -> None:
    acme.load([f.member(TWIN, "admin", displayName="owner")])
    refused = acme.cli("sources", "approve", "--organization", "acme", "--by", "Owner", "--all")
    assert refused.exit_code == 1
    assert f.OWNER in refused.stderr
    assert TWIN in refused.stderr


@pytest.mark.parametrize("by", ["Member", "Stranger", "Owne", "", "%"])
def test_a_name_without_authority_is_refused_as_typed(acme: Deployment, by: str) -> None:
    refused = acme.cli("sources", "approve", "--organization", "acme", "--by", by, "--all")
    assert refused.exit_code == 1
    assert refused.stderr.startswith(
        f"Error: {by!r} is not an owner or admin of organization 'acme'"
    )
    assert refused.stderr.count("\n") == 1
