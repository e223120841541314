"""A record may only refer to fitting records of its organization that precede it."""

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
KINDS = {one["sourceId"]: one["data"]["kind"] for one in RECORDS if one["type"] == "source"}
NO_ORGANIZATION = "organizationId names no organization that is stored or comes earlier"
NO_SOURCE = "sourceId names no source that is stored or comes earlier"

of_organizations = pytest.mark.parametrize(
    "name", [name for name in TYPES if name != "organization"]
)
SOURCED = [name for name, one in TYPES.items() if one.has_source and name != "source"]
of_sources = pytest.mark.parametrize("name", SOURCED)


@pytest.fixture(scope="module")
def loaded(module_deployment: Deployment) -> Deployment:
    """An organization with everything, and another with nothing but its name."""
    module_deployment.load([*RECORDS, make.organization(OTHER, slug="other")])
    return module_deployment


def fault(loaded: Deployment, *records: dict[str, Any]) -> str:
    with pytest.raises(BundleError) as caught:
        loaded.load(list(records))
    (fault,) = caught.value.faults
    assert fault.startswith(f"record:{len(records)}: "), fault
    return fault


@of_organizations
def test_an_unknown_organization(loaded: Deployment, name: str) -> None:
    record = EXAMPLES[name] | {"organizationId": make.uuid("nobody")}
    assert NO_ORGANIZATION in fault(loaded, record)


@of_sources
def test_an_unknown_source(loaded: Deployment, name: str) -> None:
    assert NO_SOURCE in fault(loaded, EXAMPLES[name] | {"sourceId": "none:such"})


@of_sources
def test_another_organizations_source(loaded: Deployment, name: str) -> None:
    """Equal ids do not conflict: only ACME has the source."""
    assert NO_SOURCE in fault(loaded, EXAMPLES[name] | {"organizationId": OTHER})


@of_sources
def test_a_source_that_comes_later(loaded: Deployment, name: str) -> None:
    late = make.source(KINDS[EXAMPLES[name]["sourceId"]], "late:one", organization_id=OTHER)
    early = EXAMPLES[name] | {"organizationId": OTHER, "sourceId": "late:one"}
    with pytest.raises(BundleError) as caught:
        loaded.load([early, late])
    assert caught.value.faults[0].startswith("record:1: ")
    assert NO_SOURCE in caught.value.faults[0]


@of_sources
@pytest.mark.parametrize("kind", SOURCE_KINDS)
def test_a_source_of_another_kind(loaded: Deployment, name: str, kind: str) -> None:
    """The message names the wrong kind and the required kind."""
    source_id = make.KIND_SOURCES[kind]
    record = EXAMPLES[name]
    if record["sourceId"] == source_id:
        assert loaded.load([record])[name]["unchanged"] == 1
        return
    assert f"sourceId names a source of kind {kind}; this record needs one of kind " in fault(
        loaded, record | {"sourceId": source_id}
    )


def is_counted(name: str) -> bool:
    """Whether sources show how many records of this type they have, and one can move."""
    reads_it = re.search(rf"\b{TYPES[name].table}\b", re.sub("--.*", "", sql("cli/count_records")))
    return bool(reads_it) and not SOURCE_KINDS[KINDS[EXAMPLES[name]["sourceId"]]].is_single


@pytest.mark.parametrize("name", [name for name in SOURCED if is_counted(name)])
def test_both_sources_are_counted_when_a_record_moves(deployment: Deployment, name: str) -> None:
    """The load counts the old and the new source again."""
    before = EXAMPLES[name]["sourceId"]
    kind = KINDS[before]
    deployment.load(RECORDS)
    deployment.load([make.source(kind, "moved:to"), EXAMPLES[name] | {"sourceId": "moved:to"}])
    counts = dict(deployment.execute("SELECT id, record_count FROM sources"))
    stored = [one for one in RECORDS if one["type"] == name and one["sourceId"] == before]
    table = TYPES[name].table
    assert counts["moved:to"] == 1, f"sql/cli/count_records.sql does not count {table}"
    where = f"sql/load/note_touched.sql: the source that a record of {table} leaves"
    assert counts[before] == len(stored) - 1, where
