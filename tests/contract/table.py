"""docs/contract.md: which test holds which sentence of the contract.

`python -m tests.contract.table` writes it anew. A docstring holds a sentence by
quoting it behind its section: `4.6 "Page size 20."` of service.md, or
`D4 "..."` of decisions.md; tests.contract.tables holds those of section 2's tables.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.contract.tables import rows

TESTS = Path(__file__).parents[1]
DOCUMENT = TESTS.parent / "docs" / "contract.md"
QUOTE = re.compile(r'(?:^|\s)(D?\d+(?:\.\d+)?)\s+"([^"]+)"')
ROW_TEST = "contract/test_section_2_tables.py::test_a_row_is_true"
INTRODUCTION = """\
# The contract and its tests

Each sentence of the contract that can be observed, and the tests that hold it. Numbers are
sections of the service's description; a D marks the decisions on what it leaves open. Besides,
every answer in `tests/contract` is checked against shapes written by hand, against the served
OpenAPI document, and for the headers of its status (`tests/contract/checks.py`).

Written by `python -m tests.contract.table`; a test tells when it is out of date.
"""


def quotes() -> Iterator[tuple[str, str, str]]:
    """Section, sentence and test, for each quote."""
    for path in sorted(TESTS.rglob("test_*.py")):
        file = path.relative_to(TESTS).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for section, sentence in QUOTE.findall(ast.get_docstring(node) or ""):
                    yield section, " ".join(sentence.split()), f"{file}::{node.name}"
    for row in rows():
        yield row.section, row.sentence, f"{ROW_TEST}[{row.table}.{row.member}]"


def order(section: str) -> tuple[bool, tuple[int, ...]]:
    """The service's description first, then the decisions."""
    numbers = tuple(int(number) for number in section.removeprefix("D").split("."))
    return section.startswith("D"), numbers


def document() -> str:
    """The whole of docs/contract.md."""
    tests: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for section, sentence, test in quotes():
        tests[section][sentence].append(test)
    parts = [INTRODUCTION]
    for section in sorted(tests, key=order):
        parts.append(f"## {section}\n\n| sentence | test |\n|---|---|")
        for sentence, names in tests[section].items():
            shown = "<br>".join(f"`{name}`" for name in names)
            escaped = sentence.replace("|", "\\|").replace("<", "&lt;")
            parts.append(f"| {escaped} | {shown} |")
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    DOCUMENT.write_text(document(), "utf-8")
