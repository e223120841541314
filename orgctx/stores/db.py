"""PostgreSQL: bounded pools, statements from `sql/`, waits that end. No query text here.

psycopg's own pool cannot tell a refused connection from a busy pool: both look
like its timeout. This one connects in the caller's thread, so that a refusal is
known at once and every wait draws on the request's deadline
(docs/decisions/0002-connection-pool.md).
"""

from __future__ import annotations

import re
from collections import deque
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import psycopg
from psycopg import errors, waiting
from psycopg._conninfo_attempts import conninfo_attempts
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types.json import set_json_loads

from orgctx.errors import RequestTimeout, ServiceUnavailable
from orgctx.stores.deadline import Deadline
from orgctx.stores.fair_semaphore import FairSemaphore

READER_ROLE = "orgctx_reader"
PLACEHOLDER = re.compile(r"%\((\w+)\)s")

# What a database says that lacks the tables or the reading role of this version.
NOT_MIGRATED = (
    errors.UndefinedTable,
    errors.UndefinedColumn,
    errors.UndefinedFunction,
    errors.UndefinedObject,
    errors.InvalidParameterValue,
    errors.InsufficientPrivilege,
)

set_json_loads(orjson.loads)


class NotMigrated(ServiceUnavailable):
    """The database answers, but its schema is not that of this version."""


@cache
def sql_directory() -> Path:
    """Where the SQL files are: beside the package in a checkout, inside it once installed."""
    package = Path(__file__).parents[1]
    checkout = package.parent / "sql"
    return checkout if checkout.is_dir() else package / "sql"


@cache
def sql(name: str) -> str:
    """The text of `sql/<name>.sql`."""
    return sql_directory().joinpath(f"{name}.sql").read_text("utf-8")


@cache
def numbered(text: str) -> tuple[bytes, tuple[str, ...]]:
    """A statement with $1, $2, … and the names that these stand for.

    psycopg does the same for every execution of a statement as long as the search.
    """
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${numbers.setdefault(match[1], len(numbers) + 1)}"

    return PLACEHOLDER.sub(number, text).encode(), tuple(numbers)


class Rows(NamedTuple):
    """The answer of one statement: column names and row tuples, in order."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def dicts(self) -> list[dict[str, Any]]:
        """The rows by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def split(self, first: str) -> tuple[dict[str, Any], Rows]:
        """What the columns before `first` say of the whole, by name, and the records after them.

        The former are equal in all rows; {} where there is no row. A row whose `first` is null
        holds no record.
        """
        at = self.columns.index(first)
        whole = dict(zip(self.columns[:at], self.rows[0], strict=False)) if self.rows else {}
        records = [row[at:] for row in self.rows if row[at] is not None]
        return whole, Rows(self.columns[at:], records)


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that only reads and whose every wait ends at its deadline."""

    deadline: Deadline
    # The only one: a new one for each statement costs as much as a statement's parameters.
    only_cursor: psycopg.RawCursor[tuple[Any, ...]]

    @classmethod
    def open(cls, url: str, deadline: Deadline) -> Connection:
        """Connect to the first host that answers. Raises psycopg.OperationalError."""
        failure: psycopg.Error | None = None
        attempts = conninfo_attempts(conninfo_to_dict(url))
        for tried, attempt in enumerate(attempts):
            # A host that says nothing leaves time for those after it.
            timeout = deadline.left() / (len(attempts) - tried)
            # psycopg.connect rounds its timeout up to whole seconds, at least 2.
            generator = cls._connect_gen(make_conninfo("", **attempt))
            try:
                connection = waiting.wait_conn(generator, interval=0.1, timeout=timeout)
            except psycopg.Error as error:
                failure = error
                continue
            connection.deadline = deadline
            connection.autocommit = True
            connection.prepare_threshold = 0
            connection.only_cursor = psycopg.RawCursor(connection)
            return connection
        raise failure or psycopg.OperationalError("no host to connect to")

    def run(self, name: str, parameters: dict[str, Any]) -> psycopg.Cursor[tuple[Any, ...]]:
        """Execute `sql/<name>.sql`."""
        statement, names = numbered(sql(name))
        return self.only_cursor.execute(statement, [parameters[each] for each in names])

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        return super().wait(gen, interval, min(timeout or 3600, self.deadline.left()))


class Pool:
    """At most `size` connections to one database, opened when first needed.

    The most recently used connection is handed out first. `timeout_seconds`
    bounds a statement on the server, also when its client has gone.
    """

    def __init__(self, url: str, *, size: int, timeout_seconds: float) -> None:
        self._url = url
        self._statement_timeout = f"{int(timeout_seconds * 1000)}ms"
        self._idle: deque[Connection] = deque()
        self._free = FairSemaphore(size)

    def query(self, name: str, parameters: dict[str, Any], deadline: Deadline) -> Rows:
        """Run `sql/<name>.sql`, once more on a new connection if the first was broken.

        Raises RequestTimeout past the deadline, ServiceUnavailable if the
        database refuses, drops or is not ready.
        """
        try:
            try:
                return self._run(name, parameters, deadline)
            except psycopg.OperationalError as error:
                if isinstance(error, errors.QueryCanceled | errors._WaitTimeout):
                    raise
                # Only reads run here, so a second try can do no harm. The others in
                # the pool were opened before the fault and are as likely broken.
                self.close()
                return self._run(name, parameters, deadline)
        except errors.QueryCanceled:
            raise RequestTimeout from None
        except errors._WaitTimeout:
            # Perhaps the other side is gone without a word; idle connections would find
            # that out one request after the other.
            self.close()
            raise RequestTimeout from None
        except psycopg.OperationalError as error:
            raise ServiceUnavailable("The database did not answer; try again.") from error
        except NOT_MIGRATED as error:
            raise NotMigrated from error

    def close(self) -> None:
        """Close the idle connections."""
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _run(self, name: str, parameters: dict[str, Any], deadline: Deadline) -> Rows:
        if not self._free.acquire(deadline.left()):
            raise RequestTimeout
        try:
            connection = self._take(deadline)
            connection.deadline = deadline
            try:
                cursor = connection.run(name, parameters)
                rows = cursor.fetchall()
            except BaseException:
                # Whatever interrupted it, its state is unknown: it is not used again.
                connection.close()
                raise
            self._idle.append(connection)
            return Rows(_columns(name, cursor), rows)
        finally:
            self._free.release()

    def _take(self, deadline: Deadline) -> Connection:
        # Another thread may take the last one between a look and a pop.
        with suppress(IndexError):
            return self._idle.pop()
        return self._open(deadline)

    def _open(self, deadline: Deadline) -> Connection:
        connection = Connection.open(self._url, deadline)
        try:
            setting = {"role": READER_ROLE, "statement_timeout": self._statement_timeout}
            connection.run("gate/configure_connection", setting)
        except BaseException:
            connection.close()
            raise
        return connection


_columns_by_name: dict[str, tuple[str, ...]] = {}


def _columns(name: str, cursor: psycopg.Cursor[Any]) -> tuple[str, ...]:
    """The column names of a statement, which never change while the process lives."""
    try:
        return _columns_by_name[name]
    except KeyError:
        columns = tuple(column.name for column in cursor.description or ())
        return _columns_by_name.setdefault(name, columns)
