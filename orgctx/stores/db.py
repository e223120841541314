"""The statements of `sql/`, by file name, and their rows. Contains no query text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from uuid import UUID

import orjson
from psycopg.types.json import set_json_loads

from orgctx.errors import ServiceUnavailable
from orgctx.stores.deadline import Deadline

READER_ROLE = "orgctx_reader"
PLACEHOLDER = re.compile(r"%\((\w+)\)s")

# A file of `sql/` by name, and its parameters.
Statement = tuple[str, dict[str, Any]]

set_json_loads(orjson.loads)


class NotMigrated(ServiceUnavailable):
    """The database is reachable, but its schema is not that of this version."""


class NotGranted(NotMigrated):
    """The schema is that of this version, but the service lacks privileges on it."""


@cache
def sql_directory() -> Path:
    """Return the directory of the SQL files: in a checkout beside the package, else inside it."""
    package = Path(__file__).parents[1]
    checkout = package.parent / "sql"
    return checkout if checkout.is_dir() else package / "sql"


@cache
def sql(name: str) -> str:
    """Return the text of `sql/<name>.sql`."""
    return sql_directory().joinpath(f"{name}.sql").read_text("utf-8")


def read_statements() -> None:
    """Read all of `sql/` now, because another release may replace the files while this one runs."""
    directory = sql_directory()
    for path in directory.rglob("*.sql"):
        sql(path.relative_to(directory).with_suffix("").as_posix())


def searches(statement: Statement) -> bool:
    """Return whether a statement searches texts for a term, its parameter `q`."""
    return statement[1].get("q") is not None


@cache
def reads_decisions(name: str) -> bool:
    """Return whether a statement applies suppressions; like approvals, they are decisions."""
    return "knowledge_suppressions" in sql(name)


@cache
def numbered(text: str) -> tuple[bytes, tuple[str, ...]]:
    """Return a statement with $1, $2, … as placeholders, and the names of these parameters."""
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${numbers.setdefault(match[1], len(numbers) + 1)}"

    return PLACEHOLDER.sub(number, text).encode(), tuple(numbers)


class Rows(NamedTuple):
    """The result of one statement: column names and row tuples, in order."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def dicts(self) -> list[dict[str, Any]]:
        """Return the rows by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def split(self, first: str) -> tuple[dict[str, Any], Rows]:
        """Split off the columns before `first`, which are equal in all rows.

        Returns them by name, {} if there is no row, and the records in the other columns. A row
        whose `first` is null contains no record.
        """
        index = self.columns.index(first)
        common = dict(zip(self.columns[:index], self.rows[0], strict=False)) if self.rows else {}
        records = [row[index:] for row in self.rows if row[index] is not None]
        return common, Rows(self.columns[index:], records)


class Database(Protocol):
    """Runs statements."""

    def query_all(
        self, statements: Sequence[Statement], deadline: Deadline, tenant: UUID | None = None
    ) -> list[Rows]:
        """Return the results of several statements in one round trip."""
