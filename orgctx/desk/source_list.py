"""The list of sources: filters, and pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from werkzeug.datastructures import MultiDict

from orgctx.decisions import sources
from orgctx.decisions.rehearsal import APPROVE, INCLUDE
from orgctx.operations.source_kinds import KINDS

PAGE_SIZE = 25
LONGEST_TERM = 100

Row = dict[str, Any]

# Which sources each filter by decision shows.
STATES: dict[str, Callable[[Row], bool]] = {
    "readable": lambda row: all(row[opening.column] for opening in (APPROVE, INCLUDE)),
    APPROVE.undone: lambda row: not row[APPROVE.column],
    INCLUDE.undone: lambda row: not row[INCLUDE.column],
}


@dataclass(frozen=True)
class Filters:
    """What a page of the list shows. Empty: all."""

    kind: str = ""
    state: str = ""
    term: str = ""  # part of the name or id
    page: int = 1

    @classmethod
    def of(cls, fields: MultiDict[str, str]) -> Filters:
        """Return the filters of an address or form; values that do not exist filter nothing."""
        kind, state = fields.get("kind", ""), fields.get("state", "")
        return cls(
            kind=kind if kind in KINDS else "",
            state=state if state in STATES else "",
            term=fields.get("term", "").strip()[:LONGEST_TERM],
            page=max(1, fields.get("page", 1, type=int)),
        )

    def address(self, **changes: Any) -> dict[str, Any]:
        """Return the parameters of an address, without those that filter nothing."""
        members = asdict(replace(self, **changes))
        return {name: value for name, value in members.items() if value not in ("", 1)}

    def accepts(self, row: Row) -> bool:
        """Return whether the list shows a source."""
        term = self.term.casefold()
        return (
            (not self.kind or row["kind"] == self.kind)
            and (not self.state or STATES[self.state](row))
            and (term in row["label"].casefold() or term in row["id"].casefold())
        )


@dataclass(frozen=True)
class Page:
    """A page of sources. number: from 1; row_count: on all pages; total: without filters."""

    rows: Sequence[Row]
    number: int
    page_count: int
    row_count: int
    total: int


def page_of(rows: Sequence[Row], filters: Filters) -> Page:
    """Return the wanted page, or the last one."""
    accepted = [row for row in rows if filters.accepts(row)]
    page_count = max(1, -(-len(accepted) // PAGE_SIZE))
    number = min(filters.page, page_count)
    shown = accepted[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    return Page([*map(described, shown)], number, page_count, len(accepted), len(rows))


def described(row: Mapping[str, Any]) -> Row:
    """Return a listed source as pages show it, with its status now and its state."""
    return {**row, "status": sources.status(row), "shown": sources.state(row)}
