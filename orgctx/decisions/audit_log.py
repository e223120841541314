"""List audit records: all, by pages, or as CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from io import StringIO
from typing import Any, NamedTuple
from uuid import UUID

import orjson

from orgctx.decisions.decision import Connection, run

PAGE_SIZE = 100
# How many records a CSV reads at a time.
CSV_SIZE = 1_000
CSV_COLUMNS = (
    *("sequence", "at", "decided_by", "name", "login", "authentication", "command"),
    *("before", "after"),
)
# Where a spreadsheet would begin a formula. In many languages it also separates cells at `;`.
FORMULA = re.compile(r"(?:\A|(?<=[;\t\r\n]))(?= *[=+\-@\t\r\n])")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which records to list; None does not filter."""

    member: str | None = None  # the id or name of who decided
    command: str | None = None  # its words, such as `keys issue`
    object: str | None = None  # the id of a source, key, knowledge item or member that it changed
    since: datetime | None = None  # the earliest time
    until: datetime | None = None  # the end of the range, exclusive


class Page(NamedTuple):
    """A page of records, newest first. next_before: `before` of the next page; None: no more."""

    rows: list[Row]
    next_before: int | None


NO_FILTERS = Filters()


def records(
    connection: Connection,
    organization_id: UUID | None,
    filters: Filters = NO_FILTERS,
    *,
    after: int | None = None,
    before: int | None = None,
    limit: int | None = None,
) -> list[Row]:
    """Return the columns of `sql/cli/list_audit.sql`, oldest first.

    Args:
        organization_id: None for all organizations.
        after, before: only records between these sequences.
        limit: only so many, the newest.
    """
    bounds = {"after": after, "before": before, "row_limit": limit}
    common = {"organization_id": organization_id}
    return run(connection, "list_audit", **common, **asdict(filters), **bounds)


def page(
    connection: Connection,
    organization_id: UUID,
    filters: Filters = NO_FILTERS,
    *,
    before: int | None = None,
    size: int = PAGE_SIZE,
) -> Page:
    """Return a page of the records of an organization.

    Args:
        before: `next_before` of the page before.
    """
    rows = records(connection, organization_id, filters, before=before, limit=size + 1)[::-1]
    return Page(rows[:size], rows[size - 1]["sequence"] if len(rows) > size else None)


def csv_lines(
    connection: Connection, organization_id: UUID, filters: Filters = NO_FILTERS
) -> Iterator[str]:
    """Yield a header and the records as lines of CSV, newest first. Memory is bounded."""
    yield _line(CSV_COLUMNS)
    before = None
    while True:
        part = page(connection, organization_id, filters, before=before, size=CSV_SIZE)
        for row in part.rows:
            yield _line([row[name] for name in CSV_COLUMNS])
        if part.next_before is None:
            return
        before = part.next_before


def _line(values: Any) -> str:
    line = StringIO()
    csv.writer(line).writerow(map(_cell, values))
    return line.getvalue()


def _cell(value: Any) -> str:
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    if isinstance(value, dict):
        value = orjson.dumps(value).decode()
    return FORMULA.sub("'", "" if value is None else str(value))
