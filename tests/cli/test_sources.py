"""orgctx sources and organizations: a person approves all sources that they name, or none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import WHO
from tests.support import factories as f
from tests.support.deployment import Deployment

DECIDED = "SELECT decided_by::text, decided_at FROM sources WHERE id = 'docs:handbook'"


def listed(deployment: Deployment) -> dict[str, dict[str, Any]]:
    rows = deployment.cli("sources", "list", "--organization", "acme", "--json").json()
    return {row["id"]: row for row in rows}


def approved(deployment: Deployment) -> set[str]:
    return {id_ for id_, row in listed(deployment).items() if row["external"]}


def test_list(acme: Deployment) -> None:
    assert list(listed(acme)) == list(f.KIND_SOURCES.values())
    assert listed(acme)["assets:main"] == {
        "id": "assets:main",
        "kind": "assets",
        "label": "Acme assets",
        "included": True,
        "external": False,
        "status": "current",
        "updatedAt": f.AT,
        "count": 2,
    }
    table = acme.cli("sources", "list", "--organization", f.ACME).stdout.splitlines()
    assert table[0].split()[:5] == ["ID", "KIND", "LABEL", "INCLUDED", "APPROVED"]
    assert len(table) == 8


def test_the_status_is_that_of_the_api(acme: Deployment) -> None:
    acme.load([f.source("x", staleAfterSeconds=60), f.source("assets", status="error")])
    acme.approve("acme", f.OWNER)
    key = acme.issue_key("acme", f.OWNER)
    with acme.app() as app:
        answer = app.test_client().get(
            "/api/v1/sources", headers={"Authorization": f"Bearer {key}"}
        )
    served = {source["id"]: source["status"] for source in answer.json["data"]}
    assert served["x:main"] == "stale"
    assert {id_: row["status"] for id_, row in listed(acme).items()} == served


def test_approve_and_withdraw(acme: Deployment) -> None:
    result = acme.cli("sources", "approve", *WHO, "docs:handbook", "x:main", "--json").json()
    assert [(row["id"], row["external"]) for row in result] == [
        ("docs:handbook", True),
        ("x:main", True),
    ]
    assert approved(acme) == {"docs:handbook", "x:main"}
    acme.cli("sources", "withdraw", *WHO, "x:main")
    assert approved(acme) == {"docs:handbook"}
    assert acme.cli("sources", "approve", *WHO, "--all").exit_code == 0
    assert approved(acme) == set(f.KIND_SOURCES.values())


def test_approval_survives_exclusion_and_loading(acme: Deployment) -> None:
    acme.approve("acme", f.OWNER, "docs:handbook")
    assert acme.cli("sources", "exclude", *WHO, "docs:handbook").exit_code == 0
    acme.load([f.source("docs", label="Renamed")])
    row = listed(acme)["docs:handbook"]
    assert (row["included"], row["external"], row["label"]) == (False, True, "Renamed")
    assert acme.cli("sources", "include", *WHO, "docs:handbook").exit_code == 0
    assert listed(acme)["docs:handbook"]["included"]


def test_who_decided_is_kept_and_repeating_changes_nothing(acme: Deployment) -> None:
    acme.approve("acme", f.ADMIN, "docs:handbook")
    (decision,) = acme.execute(DECIDED)
    assert decision[0] == f.ADMIN
    acme.approve("acme", f.OWNER, "docs:handbook")
    assert acme.execute(DECIDED) == [decision]


def test_one_unknown_source_changes_none(acme: Deployment) -> None:
    refused = acme.cli("sources", "approve", *WHO, "docs:handbook", "docs:nowhere")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: organization 'acme' has no source 'docs:nowhere',")
    assert refused.stderr.count("\n") == 1
    assert approved(acme) == set()


@pytest.mark.parametrize("user", [f.MEMBER, f.uuid("stranger"), f.uuid("nobody")])
@pytest.mark.parametrize("verb", ["approve", "withdraw", "include", "exclude"])
def test_only_an_owner_or_admin_of_the_organization_decides(
    acme: Deployment, user: str, verb: str
) -> None:
    before = listed(acme)
    refused = acme.cli("sources", verb, "--organization", "acme", "--by", user, "--all")
    assert refused.exit_code == 1
    assert refused.stderr.startswith(f"Error: '{user}' is not an owner or admin")
    assert listed(acme) == before


@pytest.mark.parametrize("chosen", [[], ["--all", "docs:handbook"]])
def test_either_sources_or_all(acme: Deployment, chosen: list[str]) -> None:
    assert acme.cli("sources", "approve", *WHO, *chosen).exit_code == 2


def test_an_organization_by_id_or_slug(acme: Deployment) -> None:
    acme.load([f.organization(f.uuid("odd"), slug=f.ACME)])
    assert acme.cli("sources", "list", "--organization", f.ACME.upper()).exit_code == 0
    assert acme.cli("sources", "list", "--organization", "acme").exit_code == 0
    unknown = acme.cli("sources", "list", "--organization", "acne")
    assert (unknown.exit_code, unknown.stdout) == (1, "")
    assert "no organization 'acne'" in unknown.stderr


def test_list_organizations(acme: Deployment) -> None:
    rows = acme.cli("organizations", "list", "--json").json()
    assert [row["slug"] for row in rows] == ["acme", "other"]
    assert rows[0] == {
        "id": f.ACME,
        "slug": "acme",
        "displayName": "Acme",
        "plan": "standard",
        "verifiedHolding": 0.0,
        "preview": False,
        "createdAt": f.AT,
        "updatedAt": f.AT,
    }
    assert "acme" in acme.cli("organizations", "list").stdout


def test_text_from_outside_does_not_command_the_terminal(acme: Deployment) -> None:
    acme.load([f.source("docs", label="\x1b[2JWiped\nout")])
    assert "\x1b" not in acme.cli("sources", "list", "--organization", "acme").stdout
    assert len(acme.cli("sources", "list", "--organization", "acme").stdout.splitlines()) == 8


def shown(deployment: Deployment, source_id: str) -> Any:
    return deployment.cli("sources", "show", "--organization", "acme", source_id, "--json").json()


@pytest.mark.parametrize("source_id", f.KIND_SOURCES.values())
def test_show_says_what_approval_exposes(acme: Deployment, source_id: str) -> None:
    acme.issue_key("acme", f.OWNER)
    acme.issue_key("acme", f.OWNER, scopes=["context:read"], access="mcp")
    report = shown(acme, source_id)
    assert (report["id"], report["external"]) == (source_id, False)
    narrow, wide = report["exposes"]
    assert "search_context" in wide["operations"]
    assert bool(narrow["operations"]) == (report["kind"] == "profile")
    acme.approve("acme", f.OWNER, source_id)
    with acme.app() as app:
        headers = {"Authorization": f"Bearer {acme.issue_key('acme', f.OWNER)}"}
        answer = app.test_client().get(
            f"/api/v1/search?source={source_id}&limit=5", headers=headers
        )
    assert shown(acme, source_id)["samples"] == answer.get_json()["data"]["items"]
    text = acme.cli("sources", "show", "--organization", "acme", source_id).stdout
    assert "Its approval exposes to active keys:" in text


def test_show_an_unknown_source(acme: Deployment) -> None:
    refused = acme.cli("sources", "show", "--organization", "acme", "docs:nowhere")
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
    assert "has no source 'docs:nowhere'" in refused.stderr
