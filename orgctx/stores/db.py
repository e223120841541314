"""PostgreSQL: bounded pools, and the statements of `sql/`. Contains no query text.

psycopg's own pool cannot distinguish a refused connection from a busy pool, because both end
with its timeout. This one connects in the caller's thread, so that a refusal is known at once
and every wait counts towards the request's deadline
(docs/decisions/0002-connection-pool.md).
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, Protocol, TypeVar
from uuid import UUID

import orjson
import psycopg
from psycopg import errors
from psycopg.types.json import set_json_loads

from orgctx.errors import RequestTimeout, ServiceUnavailable
from orgctx.observability.observers import OBSERVERS, POSTGRESQL, observed
from orgctx.stores.connection import (
    Bound,
    Connection,
    ConnectionSilent,
    RawRows,
    Result,
    statement_name,
)
from orgctx.stores.deadline import Deadline
from orgctx.stores.shards import Shards
from orgctx.stores.tenant_queue import TenantQueue

READER_ROLE = "orgctx_reader"
# How often the server checks that the client is still connected while a statement runs.
CHECK_INTERVAL = "100ms"
CONFIGURE = "gate/configure_connection"
ISOLATE = "gate/isolate_transaction"
ASK_SHARD, ASK_COORDINATOR = "citus/ask_shard", "citus/ask_coordinator"
READ_COMMITTED = "read committed"
PLACEHOLDER = re.compile(r"%\((\w+)\)s")

# Errors of a database that lacks the tables or the reading role of this version.
NOT_MIGRATED = (
    errors.UndefinedTable,
    errors.UndefinedColumn,
    errors.UndefinedFunction,
    errors.UndefinedObject,
    errors.InvalidParameterValue,
    errors.InsufficientPrivilege,
)

# After these errors statements have to be prepared again: they, or their known columns, no longer
# fit the schema, or the server does not know them, or a pooler gives another client's.
BADLY_PREPARED = (
    errors.FeatureNotSupported,
    errors.DatatypeMismatch,
    errors.InvalidSqlStatementName,
    errors.DuplicatePreparedStatement,
)
# A new connection may succeed after these errors, because this one is broken.
WORTH_ANOTHER = (psycopg.OperationalError, *BADLY_PREPARED)

# A file of `sql/` by name, and its parameters.
Statement = tuple[str, dict[str, Any]]
T = TypeVar("T")
# Builds the answer while the connection is still held.
Read = Callable[[Connection, Sequence[Result]], T]

set_json_loads(orjson.loads)


class NotMigrated(ServiceUnavailable):
    """The database answers, but its schema is not that of this version."""


class NotGranted(NotMigrated):
    """The schema is that of this version, but the service may not read all of it."""


@cache
def sql_directory() -> Path:
    """The directory of the SQL files: beside the package in a checkout, inside it if installed."""
    package = Path(__file__).parents[1]
    checkout = package.parent / "sql"
    return checkout if checkout.is_dir() else package / "sql"


@cache
def sql(name: str) -> str:
    """The text of `sql/<name>.sql`."""
    return sql_directory().joinpath(f"{name}.sql").read_text("utf-8")


def read_statements() -> None:
    """Read all of `sql/` now: another release may be installed in its place while this one runs."""
    directory = sql_directory()
    for path in directory.rglob("*.sql"):
        sql(path.relative_to(directory).with_suffix("").as_posix())


@cache
def reads_decisions(name: str) -> bool:
    """Whether a statement applies suppressions, which people decide like approvals."""
    return "knowledge_suppressions" in sql(name)


@cache
def numbered(text: str) -> tuple[bytes, tuple[str, ...]]:
    """A statement with $1, $2, … and the names of these parameters."""
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${numbers.setdefault(match[1], len(numbers) + 1)}"

    return PLACEHOLDER.sub(number, text).encode(), tuple(numbers)


class Rows(NamedTuple):
    """The result of one statement: column names and row tuples, in order."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def dicts(self) -> list[dict[str, Any]]:
        """The rows by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def split(self, first: str) -> tuple[dict[str, Any], Rows]:
        """Split off the columns before `first`, which are equal in all rows.

        Returns them by name, {} if there is no row, and the records in the other columns. A row
        whose `first` is null has no record.
        """
        at = self.columns.index(first)
        whole = dict(zip(self.columns[:at], self.rows[0], strict=False)) if self.rows else {}
        records = [row[at:] for row in self.rows if row[at] is not None]
        return whole, Rows(self.columns[at:], records)


class LookedUp(NamedTuple):
    """The results of a look-up and of the statements sent with it.

    raw: its rows as bytes. rows: the same as values, None if they are as expected; `results` then
    holds the results of the statements.
    """

    raw: RawRows
    rows: Rows | None
    results: list[Rows]


class Database(Protocol):
    """Runs statements."""

    def query_all(
        self, statements: Sequence[Statement], deadline: Deadline, tenant: UUID | None = None
    ) -> list[Rows]:
        """Return the results of several statements in one round trip."""


class Pool:
    """At most `size` connections to one database, opened when first needed.

    The most recently used connection is used first. Requests wait in their organization's queue
    (see TenantQueue). `timeout_seconds` limits a statement on the server, which also ends it soon
    after its connection was closed. isolation: of transactions, so of each call.

    A pooler between the two is noticed: each transaction then configures itself, and statements
    are prepared only if the pooler keeps them (docs/decisions/0015-poolers.md). prepares: False
    takes a pooler for granted and prepares nothing. Where Citus distributes the database, the
    statements of an organization go to its shard (docs/decisions/0016-shards.md).
    """

    def __init__(
        self,
        url: str,
        *,
        size: int,
        timeout_seconds: float,
        isolation: str = READ_COMMITTED,
        prepares: bool = True,
    ) -> None:
        self._url = url
        self._settings = {
            "role": READER_ROLE,
            "statement_timeout": f"{int(timeout_seconds * 1000)}ms",
            "check_interval": CHECK_INTERVAL,
            "isolation": isolation,
        }
        self._may_be_own = prepares
        self.is_shared = not prepares
        self.prepares = prepares
        self._has_shards = False
        self._idle: deque[Connection] = deque()
        self._places = TenantQueue(size)

    def query(
        self, name: str, parameters: dict[str, Any], deadline: Deadline, tenant: UUID | None = None
    ) -> Rows:
        """Run `sql/<name>.sql`, as `query_all` does."""
        return self.query_all([(name, parameters)], deadline, tenant)[0]

    def query_all(
        self, statements: Sequence[Statement], deadline: Deadline, tenant: UUID | None = None
    ) -> list[Rows]:
        """Run statements in one round trip, once more on a new connection if one was broken.

        tenant: the organization for which they run, once it is known.
        Raises RequestTimeout past the deadline, ServiceUnavailable if the
        database refuses, drops or is not ready.
        """
        return self._query(statements, deadline, tenant, partial(_rows, statements))

    def look_up(
        self,
        first: Statement,
        expected: RawRows | None,
        statements: Sequence[Statement],
        deadline: Deadline,
        tenant: UUID | None = None,
    ) -> LookedUp:
        """Like query_all, but read the results only if `first` returns the expected rows.

        Their order does not matter: the database may choose another plan at any time.
        """

        def read(connection: Connection, results: Sequence[Result]) -> LookedUp:
            raw = connection.raw(results[0])
            if raw == expected or (expected and Counter(raw) == Counter(expected)):
                return LookedUp(raw, None, _rows(statements, connection, results[1:]))
            return LookedUp(raw, _rows([first], connection, results[:1])[0], [])

        return self._query([first, *statements], deadline, tenant, read)

    def close(self) -> None:
        """Close the idle connections."""
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _query(
        self,
        statements: Sequence[Statement],
        deadline: Deadline,
        tenant: UUID | None,
        read: Read[T],
    ) -> T:
        try:
            try:
                return self._run(statements, deadline, tenant, read)
            except errors.QueryCanceled:
                raise
            except WORTH_ANOTHER as error:
                # Only reads run here, so a second try is safe. The other connections
                # were opened before the fault and are probably broken too.
                self.close()
                if self._blames_a_pooler(error):
                    self.prepares = False
                return self._run(statements, deadline, tenant, read)
        except errors.QueryCanceled:
            raise RequestTimeout from None
        except ConnectionSilent:
            # Otherwise each idle connection would fail one more request.
            self.close()
            raise
        except psycopg.OperationalError as error:
            raise ServiceUnavailable("The database did not answer; try again.") from error
        except NOT_MIGRATED as error:
            raise NotMigrated from error

    def _run(
        self,
        statements: Sequence[Statement],
        deadline: Deadline,
        tenant: UUID | None,
        read: Read[T],
    ) -> T:
        began = perf_counter()
        if not self._places.acquire(tenant, deadline.left()):
            raise RequestTimeout
        for one in OBSERVERS:
            one.acquire_connection(began)
        try:
            connection = self._take(deadline)
            try:
                bound = [_bound(*one) for one in statements]
                names = tuple([name for name, _ in statements])
                results = observed(
                    POSTGRESQL, names, self._results, connection, bound, deadline, tenant
                )
                found = read(connection, results)
            except BaseException:
                # After an interruption its state is unknown, so it is not used again.
                connection.close()
                raise
            self._idle.append(connection)
            return found
        finally:
            self._places.release(tenant)
            for one in OBSERVERS:
                one.release_connection()

    def _results(
        self, connection: Connection, bound: list[Bound], deadline: Deadline, tenant: UUID | None
    ) -> Sequence[Result]:
        if not self._has_shards:
            return connection.run(bound, deadline)
        shards = Shards(connection, partial(_bound, ASK_SHARD), partial(_bound, ASK_COORDINATOR))
        return shards.run(tenant, bound, deadline)

    def _blames_a_pooler(self, error: Exception) -> bool:
        """Whether the fault would come again, because a pooler keeps what others prepared."""
        # Only another client can have taken a name on a new connection.
        return isinstance(error, errors.DuplicatePreparedStatement) or (
            self.is_shared and isinstance(error, BADLY_PREPARED)
        )

    def _take(self, deadline: Deadline) -> Connection:
        # Another thread may take the last one between the check and the pop.
        with suppress(IndexError):
            return self._idle.pop()
        return self._open(deadline)

    def _open(self, deadline: Deadline) -> Connection:
        connection = Connection.open(self._url, deadline)
        try:
            self._configure(connection, deadline)
        except BaseException:
            connection.close()
            raise
        return connection

    def _configure(self, connection: Connection, deadline: Deadline) -> None:
        """Make a connection read-only; find out whether a pooler is there and keeps statements."""
        connection.prepares = self.prepares
        own = connection.backend_pid if self._may_be_own else 0
        (result,) = connection.run([self._configuration(own)], deadline)
        ((is_own, keeps_name, self._has_shards, _),) = connection.rows(result)
        self.is_shared = not is_own
        if self.is_shared:
            # Only one connection to the server knows the statement by the name that this side gave.
            connection.prepares = self.prepares = self.prepares and not keeps_name
            isolate = [] if self._settings["isolation"] == READ_COMMITTED else [_bound(ISOLATE, {})]
            connection.share(*isolate, self._configuration(0))

    def _configuration(self, backend_pid: int) -> Bound:
        name = statement_name(numbered(sql(CONFIGURE))[0]).decode() if backend_pid else ""
        own = {"backend_pid": backend_pid, "statement_name": name}
        return _bound(CONFIGURE, self._settings | own)


def _rows(
    statements: Sequence[Statement], connection: Connection, results: Sequence[Result]
) -> list[Rows]:
    return [
        Rows(_columns(name, result), connection.rows(result))
        for (name, _), result in zip(statements, results, strict=True)
    ]


def _bound(name: str, parameters: dict[str, Any]) -> Bound:
    text, names = numbered(sql(name))
    return text, [parameters[each] for each in names]


_columns_by_name: dict[str, tuple[str, ...]] = {}


def _columns(name: str, result: Result) -> tuple[str, ...]:
    """The column names of a statement, which never change while the process lives."""
    try:
        return _columns_by_name[name]
    except KeyError:
        names = (result.fname(number) or b"" for number in range(result.nfields))
        return _columns_by_name.setdefault(name, tuple(one.decode() for one in names))
