"""Every table can be distributed by organization."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

# A request brings only a key, and the service looks up the organization that it belongs to.
# Looked up before the organization is known, and by operators for all organizations.
EXCEPTIONS = {"api_keys_by_hash", "audit_by_sequence"}

INDEXES = """
    SELECT t.relname, i.relname, a.attname
    FROM pg_index AS x
    JOIN pg_class AS t ON t.oid = x.indrelid
    JOIN pg_class AS i ON i.oid = x.indexrelid
    JOIN pg_namespace AS n ON n.oid = t.relnamespace
    LEFT JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = x.indkey[0]
    WHERE n.nspname = 'public'
"""
FOREIGN_KEYS = """
    SELECT t.relname, c.conname, a.attname
    FROM pg_constraint AS c
    JOIN pg_class AS t ON t.oid = c.conrelid
    JOIN pg_namespace AS n ON n.oid = t.relnamespace
    JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = c.conkey[1]
    WHERE n.nspname = 'public' AND c.contype = 'f'
"""
WITHOUT_ORGANIZATION = """
    SELECT t.relname
    FROM pg_class AS t
    JOIN pg_namespace AS n ON n.oid = t.relnamespace
    WHERE n.nspname = 'public' AND t.relkind = 'r' AND NOT EXISTS (
        SELECT FROM pg_attribute AS a
        WHERE a.attrelid = t.oid AND a.attname = 'organization_id' AND a.attnotnull
    )
"""
WITHOUT_PRIMARY_KEY = """
    SELECT t.relname
    FROM pg_class AS t
    JOIN pg_namespace AS n ON n.oid = t.relnamespace
    WHERE n.nspname = 'public' AND t.relkind = 'r' AND NOT EXISTS (
        SELECT FROM pg_index AS x WHERE x.indrelid = t.oid AND x.indisprimary
    )
"""


@pytest.fixture(scope="module")
def database(module_database_url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(module_database_url) as connection:
        yield connection


def ours(connection: psycopg.Connection[Any], query: str) -> list[tuple[Any, ...]]:
    """Rows about our tables. yoyo's tables list migrations and belong to no organization."""
    rows = connection.execute(query).fetchall()
    return [row for row in rows if "yoyo" not in row[0]]


@pytest.mark.parametrize("query", [INDEXES, FOREIGN_KEYS], ids=["indexes", "foreign keys"])
def test_indexes_and_foreign_keys_begin_with_organization_id(
    database: psycopg.Connection[Any], query: str
) -> None:
    rows = ours(database, query)
    assert len(rows) > 8
    leading = {name: column for _, name, column in rows if name not in EXCEPTIONS}
    assert set(leading.values()) == {"organization_id"}, leading


def test_tables_belong_to_organizations(database: psycopg.Connection[Any]) -> None:
    assert ours(database, WITHOUT_ORGANIZATION) == []
    assert ours(database, WITHOUT_PRIMARY_KEY) == []


def test_reader_may_only_select(database: psycopg.Connection[Any]) -> None:
    granted = ours(
        database,
        """
        SELECT table_name, privilege_type FROM information_schema.role_table_grants
        WHERE grantee = 'orgctx_reader'
        """,
    )
    assert {privilege for _, privilege in granted} == {"SELECT"}
    assert not {"api_keys", "members"} & {table for table, _ in granted}
