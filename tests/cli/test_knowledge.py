"""orgctx knowledge: suppression is a human decision that outlives the item."""

from __future__ import annotations

import pytest

from tests.cli.conftest import WHO
from tests.support import factories as f
from tests.support.deployment import Deployment

ONE, TWO = f.knowledge_id(1), f.knowledge_id(2)


def suppressed_ids(deployment: Deployment) -> set[str]:
    return {id_ for (id_,) in deployment.execute("SELECT knowledge_id FROM knowledge_suppressions")}


def record_count(deployment: Deployment) -> int:
    rows = deployment.cli("sources", "list", "--organization", "acme", "--json").json()
    return next(int(row["count"]) for row in rows if row["id"] == "docs:handbook")


def test_suppress_and_restore_update_the_record_count(acme: Deployment) -> None:
    acme.load([f.knowledge(2)])
    assert record_count(acme) == 2
    result = acme.cli("knowledge", "suppress", *WHO, ONE, TWO, ONE, "--json").json()
    assert result == {"suppressed": sorted([ONE, TWO])}
    assert (suppressed_ids(acme), record_count(acme)) == ({ONE, TWO}, 0)
    assert acme.cli("knowledge", "restore", *WHO, TWO).stdout == f"restored {TWO}\n"
    assert (suppressed_ids(acme), record_count(acme)) == ({ONE}, 1)


def test_suppress_twice_keeps_the_first_author(acme: Deployment) -> None:
    by_admin = ("--organization", "acme", "--by", f.ADMIN)
    assert acme.cli("knowledge", "suppress", *by_admin, ONE).exit_code == 0
    assert acme.cli("knowledge", "suppress", *WHO, ONE).exit_code == 0
    assert acme.execute("SELECT suppressed_by::text FROM knowledge_suppressions") == [(f.ADMIN,)]
    for _ in range(2):
        assert acme.cli("knowledge", "restore", *WHO, ONE).exit_code == 0


def test_suppression_survives_loading_and_deletion(acme: Deployment) -> None:
    acme.cli("knowledge", "suppress", *WHO, ONE)
    acme.load([f.knowledge(1, title="Loaded again")])
    assert record_count(acme) == 0
    acme.load([f.delete("knowledge", ONE)])
    assert suppressed_ids(acme) == {ONE}
    acme.load([f.knowledge(1)])
    assert record_count(acme) == 0
    acme.load([f.delete("knowledge", ONE)])
    assert acme.cli("knowledge", "restore", *WHO, ONE).exit_code == 0
    assert suppressed_ids(acme) == set()


def test_suppress_validates_ids_and_ignores_case(acme: Deployment) -> None:
    result = acme.cli("knowledge", "suppress", *WHO, "docs:7")
    assert result.exit_code == 2
    assert "must be docs:, note:, assets: or profile: and a UUID" in result.stderr
    assert "`orgctx knowledge list` prints ids." in result.stderr
    assert acme.cli("knowledge", "suppress", *WHO, f"docs:{f.uuid(1).upper()}").exit_code == 0
    assert suppressed_ids(acme) == {ONE}


@pytest.mark.parametrize("verb", ["suppress", "restore"])
def test_unknown_item_changes_nothing(acme: Deployment, verb: str) -> None:
    if verb == "restore":
        acme.cli("knowledge", "suppress", *WHO, ONE)
    before = suppressed_ids(acme)
    result = acme.cli("knowledge", verb, *WHO, ONE, TWO)
    assert result.exit_code == 1
    assert f"has no knowledge item {TWO}. Nothing was changed." in result.stderr
    assert suppressed_ids(acme) == before


def test_item_of_another_organization_is_unknown(acme: Deployment) -> None:
    who = ("--organization", "other", "--by", f.uuid("stranger"))
    assert acme.cli("knowledge", "suppress", *who, ONE).exit_code == 1
