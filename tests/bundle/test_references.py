"""A record may only refer to matching records of its organization that precede it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from orgctx.bundle import BundleError
from orgctx.bundle.records import TYPES
from orgctx.operations.source_kinds import SOURCE_KINDS
from orgctx.stores.db import sql
from tests.support import factories as make
from tests.support.deployment import Deployment

OTHER = make.uuid("another organization")
RECORDS = make.everything()
EXAMPLES = {record["type"]: record for record in reversed(RECORDS)}
KINDS = {
    record["sourceId"]: record["data"]["kind"] for record in RECORDS if record["type"] == "source"
}
NO_ORGANIZATION = "organizationId names no organization that is stored or comes earlier"
NO_SOURCE = "sourceId names no source that is stored or comes earlier"
SOURCED = [name for name, type_ in TYPES.items() if type_.has_source and name != "source"]


@pytest.fixture(scope="module")
def loaded(module_deployment: Deployment) -> Deployment:
    """An organization with everything, and another with nothing but its name."""
    module_deployment.load([*RECORDS, make.organization(OTHER, slug="other")])
    return module_deployment


def error(loaded: Deployment, *records: dict[str, Any]) -> str:
    """The first error of a load, which is of its first record."""
    with pytest.raises(BundleError) as caught:
        loaded.load(list(records))
    first = caught.value.errors[0]
    assert first.startswith("record:1: "), first
    return first


@pytest.mark.parametrize("name", [name for name in TYPES if name != "organization"])
def test_organization_must_be_stored(loaded: Deployment, name: str) -> None:
    record = EXAMPLES[name] | {"organizationId": make.uuid("nobody")}
    assert NO_ORGANIZATION in error(loaded, record)


@pytest.mark.parametrize("name", SOURCED)
def test_source_must_precede_the_record(loaded: Deployment, name: str) -> None:
    record = EXAMPLES[name]
    assert NO_SOURCE in error(loaded, record | {"sourceId": "none:such"})
    # Only ACME has a source with this id.
    assert NO_SOURCE in error(loaded, record | {"organizationId": OTHER})
    late = make.source(KINDS[record["sourceId"]], "late:one", organization_id=OTHER)
    early = record | {"organizationId": OTHER, "sourceId": "late:one"}
    assert NO_SOURCE in error(loaded, early, late)


@pytest.mark.parametrize("name", SOURCED)
@pytest.mark.parametrize("kind", SOURCE_KINDS)
def test_source_must_be_of_the_kind_of_the_record(loaded: Deployment, name: str, kind: str) -> None:
    """The message names the wrong kind and the required kind."""
    source_id = make.KIND_SOURCES[kind]
    record = EXAMPLES[name]
    if record["sourceId"] == source_id:
        assert loaded.load([record])[name]["unchanged"] == 1
        return
    assert f"sourceId names a source of kind {kind}; this record needs one of kind " in error(
        loaded, record | {"sourceId": source_id}
    )


def is_counted(name: str) -> bool:
    """Whether sources show how many records of this type they have, and one can move."""
    reads_it = re.search(rf"\b{TYPES[name].table}\b", re.sub("--.*", "", sql("cli/count_records")))
    return bool(reads_it) and not SOURCE_KINDS[KINDS[EXAMPLES[name]["sourceId"]]].is_single


@pytest.mark.parametrize("name", [name for name in SOURCED if is_counted(name)])
def test_moved_record_is_counted_in_both_sources(deployment: Deployment, name: str) -> None:
    before = EXAMPLES[name]["sourceId"]
    kind = KINDS[before]
    deployment.load(RECORDS)
    deployment.load([make.source(kind, "moved:to"), EXAMPLES[name] | {"sourceId": "moved:to"}])
    counts = dict(deployment.execute("SELECT id, record_count FROM sources"))
    stored = [r for r in RECORDS if r["type"] == name and r["sourceId"] == before]
    table = TYPES[name].table
    assert counts["moved:to"] == 1, f"sql/cli/count_records.sql does not count {table}"
    message = f"sql/load/note_touched.sql: the source that a record of {table} leaves"
    assert counts[before] == len(stored) - 1, message
