"""Connections to one database: open, configure and reuse them, and replace broken ones.

A pooler in front of the server is detected: each transaction then configures itself, and statements
are prepared only if the pooler keeps them (docs/decisions.md, 15). With Citus, statements
of an organization run on its shard (docs/decisions.md, 16).
"""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import OperationalError, errors

from orgctx.errors import SearchTimeout
from orgctx.observability.observers import POSTGRESQL, observed
from orgctx.stores.connection import (
    Bound,
    Connection,
    ConnectionSilent,
    Result,
    TooLittleTime,
    statement_name,
)
from orgctx.stores.db import READER_ROLE, Rows, Statement, numbered, sql
from orgctx.stores.deadline import Deadline
from orgctx.stores.shards import Shards

# How often the server checks that the client is still connected while a statement runs.
CHECK_INTERVAL = "100ms"
CONFIGURE = "stores/configure_connection"
ISOLATE = "stores/isolate_transaction"
LIMIT_SEARCH = "stores/limit_search"
ASK_SHARD, ASK_COORDINATOR = "stores/citus/ask_shard", "stores/citus/ask_coordinator"
# How long a search may take beyond its limit for the result to arrive.
ARRIVAL_SECONDS = 0.2
# A connection that was silent for this share of the statement timeout may be broken. A request that
# times out sooner only waited too long in the queue, as happens when a tenant sends too many.
SILENT_SHARE = 0.25

# After these errors, statements must be prepared again. Either the schema has changed, or the
# server does not know the statement, or a pooler confuses it with one of another client.
BADLY_PREPARED = (
    errors.FeatureNotSupported,
    errors.DatatypeMismatch,
    errors.InvalidSqlStatementName,
    errors.DuplicatePreparedStatement,
)

# After these errors, a new connection may succeed, because the current one is broken.
RETRYABLE = (OperationalError, *BADLY_PREPARED)


class Transaction(NamedTuple):
    """Statements that run in one transaction.

    tenant: the organization for which they run, if it is known.
    is_search: whether the timeout of searches ends them.
    """

    statements: Sequence[Statement]
    deadline: Deadline
    tenant: UUID | None
    is_search: bool


class Connections:
    """Read-only connections. The most recently used one is used first.

    Args:
        timeout_seconds: the timeout of a statement on the server.
        search_seconds: the timeout of one in a call that searches.
    """

    def __init__(self, url: str, timeout_seconds: float, search_seconds: float) -> None:
        self._url = url
        self._silent_seconds = SILENT_SHARE * timeout_seconds
        self._search_seconds = search_seconds
        limit = {"statement_timeout": milliseconds(search_seconds)}
        self._limit_search = [bound(LIMIT_SEARCH, limit)]
        self._settings = {
            "role": READER_ROLE,
            "statement_timeout": milliseconds(timeout_seconds),
            "check_interval": CHECK_INTERVAL,
        }
        # Whether there is a pooler, whether statements are prepared, and whether Citus distributes
        # the database; known once a connection was opened.
        self.is_shared = False
        self.prepares = True
        self.has_shards = False
        self.idle: deque[Connection] = deque()

    def take(self, deadline: Deadline) -> Connection:
        # Another thread may take the last connection between a check and the pop.
        with suppress(IndexError):
            return self.idle.pop()
        return self.open(deadline)

    def open(self, deadline: Deadline) -> Connection:
        connection = Connection.open(self._url, deadline)
        try:
            self._configure(connection, deadline)
        except BaseException:
            connection.close()
            raise
        return connection

    def run(self, transaction: Transaction) -> list[Rows]:
        """Run a transaction; retry once on a new connection if one was broken.

        Raises psycopg.Error, ConnectionSilent past the deadline, or SearchTimeout.
        """
        try:
            return self._run(transaction)
        except errors.QueryCanceled:
            raise
        except RETRYABLE as error:
            # The idle connections were opened before the error and probably are broken too.
            self.close()
            # A pooler may keep statements of other clients: on a new connection, only another
            # client can have used the name.
            if isinstance(error, errors.DuplicatePreparedStatement) or (
                self.is_shared and isinstance(error, BADLY_PREPARED)
            ):
                self.prepares = False
            # Only reads run here, so a retry is safe.
            return self._run(transaction)

    def close(self) -> None:
        with suppress(IndexError):
            while True:
                self.idle.pop().close()

    def _run(self, transaction: Transaction) -> list[Rows]:
        connection = self.take(transaction.deadline)
        sent_at = monotonic()
        try:
            names = tuple([name for name, _ in transaction.statements])
            sent = [bound(*statement) for statement in transaction.statements]
            results = observed(POSTGRESQL, names, self._send, connection, sent, transaction)
            rows = [
                Rows(_columns(name, result), connection.rows(result))
                for name, result in zip(names, results, strict=True)
            ]
        except BaseException as error:
            # After an interruption the state of the connection is unknown, so it is not reused.
            connection.close()
            if isinstance(error, ConnectionSilent) and monotonic() - sent_at < self._silent_seconds:
                raise TooLittleTime from None
            raise
        self.idle.append(connection)
        return rows

    def _send(
        self, connection: Connection, statements: list[Bound], transaction: Transaction
    ) -> Sequence[Result]:
        """Run statements on a connection. Raises SearchTimeout if a search exceeds its limit."""
        deadline = transaction.deadline
        run: Callable[..., Sequence[Result]] = connection.run
        if self.has_shards:
            shards = Shards(connection, partial(bound, ASK_SHARD), partial(bound, ASK_COORDINATOR))
            run = partial(shards.run, transaction.tenant)
        if not transaction.is_search:
            return run(statements, deadline)
        limit = Deadline(min(deadline.left(), self._search_seconds + ARRIVAL_SECONDS))
        try:
            return run(statements, limit, self._limit_search)
        except errors.QueryCanceled:
            raise SearchTimeout from None
        except ConnectionSilent:
            # A long search does not mean that the connection is broken.
            if limit.ends_at < deadline.ends_at:
                raise SearchTimeout from None
            raise

    def _configure(self, connection: Connection, deadline: Deadline) -> None:
        """Make a connection read-only. Detect a pooler, and whether it tracks statements."""
        connection.prepares = self.prepares
        (result,) = connection.run([self._configuration(connection.backend_pid)], deadline)
        ((is_direct, is_name_unchanged, self.has_shards, _),) = connection.rows(result)
        self.is_shared = not is_direct
        if self.is_shared:
            # A pooler that leaves names unchanged does not know on which connection to the server
            # a statement was prepared.
            self.prepares = self.prepares and not is_name_unchanged
            connection.prepares = self.prepares
            connection.share(bound(ISOLATE, {}), self._configuration(0))

    def _configuration(self, backend_pid: int) -> Bound:
        name = statement_name(numbered(sql(CONFIGURE))[0]).decode() if backend_pid else ""
        return bound(
            CONFIGURE, self._settings | {"backend_pid": backend_pid, "statement_name": name}
        )


def milliseconds(seconds: float) -> str:
    return f"{max(1, int(seconds * 1000))}ms"


def bound(name: str, parameters: dict[str, Any]) -> Bound:
    """Return a statement in the server's syntax, and the values of its parameters."""
    text, names = numbered(sql(name))
    return text, [parameters[parameter] for parameter in names]


_columns_by_name: dict[str, tuple[str, ...]] = {}


def _columns(name: str, result: Result) -> tuple[str, ...]:
    """Return the column names of a statement, which never change while the process lives."""
    if name not in _columns_by_name:
        names = (result.fname(number) or b"" for number in range(result.nfields))
        _columns_by_name[name] = tuple(column.decode() for column in names)
    return _columns_by_name[name]
