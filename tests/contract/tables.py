"""The table of kinds and the lists of docs/contract.md."""

import re
from typing import NamedTuple

from tests.contract.promises import DOCUMENT, promises

KINDS = re.compile(r"^\| kind \| scope \| prefix \|\n\|---.*\n((?:\|.*\n)+)", re.MULTILINE)


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


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")]
