"""The promises of docs/contract.md with their tests, its table of kinds and its lists.

A test refers to the promise that it checks by number in its docstring: `[4.6.2]`.
"""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parents[1]
DOCUMENT = TESTS.parent / "docs" / "contract.md"
PROMISE = re.compile(r"^- \*\*([\d.]+)\*\* (.+(?:\n  .+)*)", re.MULTILINE)
KINDS = re.compile(r"^\| kind \| scope \| prefix \|\n\|---.*\n((?:\|.*\n)+)", re.MULTILINE)
QUOTE = re.compile(r"\[(\d+(?:\.\d+)+)\]")


@cache
def promises() -> dict[str, str]:
    """Return the text of each promise by its number."""
    text = DOCUMENT.read_text("utf-8")
    return {number: " ".join(words.split()) for number, words in PROMISE.findall(text)}


@cache  # because it parses every test that quotes a number
def holders() -> dict[str, list[str]]:
    """Return, for each number, the tests whose docstring contains it."""
    tests_by_number: dict[str, list[str]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        file = path.relative_to(TESTS.parent).as_posix()
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if QUOTE.search(text) else ():
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for number in QUOTE.findall(ast.get_docstring(node) or ""):
                    tests_by_number[number].append(f"{file}::{node.name}")
    return tests_by_number


class Kind(NamedTuple):
    """A kind of source. scope: reads it. prefix: of its knowledge items' ids, if it has any."""

    name: str
    scope: str
    prefix: str


def kinds() -> list[Kind]:
    """The table of kinds, in order."""
    (lines,) = KINDS.findall(DOCUMENT.read_text("utf-8"))
    rows = (line.removeprefix("|").removesuffix("|").split("|") for line in lines.splitlines())
    return [Kind(*map(str.strip, cells)) for cells in rows]


def scopes() -> list[str]:
    """The scopes that promise 2.3.1 lists."""
    return re.findall(r"\w+:read", promises()["2.3.1"])


def item_kinds() -> list[str]:
    """The kinds of search items that promise 2.6.2 lists."""
    return re.split(r", | or ", promises()["2.6.2"].partition(" item is ")[2].rstrip("."))
