"""Sources and organizations are deleted after a confirmation, completely, and recorded."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.cli.conftest import WHO
from tests.cli.test_audit import decisions
from tests.support import factories as f
from tests.support.deployment import Deployment

OTHER = f.uuid("other")


def source_ids(deployment: Deployment) -> set[str]:
    rows = deployment.cli("sources", "list", "--organization", "acme", "--json").json()
    return {row["id"] for row in rows}


def test_a_source_goes_with_its_records(acme: Deployment) -> None:
    before = source_ids(acme)
    records = {"telegram.chat": 1, "telegram.message": 1}
    done = acme.cli("sources", "delete", *WHO, "telegram:main", "--yes", "--json").json()
    assert done == {"deleted": ["telegram:main"], "records": records}
    assert source_ids(acme) == before - {"telegram:main"}
    assert acme.execute("SELECT count(*) FROM telegram_messages") == [(0,)]
    assert acme.execute("SELECT count(*) FROM people WHERE platform = 'telegram'") == [(0,)]
    (record,) = decisions(acme)
    assert (record["command"], record["after"]) == ("sources delete", {})
    assert record["before"]["telegram:main"]["count"] == 1
    assert record["before"]["telegram:main"]["records"] == records


@pytest.mark.parametrize("answer", ["n\n", "", "\n"])
def test_nothing_goes_without_a_yes(acme: Deployment, answer: str) -> None:
    before = source_ids(acme)
    refused = acme.cli("sources", "delete", *WHO, "docs:handbook", stdin=answer)
    assert refused.exit_code == 1
    assert source_ids(acme) == before
    assert acme.cli("sources", "delete", *WHO, "docs:handbook", stdin="y\n").exit_code == 0


def test_what_goes_along_is_counted_before_and_after(acme: Deployment) -> None:
    acme.load([f.message(number) for number in range(2, 1_102)])
    asked = acme.cli("sources", "delete", *WHO, "telegram:main", "docs:handbook", stdin="n\n")
    with_it = "(with 1 knowledge, 1 telegram.chat, 1,101 telegram.message)"
    assert f"This deletes for good: docs:handbook, telegram:main {with_it}\n" in asked.stderr
    done = acme.cli("sources", "delete", *WHO, "telegram:main", "docs:handbook", "--yes")
    assert done.stdout == f"deleted docs:handbook, telegram:main {with_it}\n"


def test_no_name_commands_the_terminal(acme: Deployment) -> None:
    id_ = "docs:\x9b2J\u202e"
    acme.load([f.source("docs", id_)])
    asked = acme.cli("sources", "delete", *WHO, id_, stdin="n\n").stderr
    unknown = acme.cli("load", "-", stdin=json.dumps({**f.organization(), id_: 1})).stderr
    done = acme.cli("sources", "delete", *WHO, id_, "--yes").stdout
    for said in (asked, unknown, done):
        assert "docs: 2J " in said
        assert said.replace("\n", "").isprintable()


def test_one_unknown_source_deletes_none(acme: Deployment) -> None:
    before = source_ids(acme)
    refused = acme.cli("sources", "delete", *WHO, "docs:handbook", "docs:nowhere", "--yes")
    assert refused.exit_code == 1
    assert source_ids(acme) == before


def test_an_organization_goes_and_its_audit_stays(acme: Deployment) -> None:
    key = acme.issue_key("acme", f.OWNER)
    by = ("--organization", "acme", "--by", "Owner")
    counts = Counter(record["type"] for record in f.everything())
    with_it = ", ".join(f"{n} {name}" for name, n in counts.items() if name != "organization")
    asked = acme.cli("organizations", "delete", *by, stdin="n\n").stderr
    assert f"This deletes for good: acme (with {with_it})\n" in asked
    done = acme.cli("organizations", "delete", *by, "--yes").stdout
    assert done == f"deleted acme (with {with_it})\n"
    slugs = [row["slug"] for row in acme.cli("organizations", "list", "--json").json()]
    assert slugs == ["other"]
    records = acme.cli("audit", "--organization", f.ACME, "--json").json()
    assert records[-1]["command"] == "organizations delete"
    assert records[-1]["before"][f.ACME]["slug"] == "acme"
    with acme.app() as app:
        headers = {"Authorization": f"Bearer {key}"}
        assert app.test_client().get("/api/v1/context", headers=headers).status_code == 401


@pytest.mark.parametrize("by", ["Member", "Stranger"])
def test_only_its_owners_and_admins_delete(acme: Deployment, by: str) -> None:
    who = ("--organization", "acme", "--by", by)
    assert acme.cli("organizations", "delete", *who, "--yes").exit_code == 1
    assert acme.cli("sources", "delete", *who, "docs:handbook", "--yes").exit_code == 1
    assert "docs:handbook" in source_ids(acme)


def test_who_was_removed_before_the_answer_deletes_nothing(
    acme: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def remove_owner(*_: object, **__: object) -> bool:
        acme.execute(f"UPDATE members SET role = 'removed' WHERE user_id = '{f.OWNER}'")
        return True

    monkeypatch.setattr("click.confirm", remove_owner)
    before = source_ids(acme)
    assert acme.cli("sources", "delete", *WHO, "docs:handbook").exit_code == 1
    assert acme.cli("organizations", "delete", *WHO).exit_code == 1
    assert source_ids(acme) == before
    assert not decisions(acme)


def test_what_another_deleted_before_the_answer_is_recorded_once(
    acme: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("sources", "delete", *WHO, "docs:handbook")

    def agree(*_: object, **__: object) -> bool:
        assert acme.cli(*command, "--yes").exit_code == 0
        return True

    monkeypatch.setattr("click.confirm", agree)
    assert "no source 'docs:handbook'" in acme.cli(*command).stderr
    assert [record["command"] for record in decisions(acme)] == ["sources delete"]
