"""orgctx sources, organizations and knowledge: what they print and reject."""

from pathlib import Path
from typing import Any

import pytest

from tests.support import factories as f
from tests.support.deployment import Deployment


def list_sources(deployment: Deployment) -> dict[str, dict[str, Any]]:
    rows = deployment.cli("sources", "list", "--organization", "acme", "--json").json()
    return {row["id"]: row for row in rows}


def approved_ids(deployment: Deployment) -> set[str]:
    return {id_ for id_, row in list_sources(deployment).items() if row["external"]}


def test_list_shows_every_source(acme: Deployment) -> None:
    assert list(list_sources(acme)) == list(f.KIND_SOURCES.values())
    assert list_sources(acme)["assets:main"] == {
        "id": "assets:main",
        "kind": "assets",
        "label": "Acme assets",
        "included": True,
        "external": False,
        "status": "current",
        "updatedAt": f.AT,
        "count": 2,
        "holdsNew": False,
        "heldCount": 0,
    }
    table = acme.cli("sources", "list", "--organization", f.ACME).stdout.splitlines()
    assert table[0].split()[:5] == ["ID", "KIND", "LABEL", "INCLUDED", "APPROVED"]
    assert len(table) == 1 + len(f.KIND_SOURCES)


# ESC, DEL, a command of a terminal in C1, ends of lines, marks that reorder text, and a tag.
COMMANDS = "\x1b[2J \n \x7f \x9b2J \x85 \u2028 \u2029 \u202e \u2066 \u200f \ufeff \U000e0041"


def test_output_escapes_what_commands_a_terminal(acme: Deployment) -> None:
    acme.load([f.source("docs", label=f"Été {COMMANDS} 船", description=COMMANDS)])
    assert list_sources(acme)["docs:handbook"]["label"] == f"Été {COMMANDS} 船"
    for command in ("sources list", "sources show docs:handbook"):
        for options in ((), ("--json",)):
            text = acme.cli(*command.split(), "--organization", "acme", *options).stdout
            assert "Été" in text
            assert all(line.isprintable() for line in text.split("\n"))
    table = acme.cli("sources", "list", "--organization", "acme").stdout
    assert len(table.splitlines()) == 1 + len(f.KIND_SOURCES)


def test_list_shows_the_status_of_the_api(acme: Deployment) -> None:
    acme.load([f.source("x", staleAfterSeconds=60), f.source("assets", status="error")])
    acme.approve("acme", f.OWNER)
    with acme.client(acme.issue_key("acme", f.OWNER)) as client:
        response = client.get("/api/v1/sources")
    statuses = {source["id"]: source["status"] for source in response.json["data"]}
    assert statuses["x:main"] == "stale"
    assert {id_: row["status"] for id_, row in list_sources(acme).items()} == statuses


def test_approve_and_withdraw_change_only_named_sources(acme: Deployment) -> None:
    result = acme.cli("sources", "approve", *f.WHO, "docs:handbook", "x:main", "--json").json()
    assert [row["id"] for row in result if row["external"]] == ["docs:handbook", "x:main"]
    assert approved_ids(acme) == {"docs:handbook", "x:main"}
    acme.cli("sources", "withdraw", *f.WHO, "x:main")
    for sources in ((), ("--all", "docs:handbook")):
        acme.cli("sources", "approve", *f.WHO, *sources).failed(2)
    assert approved_ids(acme) == {"docs:handbook"}
    acme.cli("sources", "approve", *f.WHO, "--all").done()
    assert approved_ids(acme) == set(f.KIND_SOURCES.values())


def test_organizations_list_shows_every_organization(acme: Deployment) -> None:
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


def test_organization_is_named_by_id_or_slug(acme: Deployment) -> None:
    for name, error in (
        ("acme", ""),
        (f.ACME.upper(), ""),
        ("acne", "Unknown organization 'acne'; did you mean 'acme'?"),
    ):
        listed = acme.cli("members", "list", "--organization", name)
        assert error in listed.stderr
        assert bool(listed.stdout) == (listed.exit_code == 0) == (not error)


def show(deployment: Deployment, source_id: str) -> Any:
    return deployment.cli("sources", "show", "--organization", "acme", source_id, "--json").json()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("source_id", f.KIND_SOURCES.values())
def test_show_lists_what_approval_exposes(acme: Deployment, source_id: str) -> None:
    acme.issue_key("acme", f.OWNER)
    acme.issue_key("acme", f.OWNER, scopes=["context:read"], access="mcp")
    report = show(acme, source_id)
    assert (report["id"], report["external"]) == (source_id, False)
    *narrow, wide = report["exposes"]
    assert "search_context" in wide["operations"]
    assert bool(narrow) == (report["kind"] == "profile")
    acme.approve("acme", f.OWNER, source_id)
    for sample in show(acme, source_id)["samples"]:
        assert sample.keys() == {"kind", "source", "id", "title", "preview"}
        assert sample["source"] == source_id
    text = acme.cli("sources", "show", "--organization", "acme", source_id).stdout
    table = text.partition("Its approval exposes to active keys:\n")[2]
    assert "search_context" in table
    assert wide["hint"] in table


def test_show_follows_the_limit_and_the_scopes_of_keys(acme: Deployment) -> None:
    """A key reads the knowledge items of any source with knowledge:read alone."""
    acme.issue_key("acme", f.OWNER, ["knowledge:read"])
    acme.issue_key("acme", f.OWNER, sources=["x:main"])
    (knowledge,) = show(acme, "assets:main")["exposes"]
    assert knowledge["operations"] == ["list_knowledge", "read_knowledge"]
    acme.approve("acme", f.OWNER, "assets:main")
    key = acme.issue_key("acme", f.OWNER, ["knowledge:read"], sources=["assets:main"])
    with acme.client(key) as client:
        response = client.get("/api/v1/knowledge")
    assert [item["id"] for item in response.json["data"]] == [f.knowledge_id(prefix="assets")]
    acme.execute("DELETE FROM knowledge WHERE source_id = 'assets:main'")
    assert show(acme, "assets:main")["exposes"] == []


def test_folder_is_never_stale_unless_asked(own_acme: Deployment, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A")
    importing = ("import", "folder", tmp_path, "--organization", "acme", "--source")
    own_acme.cli(*importing, "docs:old").done()
    own_acme.cli(*importing, "docs:new", "--stale-after", "60").done()
    stored = own_acme.execute(
        "SELECT id, stale_after_seconds FROM sources WHERE id IN ('docs:old', 'docs:new')"
    )
    assert {*stored} == {("docs:old", None), ("docs:new", 60)}


# orgctx knowledge


ONE, TWO = f.knowledge_id(1), f.knowledge_id(2)


def test_suppress_and_restore_print_the_ids(acme: Deployment) -> None:
    acme.load([f.knowledge(2)])
    error = acme.cli("knowledge", "suppress", *f.WHO, "docs:7").failed(2)
    assert "must be docs:, note:, assets: or profile: and a UUID" in error
    assert "`orgctx knowledge list` prints ids." in error
    upper = f"docs:{f.uuid(1).upper()}"
    result = acme.cli("knowledge", "suppress", *f.WHO, ONE, TWO, upper, "--json").json()
    assert result == {"suppressed": sorted([ONE, TWO])}
    assert acme.cli("knowledge", "restore", *f.WHO, TWO).stdout == f"restored {TWO}\n"
    assert acme.execute("SELECT knowledge_id FROM knowledge_suppressions") == [(ONE,)]


def test_restore_of_a_document_that_is_held_too_leaves_it_held(acme: Deployment) -> None:
    acme.load([f.knowledge(content=f.AWS)])
    acme.cli("knowledge", "suppress", *f.WHO, ONE)
    # A release ends no suppression.
    for decision, said in (
        ("restore", f"Still held: {ONE}. To release"), ("suppress", "To make new documents"),
        ("release", f"Still suppressed: {ONE}. To show"), ("release", "suppressed and not held"),
    ):  # fmt: skip
        assert said in acme.cli("knowledge", decision, *f.WHO, ONE).stderr
    assert acme.execute("SELECT reason FROM knowledge_suppressions") == [("suppressed",)]
    acme.cli("knowledge", "restore", *f.WHO, ONE)
    assert acme.execute("SELECT reason FROM knowledge_suppressions") == []
