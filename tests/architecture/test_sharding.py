"""Every statement stays within its organization, so that a database sharded by it can run it."""

from __future__ import annotations

import re

import pytest
from pglast import ast, parse_sql
from pglast.visitors import Visitor

from orgctx.stores.db import sql
from tests.architecture.test_sql import (
    NAMES,
    PLACEHOLDER,
    RESOURCE_STATEMENTS,
    STATEMENTS,
    UTILITIES,
    texts,
)
from tests.architecture.tied import Statement

SCHEMA = [
    statement.stmt
    for name in NAMES
    if name.startswith("schema/")
    for statement in parse_sql(sql(name))
]
TABLES = frozenset(
    str(statement.relation.relname) for statement in SCHEMA if isinstance(statement, ast.CreateStmt)
)
CHECKED = [name for name in STATEMENTS if name not in UTILITIES and not name.startswith("citus/")]
# An operator who names no organization lists the audit records of all.
OF_ALL = {"cli/list_audit": {"audit"}}


def reference_tables() -> frozenset[str]:
    """Tables that are read before the organization is known, so every server holds all of them."""
    gate = [re.sub("--.*", "", sql(name)) for name in NAMES if name.startswith("gate/")]
    definers = [
        str(statement)
        for statement in SCHEMA
        if isinstance(statement, ast.CreateFunctionStmt)
        and "security" in {option.defname for option in statement.options}
    ]
    return TABLES & set(re.findall(r"\w+", " ".join((*gate, *definers))))


def untied(text: str) -> set[str]:
    """The tables of a statement that are not tied to its organization."""
    numbers = {"organization_id": 1, "organization_ids": 1}

    def number(match: re.Match[str]) -> str:
        return f"${numbers.setdefault(match[1], len(numbers) + 1)}"

    numbered = PLACEHOLDER.sub(number, text).replace("%%", "%")
    return set(Statement(numbered, TABLES).untied())


@pytest.mark.parametrize("name", CHECKED)
def test_statement_ties_every_table_to_the_organization(name: str) -> None:
    for text in texts(name):
        loose = untied(text) - reference_tables()
        message = f"sql/{name}.sql: these tables are not tied to the parameter organization_id"
        assert loose == OF_ALL.get(name, set()), message


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


@pytest.mark.parametrize("name", RESOURCE_STATEMENTS)
def test_shards_replace_every_table(name: str) -> None:
    """citus/create_run_on_shard finds every table of a statement, and nothing else."""
    (text,) = texts(name)
    visitor = TableNames()
    visitor(parse_sql(PLACEHOLDER.sub("$1", text)))
    replaced = re.findall(r"\b(?:FROM|JOIN)\s+(\w+)\b", text)
    tables = sorted(name for name in visitor.names if name in TABLES)
    assert tables == sorted(name for name in replaced if name in TABLES)


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
