"""A record type is one row of orgctx/bundle/records.py, with the SQL that belongs to it."""

import re
from typing import Any
from uuid import UUID

import psycopg
import pytest

from orgctx.bundle.records import TYPES
from orgctx.decisions.deletion import find_people
from orgctx.decisions.scan import read_texts
from orgctx.operations.source_kinds import KINDS, PEOPLE_KINDS, SINGLE_KINDS, SOURCE_KINDS
from orgctx.resources.knowledge.schemas import KnowledgeSummary
from orgctx.resources.search.items import PARTS
from orgctx.schemas.payload import fields_of
from orgctx.stores.db import Tenant, run, sql, statements
from tests.architecture.test_sharding import TABLES
from tests.contract import document
from tests.support import factories as make
from tests.support import organizations
from tests.support.deployment import Deployment
from tests.support.marked import rewritten

EXAMPLES: dict[str, dict[str, Any]] = {
    record["type"]: record["data"] for record in make.everything()
}
types = pytest.mark.parametrize("name", TYPES)


def example(name: str) -> dict[str, Any]:
    assert name in EXAMPLES, f"tests/support/factories.py: everything() has no {name}"
    return EXAMPLES[name]


@types
def test_record_type_has_a_table(name: str) -> None:
    """Read from the files: without the table, no database of the tests is migrated."""
    table = TYPES[name].table
    assert table in TABLES, f"sql/schema: write a migration that creates {table}"


@types
def test_record_type_is_complete(name: str) -> None:
    """A load asks only for a kind whether the source exists."""
    one = TYPES[name]
    payload = one.schema.parse(example(name))
    where = f"orgctx/bundle/records.py: {name}"
    assert len(one.column_values(payload)) == len(one.columns), f"{where}, column_values"
    assert bool(one.source_kind(payload)) == (one.has_source and name != "source"), (
        f"{where}, source_kind"
    )


@types
def test_record_type_has_its_statements(name: str) -> None:
    for statement in filter(None, (TYPES[name].merged_by, TYPES[name].deleted_by)):
        assert statement in statements(), f"write the statement {statement}"


@pytest.fixture(scope="module")
def texts(module_deployment: Deployment) -> dict[str, str]:
    """A word for each free text of the stored records of sources, with the text before it."""
    texts: dict[str, str] = {}

    def rewrite(text: str) -> str:
        word = f"zq{len(texts)}qz"
        texts[word] = f"{record['type']}: {text}"
        return f"{text} {word}"

    records = []
    for record in make.everything():
        has_source = TYPES[record["type"]].has_source
        records.append(rewritten(record, rewrite) if has_source else record)
    module_deployment.load(records)
    return texts


def test_texts_of_every_record_type_are_scanned_for_secrets(
    module_deployment: Deployment, texts: dict[str, str]
) -> None:
    with psycopg.connect(module_deployment.admin_url) as connection:
        rows = [
            row
            for source_id in make.KIND_SOURCES.values()
            for row in read_texts(Tenant(connection, UUID(make.ACME)), source_id, None)[0]
        ]
    scanned = " ".join(f"{row['title']} {row['text']}" for row in rows)
    missing = [text for word, text in texts.items() if word not in scanned]
    assert not missing, f"decisions/list_texts: select {missing}"


@pytest.mark.usefixtures("texts")
def test_records_of_every_type_with_authors_are_erased(module_deployment: Deployment) -> None:
    written = {record_type.name for record_type in TYPES.values() if record_type.has_authors}
    with psycopg.connect(module_deployment.admin_url) as connection:
        people = find_people(Tenant(connection, UUID(make.ACME)), "", by_name=True)
        kinds = {row["platform"] for row in people}
        assert kinds == {*PEOPLE_KINDS}, "decisions/find_people: find the authors"
        types = {
            row["type"]
            for person in people
            for row in run(
                connection,
                "decisions/list_person_records",
                organization_id=make.ACME,
                platform=person["platform"],
                person_id=person["person_id"],
                usernames=person["usernames"],
            )
        }
    assert types == written, "decisions/list_person_records: list what an author wrote"


@pytest.mark.parametrize("kind", KINDS)
def test_tenancy_covers_every_kind(kind: str) -> None:
    """Each kind has a source that is not approved, with a marked record of each of its types."""
    where = f"tests/support/organizations.py: the kind {kind}"
    one = organizations.FLINT if kind in SINGLE_KINDS else organizations.AMBER
    sources = {
        record["sourceId"]
        for record in organizations.records(one)
        if record["type"] == "source"
        and record["data"]["kind"] == kind
        and organizations.HIDDEN in str(record["data"])
    }
    assert sources, f"{where} has no source that is not approved"
    types = {
        one["type"] for one in make.everything() if one.get("sourceId") == make.KIND_SOURCES[kind]
    }
    for name in types - {"source"}:
        records = [
            record
            for record in organizations.records(one)
            if record["type"] == name and record["sourceId"] in sources
        ]
        assert records, f"{where} has no {name} that is not approved"
        for record in records:
            assert organizations.HIDDEN in str(record["data"]), (
                f"{where}: no text of its {name} contains HIDDEN; write one in _exposed and _hidden"
            )


# Every file agrees with the kinds of source in orgctx/operations/source_kinds.py


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
    assert document.kinds() == declared, (
        "docs/contract.md: the table of 2.4 differs from orgctx/operations/source_kinds.py"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_kind_is_listed_and_counted(acme: Deployment, kind: str) -> None:
    key = acme.issue_key(make.ACME, make.OWNER, [SOURCE_KINDS[kind].scope, "context:read"])
    with acme.client(key) as client:
        response = client.get("/api/v1/sources")
    found = {source["kind"]: source for source in response.json["data"]}  # type: ignore[index]
    assert kind in found, f"orgctx/operations/source_kinds.py: SCOPES lacks the scope of {kind}"
    counted = found[kind].get("count", 0) > 0
    assert counted == SOURCE_KINDS[kind].is_counted, (
        f"bundle/count_records: count the records of kind {kind}"
    )


@types
def test_sources_of_deleted_records_are_counted_again(name: str) -> None:
    staging = TYPES[name].staging
    statement = TYPES[name].prepared_by
    fills = statement and staging in sql(statement) and "source_changes" in sql(statement)
    counted = TYPES[name].touched_by or fills
    assert counted or TYPES[name].deleted_by, (
        f"orgctx/bundle/records.py: prepared_by of {name} adds sources of deleted records"
    )


def test_search_covers_every_kind() -> None:
    searched = {kind for kinds in PARTS.values() for kind in kinds}
    missing = set(KINDS) - searched
    assert not missing, f"orgctx/resources/search/items.py: PARTS lacks {missing}"
