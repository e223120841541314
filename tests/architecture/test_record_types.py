"""A record type is one row of orgctx/bundle/records.py, with the SQL that belongs to it."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from orgctx.bundle.records import TYPES
from orgctx.bundle.staging import COMMON_COLUMNS
from orgctx.operations.source_kinds import KINDS, SINGLE_KINDS
from orgctx.stores.db import sql_directory
from tests.architecture.test_sharding import TABLES
from tests.support import factories as make
from tests.support import organizations
from tests.support.marked import is_marked

EXAMPLES: dict[str, dict[str, Any]] = {
    record["type"]: record["data"] for record in make.everything()
}
types = pytest.mark.parametrize("name", TYPES)
COLUMNS = """
    SELECT attname, atttypid::regtype::text FROM pg_attribute
    WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""


def columns(database: psycopg.Connection[Any], table: str) -> list[tuple[str, str]]:
    return database.execute(COLUMNS, [table]).fetchall()


def example(name: str) -> dict[str, Any]:
    assert name in EXAMPLES, f"tests/support/factories.py: everything() has no {name}"
    return EXAMPLES[name]


@types
def test_record_type_has_an_example(name: str) -> None:
    assert example(name)


def test_examples_are_of_known_types() -> None:
    unknown = EXAMPLES.keys() - TYPES.keys()
    assert not unknown, f"orgctx/bundle/records.py: TYPES lacks {unknown}"


@types
def test_record_type_has_a_table(name: str) -> None:
    """Read from the files: without the table, no database of the tests is migrated."""
    table = TYPES[name].table
    assert table in TABLES, f"sql/schema: write a migration that creates {table}"


@types
def test_record_type_has_a_staging_table(database: psycopg.Connection[Any], name: str) -> None:
    """Its own columns follow those of staged_records, which sees every type's rows."""
    where = f"sql/load/create_staging.sql: {TYPES[name].staging}"
    staged = [column for column, _ in columns(database, TYPES[name].staging)]
    parents = database.execute(
        "SELECT inhparent::regclass::text FROM pg_inherits WHERE inhrelid = to_regclass(%s)",
        [TYPES[name].staging],
    ).fetchall()
    assert parents == [("staged_records",)], f"{where} INHERITS (staged_records)"
    assert tuple(staged[: len(COMMON_COLUMNS)]) == COMMON_COLUMNS
    row = TYPES[name].row(TYPES[name].schema.parse(example(name)))
    assert len(row) == len(staged) - len(COMMON_COLUMNS), f"{where} has not the columns of its row"


@types
def test_record_type_has_its_statements(name: str) -> None:
    files = [f"load/merge_{TYPES[name].table}"]
    if not TYPES[name].has_tombstones:
        files.append(f"load/delete_{name.replace('.', '_')}")
    if TYPES[name].parent:
        files.append(f"load/count_of_{TYPES[name].parent_name}")
    for file in files:
        assert sql_directory().joinpath(f"{file}.sql").is_file(), f"write sql/{file}.sql"


@types
def test_record_type_names_the_kind_of_its_source(name: str) -> None:
    """A load asks only for a kind whether the source exists."""
    kind = TYPES[name].source_kind(TYPES[name].schema.parse(example(name)))
    belongs = TYPES[name].has_source and name != "source"
    assert bool(kind) == belongs, f"orgctx/bundle/records.py: source_kind of {name}"


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
        and is_marked(record, organizations.HIDDEN)
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
            assert is_marked(record, organizations.HIDDEN), (
                f"{where}: no text of its {name} contains HIDDEN; write one in _exposed and _hidden"
            )
