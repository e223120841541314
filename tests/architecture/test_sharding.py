"""Statements work in a database that is sharded by organization."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import psycopg
import pytest
from pglast import ast, parse_sql
from pglast.visitors import Visitor

from orgctx.bundle.records import TYPES
from orgctx.bundle.staging import create_staging
from orgctx.stores.db import sql, statements
from tests.architecture.test_sql import (
    CHECKED,
    PLACEHOLDER,
    RESOURCE_STATEMENTS,
    STATEMENTS,
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
TABLES = frozenset(
    str(statement.relation.relname) for statement in SCHEMA if isinstance(statement, ast.CreateStmt)
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


def test_untied_follows_joins() -> None:
    tied = """
        SELECT FROM telegram_chats AS c
        JOIN telegram_messages AS m USING (organization_id)
        CROSS JOIN LATERAL (
            SELECT FROM sources AS s WHERE s.organization_id = m.organization_id
        ) AS s
        WHERE c.organization_id = %(organization_id)s
    """
    assert untied(tied) == set()


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
    """Rows about our tables. yoyo's tables list migrations and belong to no organization."""
    rows = connection.execute(query).fetchall()
    return [row for row in rows if "yoyo" not in row[0]]


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


# ORDER BY and DISTINCT ON never name an output column that hides an input column


class Names(Visitor):
    """Collects the queries of a statement and the names of all columns that it defines or reads."""

    def __init__(self, text: str) -> None:
        self.queries: list[ast.SelectStmt] = []
        self.columns: set[str] = set()
        self(parse_sql(numbered(text)))

    def visit_SelectStmt(self, _: object, node: ast.SelectStmt) -> None:  # noqa: N802
        self.queries.append(node)

    def visit_ColumnRef(self, _: object, node: ast.ColumnRef) -> None:  # noqa: N802
        self.columns |= {name(node)} if not is_bare(node) else set()

    def visit_ColumnDef(self, _: object, node: ast.ColumnDef) -> None:  # noqa: N802
        self.columns.add(str(node.colname))


def name(column: Any) -> str:
    return str(getattr(column.fields[-1], "sval", "*"))


def is_bare(node: object) -> bool:
    return isinstance(node, ast.ColumnRef) and len(node.fields or ()) == 1


def hidden(text: str, columns: frozenset[str] = frozenset()) -> Iterator[str]:
    """The unqualified names in ORDER BY and DISTINCT ON that hide a column of a table."""
    names = Names(text)
    for query in names.queries:
        outputs = {target.name: target.val for target in query.targetList or () if target.name}
        sorted_by = [sort.node for sort in query.sortClause or ()]
        for node in filter(None, [*sorted_by, *(query.distinctClause or ())]):
            output = outputs.get(name(node)) if is_bare(node) else None
            is_same = isinstance(output, ast.ColumnRef) and name(output) == name(node)
            if output and not is_same and name(node) in columns | names.columns:
                yield name(node)


@pytest.fixture(scope="module")
def columns() -> frozenset[str]:
    """The columns of all tables, stored and staged."""
    schema = [sql(name) for name in statements() if name.startswith("schema/")]
    definitions = [*schema, *map(create_staging, TYPES.values())]
    return frozenset().union(*(Names(text).columns for text in definitions))


def test_order_by_names_input_columns(columns: frozenset[str]) -> None:
    for file in STATEMENTS:
        ambiguous = [column for text in texts(file) for column in hidden(text, columns)]
        assert not ambiguous, f"sql/{file}.sql: qualify {ambiguous} in ORDER BY or DISTINCT ON"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT min(s.x) OVER () AS x FROM s ORDER BY x", ["x"]),
        ("SELECT DISTINCT ON (x) s.y AS x FROM s WHERE s.x > 0", ["x"]),
        ("SELECT 1 FROM (SELECT -t.x AS x FROM t ORDER BY x LIMIT 1) AS s", ["x"]),
        ("SELECT min(s.x) OVER () AS x FROM s ORDER BY s.x", []),
        ("SELECT s.x AS x, count(*) AS n FROM s GROUP BY s.x ORDER BY x, n", []),
    ],
)
def test_hidden_finds_names_of_two_columns(text: str, expected: list[str]) -> None:
    assert list(hidden(text)) == expected
