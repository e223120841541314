"""Bounded pools of PostgreSQL connections, which run the statements of `sql/`.

psycopg's own pool cannot distinguish a refused connection from a busy pool, because both end with
its timeout. This pool connects in the caller's thread, so that a rejected connection is known at
once and every wait counts toward the request's deadline
(docs/decisions/0002-connection-pool.md).
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from functools import partial
from math import inf
from time import monotonic, perf_counter
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import psycopg
from psycopg import errors

from orgctx.errors import RequestTimeout, ServiceUnavailable
from orgctx.observability.observers import OBSERVERS, POSTGRESQL, observed
from orgctx.stores.causes import TOO_MANY_CONNECTIONS, reason_of
from orgctx.stores.connection import (
    Bound,
    Connection,
    ConnectionSilent,
    RawRows,
    Result,
    TooLittleTime,
    statement_name,
)
from orgctx.stores.db import READER_ROLE, NotMigrated, Rows, Statement, numbered, searches, sql
from orgctx.stores.deadline import Deadline
from orgctx.stores.shards import Shards
from orgctx.stores.tenant_queue import Call, SlowCalls, TenantQueue

# How often the server checks that the client is still connected while a statement runs.
CHECK_INTERVAL = "100ms"
CONFIGURE = "stores/configure_connection"
ISOLATE = "stores/isolate_transaction"
LIMIT_SEARCH = "stores/limit_search"
ASK_SHARD, ASK_COORDINATOR = "stores/citus/ask_shard", "stores/citus/ask_coordinator"
READ_COMMITTED = "read committed"
# How long a search may take beyond its limit for the result to arrive.
ARRIVAL_SECONDS = 0.2
# A connection that was silent for this share of the statement timeout may be broken. A request that
# times out sooner only waited too long in the queue, as happens when a tenant sends too many.
SILENT_SHARE = 0.25
# Levels of requests in the queue.
SEARCH, SLOW = 1, 2

# Errors of a database that lacks the tables or the reading role of this version.
NOT_MIGRATED = (
    errors.UndefinedTable,
    errors.UndefinedColumn,
    errors.UndefinedFunction,
    errors.UndefinedObject,
    errors.InvalidParameterValue,
    errors.InsufficientPrivilege,
)

# After these errors, statements must be prepared again. Either the schema has changed, or the
# server does not know the statement, or a pooler confuses it with one of another client.
BADLY_PREPARED = (
    errors.FeatureNotSupported,
    errors.DatatypeMismatch,
    errors.InvalidSqlStatementName,
    errors.DuplicatePreparedStatement,
)
# After these errors, a new connection may succeed, because the current one is broken.
RETRYABLE = (psycopg.OperationalError, *BADLY_PREPARED)

T = TypeVar("T")
# Builds the result while the connection is still held.
Read = Callable[[Connection, Sequence[Result]], T]


class SearchTimeout(RequestTimeout):
    """A search took longer than searches may."""

    default_message = (
        "The search took too long. Retry with backoff, search only one source, or use other words."
    )


class LookedUp(NamedTuple):
    """The results of a look-up and of the statements sent with it."""

    # The rows of the look-up as bytes.
    raw: RawRows
    # The same rows as values; None if they equal the expected rows.
    rows: Rows | None
    # The results of the statements; empty unless the rows equal the expected rows.
    results: list[Rows]


class Pool:
    """At most `size` connections to one database, opened when first needed.

    The most recently used connection is used first. Requests wait in their organization's queue;
    searches get fewer places (see TenantQueue). Each call runs in one transaction. The server
    cancels a statement at its timeout, or soon after its connection was closed.

    The pool detects a pooler in front of the server: each transaction then configures itself, and
    statements are prepared only if the pooler keeps them (docs/decisions/0015-poolers.md). With
    Citus, statements of an organization run on its shard (docs/decisions/0016-shards.md).

    Args:
        timeout_seconds: the timeout of a statement.
        search_seconds: the timeout of a statement in a call that searches, if it is shorter.
        isolation: the isolation level of the transactions.
        prepares: False assumes a pooler and prepares nothing.
    """

    def __init__(
        self,
        url: str,
        *,
        size: int,
        timeout_seconds: float,
        search_seconds: float = inf,
        isolation: str = READ_COMMITTED,
        prepares: bool = True,
    ) -> None:
        self._url = url
        self._settings = {
            "role": READER_ROLE,
            "statement_timeout": _milliseconds(timeout_seconds),
            "check_interval": CHECK_INTERVAL,
            "isolation": isolation,
        }
        self._silent_seconds = SILENT_SHARE * timeout_seconds
        self._search_seconds = min(search_seconds, timeout_seconds)
        limit = {"statement_timeout": _milliseconds(self._search_seconds)}
        self._limit_search = [_bound(LIMIT_SEARCH, limit)]
        self._may_be_direct = prepares
        self.is_shared = not prepares
        self.prepares = prepares
        # Whether Citus distributes the database; known once a connection was opened.
        self.has_shards = False
        self._idle: deque[Connection] = deque()
        self._places = TenantQueue(size)
        self._slow = SlowCalls()

    def query(
        self, name: str, parameters: dict[str, Any], deadline: Deadline, tenant: UUID | None = None
    ) -> Rows:
        """Run `sql/<name>.sql`, as `query_all` does."""
        return self.query_all([(name, parameters)], deadline, tenant)[0]

    def query_all(
        self, statements: Sequence[Statement], deadline: Deadline, tenant: UUID | None = None
    ) -> list[Rows]:
        """Run statements in one round trip; retry once on a new connection if the first was broken.

        tenant: the organization for which they run, if it is known.
        Raises RequestTimeout past the deadline, ServiceUnavailable if the database is unreachable
        or not ready.
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
        """Do what query_all does, but read the results only if `first` returns the expected rows.

        The order of rows does not matter, because the database may choose another plan at any time.
        """

        def read(connection: Connection, results: Sequence[Result]) -> LookedUp:
            raw = connection.raw(results[0])
            if raw == expected or (expected and Counter(raw) == Counter(expected)):
                return LookedUp(raw, None, _rows(statements, connection, results[1:]))
            return LookedUp(raw, _rows([first], connection, results[:1])[0], [])

        return self._query([first, *statements], deadline, tenant, read)

    def check_login(self, deadline: Deadline, names: Iterable[str] = ()) -> None:
        """Connect, because open connections outlive a change of the login.

        names: files of `sql/` that must fit the schema.
        Raises ServiceUnavailable, or RequestTimeout past the deadline. A server that has no
        connection left may still serve the open ones.
        """
        try:
            with closing(self._open(deadline)) as connection:
                connection.describe([numbered(sql(name))[0] for name in names], deadline)
        except psycopg.OperationalError as error:
            if reason_of(error) != TOO_MANY_CONNECTIONS:
                raise _unavailable(error) from error
        except NOT_MIGRATED as error:
            raise NotMigrated(reason=error.diag.message_primary or "") from error

    def close(self) -> None:
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
            except RETRYABLE as error:
                # Only reads run here, so a retry is safe. The idle connections were opened before
                # the error and are probably broken too.
                self.close()
                if self._is_caused_by_pooler(error):
                    self.prepares = False
                return self._run(statements, deadline, tenant, read)
        except errors.QueryCanceled:
            raise RequestTimeout from None
        except ConnectionSilent as error:
            if not isinstance(error, TooLittleTime):
                # Otherwise each idle connection would fail one more request.
                self.close()
            raise
        except psycopg.OperationalError as error:
            raise _unavailable(error) from error
        except NOT_MIGRATED as error:
            raise NotMigrated from error

    def _run(
        self,
        statements: Sequence[Statement],
        deadline: Deadline,
        tenant: UUID | None,
        read: Read[T],
    ) -> T:
        is_search = any(map(searches, statements))
        names = tuple([name for name, _ in statements])
        # The searches of a tenant are alike, but other calls only if they run the same statements.
        call = (tenant, () if is_search else names)
        started_at = perf_counter()
        level = self._acquire(call, deadline, SEARCH if is_search else 0)
        for observer in OBSERVERS:
            observer.acquire_connection(started_at)
        try:
            connection = self._take(deadline)
            sent_at = monotonic()
            try:
                bound = [_bound(*statement) for statement in statements]
                run = self._search if is_search else self._results
                results = observed(POSTGRESQL, names, run, connection, bound, deadline, tenant)
                result = read(connection, results)
            except ConnectionSilent:
                connection.close()
                if monotonic() - sent_at < self._silent_seconds:
                    raise TooLittleTime from None
                raise
            except BaseException:
                # After an interruption the state of the connection is unknown, so it is not reused.
                connection.close()
                raise
            finally:
                if tenant:
                    self._slow.note(call, monotonic() - sent_at)
            self._idle.append(connection)
            return result
        finally:
            self._places.release(tenant, level)
            for observer in OBSERVERS:
                observer.release_connection()

    def _acquire(self, call: Call, deadline: Deadline, level: int) -> int:
        """Acquire a place. Returns the level that its release needs, SLOW after slow calls."""
        tenant, _ = call
        is_slow = self._slow.remembers(call)
        if not self._places.acquire(tenant, deadline.left(), SLOW if is_slow else level):
            raise RequestTimeout
        # The calls may have become slow while this one waited.
        if not is_slow and self._slow.remembers(call):
            self._places.release(tenant, level)
            return self._acquire(call, deadline, level)
        return SLOW if is_slow else level

    def _search(
        self, connection: Connection, bound: list[Bound], deadline: Deadline, tenant: UUID | None
    ) -> Sequence[Result]:
        """Do what _results does within `search_seconds`. Raises SearchTimeout."""
        limit = Deadline(min(deadline.left(), self._search_seconds + ARRIVAL_SECONDS))
        try:
            return self._results(connection, bound, limit, tenant, self._limit_search)
        except errors.QueryCanceled:
            raise SearchTimeout from None
        except ConnectionSilent:
            # A long search does not mean that the connection is broken.
            if limit.ends_at < deadline.ends_at:
                raise SearchTimeout from None
            raise

    def _results(
        self,
        connection: Connection,
        bound: list[Bound],
        deadline: Deadline,
        tenant: UUID | None,
        before: Sequence[Bound] = (),
    ) -> Sequence[Result]:
        if not self.has_shards:
            return connection.run(bound, deadline, before)
        shards = Shards(connection, partial(_bound, ASK_SHARD), partial(_bound, ASK_COORDINATOR))
        return shards.run(tenant, bound, deadline, before)

    def _is_caused_by_pooler(self, error: Exception) -> bool:
        """Return whether a pooler that keeps statements of other clients causes the error."""
        # On a new connection, only another client can have used the name.
        return isinstance(error, errors.DuplicatePreparedStatement) or (
            self.is_shared and isinstance(error, BADLY_PREPARED)
        )

    def _take(self, deadline: Deadline) -> Connection:
        # Another thread may take the last connection between a check and the pop.
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
        """Make a connection read-only, and detect a pooler and whether it keeps statements."""
        connection.prepares = self.prepares
        backend_pid = connection.backend_pid if self._may_be_direct else 0
        (result,) = connection.run([self._configuration(backend_pid)], deadline)
        ((is_direct, keeps_name, self.has_shards, _),) = connection.rows(result)
        self.is_shared = not is_direct
        if self.is_shared:
            # Without support by the pooler, only one server connection knows a prepared statement.
            connection.prepares = self.prepares = self.prepares and not keeps_name
            isolate = [] if self._settings["isolation"] == READ_COMMITTED else [_bound(ISOLATE, {})]
            connection.share(*isolate, self._configuration(0))

    def _configuration(self, backend_pid: int) -> Bound:
        name = statement_name(numbered(sql(CONFIGURE))[0]).decode() if backend_pid else ""
        return _bound(
            CONFIGURE, self._settings | {"backend_pid": backend_pid, "statement_name": name}
        )


def _rows(
    statements: Sequence[Statement], connection: Connection, results: Sequence[Result]
) -> list[Rows]:
    return [
        Rows(_columns(name, result), connection.rows(result))
        for (name, _), result in zip(statements, results, strict=True)
    ]


def _unavailable(error: psycopg.Error) -> ServiceUnavailable:
    return ServiceUnavailable(
        "The database is unavailable. Retry with backoff.", reason=reason_of(error)
    )


def _milliseconds(seconds: float) -> str:
    return f"{max(1, int(seconds * 1000))}ms"


def _bound(name: str, parameters: dict[str, Any]) -> Bound:
    text, names = numbered(sql(name))
    return text, [parameters[parameter] for parameter in names]


_columns_by_name: dict[str, tuple[str, ...]] = {}


def _columns(name: str, result: Result) -> tuple[str, ...]:
    """Return the column names of a statement, which never change while the process lives."""
    try:
        return _columns_by_name[name]
    except KeyError:
        names = (result.fname(number) or b"" for number in range(result.nfields))
        return _columns_by_name.setdefault(name, tuple(column.decode() for column in names))
