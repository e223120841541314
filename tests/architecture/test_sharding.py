"""Statements work in a database that is sharded by organization."""

import re
from functools import cache
from typing import Any

import psycopg
import pytest
from pglast import ast, parse_sql
from pglast.visitors import Visitor

from orgctx.stores.db import sql, statements
from tests.architecture.test_sql import (
    CHECKED,
    PLACEHOLDER,
    RESOURCE_STATEMENTS,
    numbered,
    texts,
)
from tests.architecture.tied import Statement

SCHEMA = [
    statement.stmt
    for name in statements()
    if name.startswith("schema/")
    for statement in parse_sql(sql(name))
]
# Views too: a statement that reads one ties it like a table.
TABLES = frozenset(
    str((statement.view if isinstance(statement, ast.ViewStmt) else statement.relation).relname)
    for statement in SCHEMA
    if isinstance(statement, ast.CreateStmt | ast.ViewStmt)
)
# Operators may list the audit of all organizations, metrics count their held documents, and the
# desk reads its key before it knows one.
OF_ALL = {
    "decisions/list_audit": {"audit"},
    "http/count_held": {"knowledge_suppressions"},
    "desk/read_signing_secret": {"desk_signing_secret"},
}
VOLATILE = re.compile(r"\b(?:clock_timestamp|timeofday|random|gen_random_uuid)\b")


@cache
def reference_tables() -> frozenset[str]:
    """Tables that are read before the organization is known, so every server holds all of them."""
    texts = (re.sub("--.*", "", sql(name)) for name in statements() if name.startswith("gate/"))
    gate = [text for text in texts if "%(organization_id)s" not in text]
    definers = [
        str(statement)
        for statement in SCHEMA
        if isinstance(statement, ast.CreateFunctionStmt)
        and "security" in {option.defname for option in statement.options}
    ]
    return TABLES & set(re.findall(r"\w+", " ".join((*gate, *definers))))


def untied(text: str) -> set[str]:
    """The tables of a statement that are not tied to its organization."""
    return set(Statement(numbered(text, "organization_id", "organization_ids"), TABLES).untied())


def test_statement_ties_every_table_to_the_organization() -> None:
    for name in CHECKED:
        for text in texts(name):
            loose = untied(text) - reference_tables()
            message = f"sql/{name}.sql: these tables are not tied to the parameter organization_id"
            assert loose == OF_ALL.get(name, set()), message


def test_update_calls_no_volatile_function() -> None:
    """Citus rejects volatile functions; statement_timestamp() is stable."""
    for name in CHECKED:
        updates = [text for text in texts(name) if "UPDATE" in text]
        calls = [call for text in updates for call in VOLATILE.findall(text)]
        assert not calls, f"sql/{name}.sql calls {calls}"


def test_migration_drops_one_index_at_a_time() -> None:
    """Citus rejects several at once."""
    for statement in SCHEMA:
        objects = statement.objects if isinstance(statement, ast.DropStmt) else None
        assert len(objects or ()) <= 1, statement


def test_reference_tables_are_few() -> None:
    assert reference_tables() == {
        "api_keys", "member_identities", "members", "organizations", "sources",
    }  # fmt: skip


class TableNames(Visitor):
    """The tables that a statement names."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def visit_RangeVar(self, _: object, node: ast.RangeVar) -> None:  # noqa: N802
        self.names.append(str(node.relname))


def test_shards_replace_every_table() -> None:
    """cli/citus/create_run_on_shard finds every table of a statement, and nothing else."""
    for name in RESOURCE_STATEMENTS:
        (text,) = texts(name)
        visitor = TableNames()
        visitor(parse_sql(PLACEHOLDER.sub("$1", text)))
        replaced = re.findall(r"\b(?:FROM|JOIN)\s+(\w+)\b", text)
        tables = sorted(table for table in visitor.names if table in TABLES)
        assert tables == sorted(table for table in replaced if table in TABLES), name


@pytest.mark.parametrize(
    "text",
    [
        "SELECT FROM assets",
        "SELECT FROM assets AS a WHERE a.organization_id = %(organization_id)s OR true",
        "SELECT FROM assets AS a JOIN tokens AS t ON t.organization_id = a.organization_id",
        "SELECT FROM tokens AS t WHERE t.organization_id = %(organization_id)s"
        " AND EXISTS (SELECT FROM assets AS a WHERE a.source_id = t.source_id)",
        "WITH w AS (SELECT id FROM assets) SELECT FROM w",
        "UPDATE assets SET name = '' FROM (SELECT 1) AS s WHERE id = %(organization_id)s",
        "DELETE FROM assets AS a USING tokens AS t"
        " WHERE t.organization_id = %(organization_id)s AND a.source_id = t.source_id",
        "SELECT (SELECT count(*) FROM assets) FROM tokens"
        " WHERE organization_id = %(organization_id)s",
    ],
)
def test_untied_finds_each_loose_table(text: str) -> None:
    assert untied(text)


# Every table can be distributed by organization


# Keys are looked up before their organization is known, the audit for all organizations, and search
# tokens begin with a key of their organization and source. One secret is that of the whole desk.
EXCEPTIONS = {
    "api_keys_by_hash", "audit_by_sequence", "knowledge_search_tokens", "desk_signing_secret_pkey",
}  # fmt: skip
INDEXES = r"""
    SELECT
        t.relname, i.relname,
        substring(pg_get_indexdef(i.oid, 1, true) FROM '^(?:keyed_text_tokens\()?(\w+)')
    FROM pg_index AS x
    JOIN pg_class AS t ON t.oid = x.indrelid
    JOIN pg_class AS i ON i.oid = x.indexrelid
    JOIN pg_namespace AS n ON n.oid = t.relnamespace
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
WITHOUT_ORGANIZATION_OR_PRIMARY_KEY = """
    SELECT t.relname
    FROM pg_class AS t
    JOIN pg_namespace AS n ON n.oid = t.relnamespace
    WHERE n.nspname = 'public' AND t.relkind = 'r' AND NOT (
        EXISTS (
            SELECT FROM pg_attribute AS a
            WHERE a.attrelid = t.oid AND a.attname = 'organization_id' AND a.attnotnull
        )
        AND EXISTS (SELECT FROM pg_index AS x WHERE x.indrelid = t.oid AND x.indisprimary)
    )
"""


def ours(connection: psycopg.Connection[Any], query: str) -> list[tuple[Any, ...]]:
    """Rows about tables, except the list of migrations, which belongs to no organization."""
    rows = connection.execute(query).fetchall()
    return [row for row in rows if "migrations" not in row[0]]


@pytest.mark.parametrize("query", [INDEXES, FOREIGN_KEYS], ids=["indexes", "foreign keys"])
def test_indexes_and_foreign_keys_begin_with_organization_id(
    database: psycopg.Connection[Any], query: str
) -> None:
    rows = ours(database, query)
    assert len(rows) > 8
    wrong = {name for _, name, column in rows if column != "organization_id"} - EXCEPTIONS
    assert not wrong, f"sql/schema: begin {wrong} with organization_id"


def test_tables_belong_to_organizations(database: psycopg.Connection[Any]) -> None:
    assert ours(database, WITHOUT_ORGANIZATION_OR_PRIMARY_KEY) == [("desk_signing_secret",)]
