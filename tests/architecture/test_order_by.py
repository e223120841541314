"""ORDER BY and DISTINCT ON never name an output column that hides an input column.

PostgreSQL reads a bare name there as the output column: `min(x) OVER () AS x … ORDER BY x` sorts by
the minimum, and rows that differ in the column x come in any order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from pglast import ast, parse_sql
from pglast.visitors import Visitor

from orgctx.stores.db import sql
from tests.architecture.test_sql import NAMES, PLACEHOLDER, texts


class Names(Visitor):
    """Collects the queries of a statement and the names of all columns that it defines or reads."""

    def __init__(self, text: str) -> None:
        self.queries: list[ast.SelectStmt] = []
        self.columns: set[str] = set()
        numbers = count(1)
        numbered = PLACEHOLDER.sub(lambda _: f"${next(numbers)}", text).replace("%%", "%")
        self(parse_sql(numbered))

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
    """The bare names in ORDER BY that hide one of these columns, or a column of a table."""
    names = Names(text)
    for query in names.queries:
        outputs = {one.name: one.val for one in query.targetList or () if one.name}
        sorted_by = [one.node for one in query.sortClause or ()]
        for node in [*sorted_by, *(one for one in query.distinctClause or () if one)]:
            output = outputs.get(name(node)) if is_bare(node) else None
            is_same = isinstance(output, ast.ColumnRef) and name(output) == name(node)
            if output and not is_same and name(node) in columns | names.columns:
                yield name(node)


@pytest.fixture(scope="module")
def columns() -> frozenset[str]:
    """The columns of all tables, stored and staged."""
    definitions = [one for one in NAMES if one.startswith("schema/")] + ["load/create_staging"]
    return frozenset().union(*(Names(sql(one)).columns for one in definitions))


@pytest.mark.parametrize("file", [one for one in NAMES if not one.startswith("schema/")])
def test_order_by_names_input_columns(columns: frozenset[str], file: str) -> None:
    found = [one for text in texts(file) for one in hidden(text, columns)]
    assert not found, f"sql/{file}.sql: qualify {found} in ORDER BY or DISTINCT ON"


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
