"""Every file agrees with the kinds of source in orgctx/operations/source_kinds.py."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from orgctx.operations.source_kinds import KINDS, SCOPES, SINGLE_KINDS, SOURCE_KINDS
from orgctx.resources.knowledge.schemas import KnowledgeSummary
from orgctx.resources.search.parts import PARTS
from orgctx.schemas.payload import fields_of
from tests.contract import tables
from tests.support import factories as make
from tests.support.deployment import Deployment

MIGRATION = (
    "orgctx/operations/source_kinds.py and sql/schema differ: write a migration that replaces "
)


def literals(sql: str) -> set[str]:
    return set(re.findall(r"'(\w+)'", sql))


def test_schema_knows_the_kinds(module_deployment: Deployment) -> None:
    # Shards of a cluster have constraints of the same name.
    of_name = (
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE (conrelid, conname) = (%s::regclass, %s)"
    )
    ((check,),) = module_deployment.execute(of_name, ["sources", "sources_kind_check"])
    assert literals(check) == set(KINDS), MIGRATION + "sources_kind_check"
    ((index,),) = module_deployment.execute(
        "SELECT indexdef FROM pg_indexes WHERE indexname = 'sources_one_of_a_kind'"
    )
    assert literals(index) == set(SINGLE_KINDS), MIGRATION + "sources_one_of_a_kind"
    ((check,),) = module_deployment.execute(of_name, ["knowledge", "knowledge_source_check"])
    sources = set(fields_of(KnowledgeSummary)["source"].choices)
    assert literals(check) == sources, MIGRATION + "knowledge_source_check"


def test_contract_names_the_kinds() -> None:
    declared = [(kind, one.scope, one.knowledge_prefix or "") for kind, one in SOURCE_KINDS.items()]
    assert tables.kinds() == declared, (
        "docs/contract.md: the table of 2.4 differs from orgctx/operations/source_kinds.py"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_kind_has_an_example(kind: str) -> None:
    """everything() has a source of the kind and a record in it."""
    where = f"tests/support/factories.py: everything() has nothing of the kind {kind}"
    records = make.everything()
    sources = {
        r["sourceId"] for r in records if r["type"] == "source" and r["data"]["kind"] == kind
    }
    assert sources, where
    assert [r for r in records if r["type"] != "source" and r.get("sourceId") in sources], where


@pytest.mark.parametrize("kind", KINDS)
def test_kind_is_listed_and_counted(acme: Deployment, kind: str) -> None:
    key = acme.issue_key(make.ACME, make.OWNER, [SOURCE_KINDS[kind].scope, "context:read"])
    with acme.app() as app:
        client: FlaskClient = app.test_client()
        response = client.get("/api/v1/sources", headers={"Authorization": f"Bearer {key}"})
    found = {source["kind"]: source for source in response.json["data"]}  # type: ignore[index]
    assert kind in found, f"orgctx/operations/source_kinds.py: SCOPES lacks the scope of {kind}"
    counted = found[kind].get("count", 0) > 0
    assert counted == SOURCE_KINDS[kind].is_counted, (
        f"sql/cli/count_records.sql: count the records of kind {kind}"
    )


def test_search_covers_every_kind() -> None:
    searched = {kind for kinds in PARTS.values() for kind in kinds}
    missing = set(KINDS) - searched
    assert not missing, f"orgctx/resources/search/parts.py: PARTS lacks {missing}"


def test_kind_scopes_are_grantable() -> None:
    scopes = {one.scope for one in SOURCE_KINDS.values()}
    assert scopes <= set(SCOPES), (
        "orgctx/operations/source_kinds.py: SCOPES lacks the scope of a kind"
    )
