"""The tables of docs/contract.md, and what their words mean as JSON Schema."""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.contract import shapes
from tests.contract.promises import DOCUMENT
from tests.contract.shapes import Shape

TABLE = re.compile(r"^### [\d.]+ (\w+)\n\n\| member .*\n\|---.*\n((?:\|.*\n)+)", re.MULTILINE)
OPTIONAL = ", optional"

TYPES: dict[str, Shape] = {
    "string": shapes.STRING,
    "string or null": shapes.nullable(shapes.STRING),
    "string uuid": shapes.UUID,
    "string uuid or null": shapes.nullable(shapes.UUID),
    "boolean": shapes.BOOLEAN,
    "integer >=0": shapes.COUNT,
    "integer >=1": shapes.POSITIVE,
    "integer or null": shapes.nullable(shapes.INTEGER),
    "date-time": shapes.DATE_TIME,
    "date-time or null": shapes.nullable(shapes.DATE_TIME),
    "array of Scope, unique items": shapes.array(shapes.SCOPE, uniqueItems=True),
    "array of ContextSource": shapes.array(shapes.CONTEXT_SOURCE),
}
ENUMERATION = re.compile(r"[a-z_]+(, [a-z_]+)+|public, team")
NAMED_MEMBER = re.compile(r"(\w+) \((?:[^()]|\([^()]*\))*\)")


class Row(NamedTuple):
    """One row: the member that it is about and what it says of it."""

    table: str
    member: str
    type: str
    is_required: bool
    notes: str


def rows() -> list[Row]:
    """All rows of all tables, in order."""
    tables = TABLE.findall(DOCUMENT.read_text("utf-8"))
    return [_row(table, line) for table, lines in tables for line in lines.splitlines()]


def _row(table: str, line: str) -> Row:
    member, type_, notes = (cell.strip() for cell in line.strip("|").split("|"))
    return Row(table, member, type_.removesuffix(OPTIONAL), OPTIONAL not in type_, notes)
