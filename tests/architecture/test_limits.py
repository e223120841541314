"""Check each value, setting and constant of docs/limits.md against the code."""

from __future__ import annotations

import re
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs/limits.md").read_text("utf-8")
UNITS = {"": 1, "s": 1, "KiB": 1024, "MiB": 1024**2}
VALUE = re.compile(r"([0-9,.]+)(?: (s|KiB|MiB))?")
COLUMNS = 4
PREFIX = "ORGCTX_"


class Row(NamedTuple):
    """One limit.

    names: settings, or dotted names of constants, which all have its value.
    """

    what: str
    value: str
    names: str
    response: str


def rows() -> list[Row]:
    lines = [line.strip("|").split("|") for line in DOCUMENT.splitlines() if line.startswith("|")]
    assert {len(cells) for cells in lines} == {COLUMNS}
    cells = [[cell.strip() for cell in line] for line in lines]
    return [Row(*row) for row in cells if row[0] != "what" and set(row[0]) != {"-"}]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def constant(name: str) -> str:
    """Return the dotted name of a setting's default; a constant is its own name."""
    if name.startswith(PREFIX):
        return f"orgctx.config.settings.Config.{name.removeprefix(PREFIX).lower()}"
    return name


def resolve(name: str) -> object:
    """The value of a dotted name: in a module, or in a class of one."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        return reduce(getattr, parts[length:], found)
    raise AssertionError(f"no module of {name}")


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.what)
def test_limit_matches_code_and_tests(row: Row) -> None:
    value = VALUE.fullmatch(row.value)
    assert value is not None, row.value
    number = float(value[1].replace(",", "")) * UNITS[value[2] or ""]
    assert quoted(row.names)
    for name in quoted(row.names):
        assert resolve(constant(name)) == number, name
        assert "." in name or f"{name}=" in (ROOT / ".env.example").read_text("utf-8"), name


def test_limits_are_listed_once() -> None:
    names = [name for row in rows() for name in quoted(row.names)]
    assert sorted(names) == sorted(set(names))
