"""orgctx knowledge: suppression is a human decision that outlives the item."""

from __future__ import annotations

import pytest

from tests.cli.conftest import WHO
from tests.support import factories as f
from tests.support.deployment import Deployment

ONE, TWO = f.knowledge_id(1), f.knowledge_id(2)


def suppressed(deployment: Deployment) -> set[str]:
    return {id_ for (id_,) in deployment.execute("SELECT knowledge_id FROM knowledge_suppressions")}


def count(deployment: Deployment) -> int:
    rows = deployment.cli("sources", "list", "--organization", "acme", "--json").json()
    return next(int(row["count"]) for row in rows if row["id"] == "docs:handbook")


def test_suppress_and_restore(acme: Deployment) -> None:
    acme.load([f.knowledge(2)])
    assert count(acme) == 2
    done = acme.cli("knowledge", "suppress", *WHO, ONE, TWO, ONE, "--json").json()
    assert done == {"suppressed": sorted([ONE, TWO])}
    assert (suppressed(acme), count(acme)) == ({ONE, TWO}, 0)
    assert acme.cli("knowledge", "restore", *WHO, TWO).stdout == f"restored {TWO}\n"
    assert (suppressed(acme), count(acme)) == ({ONE}, 1)


def test_repeating_is_harmless_and_keeps_who_decided(acme: Deployment) -> None:
    by_admin = ("--organization", "acme", "--by", f.ADMIN)
    assert acme.cli("knowledge", "suppress", *by_admin, ONE).exit_code == 0
    assert acme.cli("knowledge", "suppress", *WHO, ONE).exit_code == 0
    assert acme.execute("SELECT suppressed_by::text FROM knowledge_suppressions") == [(f.ADMIN,)]
    for _ in range(2):
        assert acme.cli("knowledge", "restore", *WHO, ONE).exit_code == 0


def test_it_outlives_loading_and_deletion(acme: Deployment) -> None:
    acme.cli("knowledge", "suppress", *WHO, ONE)
    acme.load([f.knowledge(1, title="Loaded again")])
    assert count(acme) == 0
    acme.load([f.delete("knowledge", ONE)])
    assert suppressed(acme) == {ONE}
    acme.load([f.knowledge(1)])
    assert count(acme) == 0
    acme.load([f.delete("knowledge", ONE)])
    assert acme.cli("knowledge", "restore", *WHO, ONE).exit_code == 0
    assert suppressed(acme) == set()


def test_ids_are_checked_and_read_in_either_case(acme: Deployment) -> None:
    bad = acme.cli("knowledge", "suppress", *WHO, "docs:7")
    assert bad.exit_code == 2
    assert "must be docs:, note:, assets: or profile: and a UUID" in bad.stderr
    assert acme.cli("knowledge", "suppress", *WHO, f"docs:{f.uuid(1).upper()}").exit_code == 0
    assert suppressed(acme) == {ONE}


@pytest.mark.parametrize("verb", ["suppress", "restore"])
def test_one_unknown_item_changes_none(acme: Deployment, verb: str) -> None:
    if verb == "restore":
        acme.cli("knowledge", "suppress", *WHO, ONE)
    before = suppressed(acme)
    refused = acme.cli("knowledge", verb, *WHO, ONE, TWO)
    assert refused.exit_code == 1
    assert f"no knowledge item {TWO}, so nothing was changed" in refused.stderr
    assert suppressed(acme) == before


@pytest.mark.parametrize("user", [f.MEMBER, f.uuid("stranger")])
def test_only_an_owner_or_admin_of_the_organization_decides(acme: Deployment, user: str) -> None:
    who = ("--organization", "acme", "--by", user)
    assert acme.cli("knowledge", "suppress", *who, ONE).exit_code == 1
    assert suppressed(acme) == set()


def test_another_organizations_item_is_unknown(acme: Deployment) -> None:
    who = ("--organization", "other", "--by", f.uuid("stranger"))
    assert acme.cli("knowledge", "suppress", *who, ONE).exit_code == 1
