"""The tables of resources.md in this folder, and the kinds and lists of docs/contract.md."""

import re
from pathlib import Path
from typing import NamedTuple

from tests.contract.promises import DOCUMENT, promises

TABLE = re.compile(r"^### [\d.]+ (\w+)\n\n\| member .*\n\|---.*\n((?:\|.*\n)+)", re.MULTILINE)
KINDS = re.compile(r"^\| kind \| scope \| prefix \|\n\|---.*\n((?:\|.*\n)+)", re.MULTILINE)
OPTIONAL = ", optional"
RESOURCES = Path(__file__).with_name("resources.md")

ENUMERATION = re.compile(r"[a-z_]+(, [a-z_]+)+|public, team")
NAMED_MEMBER = re.compile(r"(\w+) \(((?:[^()]|\([^()]*\))*)\)")


class Row(NamedTuple):
    """One row: a member and its description."""

    table: str
    member: str
    type: str
    is_required: bool
    notes: str


class Kind(NamedTuple):
    """A kind of source. scope: reads it. prefix: of its knowledge items' ids, if it has any."""

    name: str
    scope: str
    prefix: str


def kinds() -> list[Kind]:
    """The table of kinds, in order."""
    (lines,) = KINDS.findall(DOCUMENT.read_text("utf-8"))
    return [Kind(*_cells(line)) for line in lines.splitlines()]


def scopes() -> list[str]:
    """The scopes that promise 2.3.1 lists."""
    return re.findall(r"\w+:read", promises()["2.3.1"])


def item_kinds() -> list[str]:
    """The kinds of search items that promise 2.6.2 lists."""
    return re.split(r", | or ", promises()["2.6.2"].partition(" item is ")[2].rstrip("."))


def rows() -> list[Row]:
    """All rows of all tables, in order."""
    tables = TABLE.findall(RESOURCES.read_text("utf-8"))
    return [_row(table, line) for table, lines in tables for line in lines.splitlines()]


def _row(table: str, line: str) -> Row:
    member, type_, notes = _cells(line)
    return Row(table, member, type_.removesuffix(OPTIONAL), OPTIONAL not in type_, notes)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")]
