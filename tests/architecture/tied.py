"""Find out from a statement's syntax tree which tables are tied to its organization.

A table is tied if its organization_id equals the parameter, or the organization_id of a table that
is tied, in a condition that every row meets. A database that is distributed by organization then
knows where the statement runs.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pglast import ast, parse_sql
from pglast.enums import A_Expr_Kind, BoolExprType

COLUMN = "organization_id"
# Statements get their organization, or all of their organizations, as $1.
PARAMETER = 1
EQUALITIES = (A_Expr_Kind.AEXPR_OP, A_Expr_Kind.AEXPR_OP_ANY)

Node = Any


@dataclass
class Scope:
    """The names of one query. outer: the names of the query around it."""

    outer: "Scope | None" = None
    names: dict[str, object] = field(default_factory=dict)
    queries: set[str] = field(default_factory=set)

    def find(self, name: str) -> object | None:
        here = self.names.get(name)
        return here if here or self.outer is None else self.outer.find(name)

    def has_query(self, name: str) -> bool:
        return name in self.queries or (self.outer is not None and self.outer.has_query(name))


class Statement:
    """The tables of a statement, and which of them have equal organizations."""

    def __init__(self, text: str, tables: frozenset[str]) -> None:
        self._tables = tables
        self._read: list[tuple[str, object]] = []
        self._equal: list[tuple[object, object]] = []
        for statement in parse_sql(text):
            self._query(statement.stmt, Scope())

    def untied(self) -> list[str]:
        """The tables whose rows may belong to any organization."""
        tied: set[object] = {PARAMETER}
        while (
            more := {b for pair in self._equal for a, b in (pair, pair[::-1]) if a in tied} - tied
        ):
            tied |= more
        return [name for name, one in self._read if one not in tied]

    def _query(self, node: Node, outer: Scope | None) -> None:
        scope = Scope(outer)
        if node.withClause:
            scope.queries.update(query.ctename for query in node.withClause.ctes)
            for query in node.withClause.ctes:
                self._query(query.ctequery, scope)
        for name in ("larg", "rarg", "selectStmt"):
            if part := getattr(node, name, None):
                self._query(part, scope)
        for item in _tables(node):
            self._from(item, scope)
        if where := getattr(node, "whereClause", None):
            self._condition(where, scope)
        for one in _below(node):
            self._query(one, scope)

    def _from(self, item: Node, scope: Scope) -> None:
        if isinstance(item, ast.JoinExpr):
            self._from(item.larg, scope)
            self._from(item.rarg, scope)
            using = [one.sval for one in item.usingClause or ()]
            if COLUMN in using:
                sides = [scope.names[_alias(side)] for side in (item.larg, item.rarg)]
                self._equal.append((sides[0], sides[1]))
            if item.quals:
                self._condition(item.quals, scope)
            return
        one = object()
        name = str(getattr(item, "relname", ""))
        if name in self._tables and not scope.has_query(name):
            self._read.append((name, one))
        scope.names[_alias(item)] = one
        if isinstance(item, ast.RangeSubselect):
            self._query(item.subquery, scope)

    def _condition(self, node: Node, scope: Scope) -> None:
        if isinstance(node, ast.BoolExpr) and node.boolop == BoolExprType.AND_EXPR:
            for part in node.args:
                self._condition(part, scope)
        elif isinstance(node, ast.A_Expr) and node.kind in EQUALITIES:
            left = self._organization(node.lexpr, scope)
            right = self._organization(node.rexpr, scope)
            if left and right and node.name[-1].sval == "=":
                self._equal.append((left, right))

    def _organization(self, node: Node, scope: Scope) -> object | None:
        """The table whose organization_id an expression is, or the parameter."""
        if isinstance(node, ast.TypeCast):
            node = node.arg
        if isinstance(node, ast.ParamRef) and node.number == PARAMETER:
            return PARAMETER
        if not isinstance(node, ast.ColumnRef):
            return None
        *table, column = [getattr(one, "sval", "*") for one in node.fields or ()]
        if column != COLUMN:
            return None
        if table:
            return scope.find(table[0])
        (here,) = scope.names.values()
        return here


def _tables(node: Node) -> Iterator[Node]:
    """The tables that a query reads, updates or deletes from; INSERT only adds."""
    if isinstance(node, ast.UpdateStmt | ast.DeleteStmt):
        yield node.relation
    for name in ("fromClause", "usingClause"):
        for item in getattr(node, name, None) or ():
            yield item.relation if isinstance(item, ast.RangeTableSample) else item


def _alias(item: Node) -> str:
    if isinstance(item, ast.JoinExpr):
        return _alias(item.larg)
    if item.alias:
        return str(item.alias.aliasname)
    return str(getattr(item, "relname", ""))


def _below(node: Node) -> Iterator[Node]:
    """The queries in the expressions of a query."""
    skipped = {"withClause", "larg", "rarg", "selectStmt"}
    parts = [getattr(node, name) for name in node if name not in skipped]
    while parts:
        part = parts.pop()
        if isinstance(part, tuple | list):
            parts.extend(part)
        elif isinstance(part, ast.SubLink):
            yield part.subselect
            parts.append(part.testexpr)
        elif isinstance(part, ast.RangeSubselect | ast.SelectStmt):
            continue
        elif isinstance(part, ast.Node):
            parts.extend(getattr(part, name) for name in part)
