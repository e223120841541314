"""Deleting sources and organizations: confirmed, complete and recorded."""

import json
from collections import Counter
from pathlib import Path

import pytest

from orgctx.bundle.records import TYPES
from orgctx.operations.source_kinds import KINDS
from tests.cli.terminal import answered
from tests.cli.test_audit import decisions
from tests.support import factories as f
from tests.support.deployment import Deployment


def source_ids(deployment: Deployment, organization: str = "acme") -> set[str]:
    rows = deployment.cli("sources", "list", "--organization", organization, "--json").json()
    return {row["id"] for row in rows}


def test_delete_source_deletes_and_records_its_records(acme: Deployment) -> None:
    """Another organization keeps its source with the same id, and the limits of its keys."""
    acme.load([f.source("telegram", organization_id=f.uuid("other"))])
    acme.issue_key("other", f.uuid("stranger"), sources=["telegram:main"])
    before = source_ids(acme)
    records = {"telegram.chat": 1, "telegram.message": 1}
    result = acme.cli("sources", "delete", *f.WHO, "telegram:main", "--yes", "--json").json()
    assert result == {"deleted": ["telegram:main"], "records": records}
    assert source_ids(acme) == before - {"telegram:main"}
    assert source_ids(acme, "other") == {"telegram:main"}
    assert acme.execute("SELECT source_ids FROM api_keys") == [(["telegram:main"],)]
    assert acme.execute("SELECT count(*) FROM telegram_messages") == [(0,)]
    assert acme.execute("SELECT count(*) FROM people WHERE platform = 'telegram'") == [(0,)]
    _, record = decisions(acme)
    assert (record["command"], record["after"]) == ("sources delete", {})
    assert record["before"]["telegram:main"]["count"] == 1
    assert record["before"]["telegram:main"]["records"] == records


def test_delete_requires_existing_sources_and_a_terminal_or_yes(
    acme: Deployment, tmp_path: Path
) -> None:
    before = source_ids(acme)
    command = ("sources", "delete", *f.WHO, "docs:handbook")
    assert "pass --yes" in acme.cli(*command, stdin="y\n").failed()
    acme.cli(*command, "docs:nowhere", "--yes").failed()
    assert answered(acme, tmp_path, command, [("Continue?", "n\n")])[0] == 1
    assert source_ids(acme) == before


def test_delete_escapes_control_characters(acme: Deployment) -> None:
    id_ = "docs:\x9b2J\u202e"
    acme.load([f.source("docs", id_)])
    prompt = acme.cli("sources", "delete", *f.WHO, id_).stderr
    unknown = acme.cli("load", "-", stdin=json.dumps({**f.organization(), id_: 1})).stderr
    result = acme.cli("sources", "delete", *f.WHO, id_, "--yes").stdout
    for text in (prompt, unknown, result):
        assert "docs: 2J " in text
        assert text.replace("\n", "").isprintable()


def test_delete_organization_keeps_its_audit(acme: Deployment) -> None:
    key = acme.issue_key("acme", f.OWNER)
    by = ("--organization", "acme", "--by", "Owner")
    types = Counter(record["type"] for record in f.everything())
    counts = ", ".join(f"{types[name]} {name}" for name in TYPES if name != "organization")
    prompt = acme.cli("organizations", "delete", *by).stderr
    assert f"This permanently deletes acme (with {counts}).\n" in prompt
    result = acme.cli("organizations", "delete", *by, "--yes").stdout
    assert result == f"deleted acme (with {counts})\n"
    slugs = [row["slug"] for row in acme.cli("organizations", "list", "--json").json()]
    assert slugs == ["other"]
    records = acme.cli("audit", "--organization", f.ACME, "--json").json()
    assert records[-1]["command"] == "organizations delete"
    assert records[-1]["before"][f.ACME]["slug"] == "acme"
    with acme.client(key) as client:
        assert client.get("/api/v1/context").status_code == 401


def test_delete_checks_the_author_again_after_the_answer(
    acme: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def remove_owner(*_: object) -> None:
        acme.execute(f"UPDATE members SET role = 'removed' WHERE user_id = '{f.OWNER}'")

    monkeypatch.setattr("orgctx.cli.organization.organizations.confirm", remove_owner)
    before = source_ids(acme)
    acme.cli("sources", "delete", *f.WHO, "docs:handbook").failed()
    acme.cli("organizations", "delete", *f.WHO).failed()
    assert source_ids(acme) == before
    assert not decisions(acme)


def test_delete_records_a_concurrent_deletion_once(
    acme: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("sources", "delete", *f.WHO, "docs:handbook")

    def agree(*_: object) -> None:
        acme.cli(*command, "--yes").done()

    monkeypatch.setattr("orgctx.cli.organization.organizations.confirm", agree)
    assert "no source 'docs:handbook'" in acme.cli(*command).stderr
    assert [record["command"] for record in decisions(acme)] == ["sources delete"]


def record_counts(deployment: Deployment) -> dict[str, tuple[int, str | None]]:
    rows = deployment.execute("SELECT kind, record_count, chat_id::text FROM sources")
    return {kind: (count, chat) for kind, count, chat in rows}


def test_source_counts_its_records(deployment: Deployment) -> None:
    """Not those that are archived, deleted, or of a former account."""
    deployment.load(
        [
            *f.everything(),
            f.knowledge(2, archived=True),
            f.knowledge(3),
            f.message(2),
            f.mention(2, account="ACME"),
            f.mention(3, account="elsewhere"),
        ]
    )
    once, none = dict.fromkeys(KINDS, (1, None)), (0, None)
    counts = {"docs": (2, None), "assets": (2, None), "x": (2, None), "telegram": (2, f.CHAT)}
    assert record_counts(deployment) == once | counts | {"profile": none}
    summary = deployment.load(
        [
            f.delete("telegram.chat", f.CHAT),
            f.delete("knowledge", f.knowledge_id(1)),
            f.delete("asset", f.uuid("Brand")),
            f.delete("x.mention", "1"),
            f.delete("token", f.KIND_SOURCES["token"]),
        ]
    )
    assert {name: counts["deleted"] for name, counts in summary.items()} == {
        "telegram.chat": 1, "telegram.message": 2, "knowledge": 1, "x.mention": 1, "token": 1,
        "asset": 2,  # with the file in the folder
    }  # fmt: skip
    left = once | dict.fromkeys(("assets", "profile", "telegram", "token"), none)
    assert record_counts(deployment) == left
    renamed = [f.source("x", account="renamed"), f.source("token", account="0x" + "00" * 20)]
    deployment.load([*renamed, f.token()])
    assert record_counts(deployment) == left | {"x": none}
