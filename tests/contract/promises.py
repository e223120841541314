"""The promises of docs/contract.md, and their tests.

A test refers to the promise that it checks by number in its docstring: `[4.6.2]`.
"""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]
DOCUMENT = TESTS.parent / "docs" / "contract.md"
PROMISE = re.compile(r"^- \*\*([\d.]+)\*\* (.+(?:\n  .+)*)", re.MULTILINE)
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
