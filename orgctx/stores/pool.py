"""Run the statements of `sql/` on connections to PostgreSQL, with a retry and a limit of searches.

psycopg's own pool cannot distinguish a refused connection from a busy pool, because both end with
its timeout. This pool connects in the caller's thread, so that a rejected connection is known at
once and every wait counts toward the request's deadline
(docs/decisions.md, 2).
"""

from collections.abc import Iterable, Sequence
from contextlib import closing
from math import inf
from time import monotonic
from typing import Any
from uuid import UUID

import psycopg
from psycopg import errors

from orgctx.config.settings import Config
from orgctx.errors import RequestTimeout, ServiceUnavailable
from orgctx.observability.observers import POSTGRESQL, observed
from orgctx.stores.call_queue import SEARCH, CallQueue
from orgctx.stores.connection import (
    Bound,
    Connection,
    ConnectionSilent,
    Result,
    TooLittleTime,
)
from orgctx.stores.connections import (
    BADLY_PREPARED,
    TOO_MANY_CONNECTIONS,
    Connections,
    bound,
    milliseconds,
    reason_of,
)
from orgctx.stores.db import NotMigrated, Rows, Statement, numbered, searches, sql
from orgctx.stores.deadline import Deadline

LIMIT_SEARCH = "stores/limit_search"
# How long a search may take beyond its limit for the result to arrive.
ARRIVAL_SECONDS = 0.2
# A connection that was silent for this share of the statement timeout may be broken. A request that
# times out sooner only waited too long in the queue, as happens when a tenant sends too many.
SILENT_SHARE = 0.25

# Errors of a database that lacks the tables or the reading role of this version.
NOT_MIGRATED = (
    errors.UndefinedTable,
    errors.UndefinedColumn,
    errors.UndefinedFunction,
    errors.UndefinedObject,
    errors.InvalidParameterValue,
    errors.InsufficientPrivilege,
)

# After these errors, a new connection may succeed, because the current one is broken.
RETRYABLE = (psycopg.OperationalError, *BADLY_PREPARED)


class SearchTimeout(RequestTimeout):
    """A search took longer than searches may."""

    default_message = (
        "The search took too long. Retry with backoff, search only one source, or use other words."
    )


class Pool:
    """Admits calls to at most `size` connections, which are opened when first needed.

    Requests wait in their organization's queue; searches get fewer places (see TenantQueue). Each
    call runs in one transaction. The server cancels a statement at its timeout, or soon after its
    connection was closed.

    Args:
        timeout_seconds: the timeout of a statement.
        search_seconds: the timeout of a statement in a call that searches, if it is shorter.
    """

    def __init__(
        self, url: str, *, size: int, timeout_seconds: float, search_seconds: float = inf
    ) -> None:
        self.connections = Connections(url, timeout_seconds=timeout_seconds)
        self._silent_seconds = SILENT_SHARE * timeout_seconds
        self._search_seconds = min(search_seconds, timeout_seconds)
        limit = {"statement_timeout": milliseconds(self._search_seconds)}
        self._limit_search = [bound(LIMIT_SEARCH, limit)]
        self._queue = CallQueue(size)

    @classmethod
    def configured(cls, url: str, config: Config) -> "Pool":
        """Return a pool with the size and the timeouts of the settings."""
        return cls(
            url,
            size=config.database_pool_size,
            timeout_seconds=config.request_timeout_seconds,
            search_seconds=config.search_timeout_seconds,
        )

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
        try:
            try:
                return self._run(statements, deadline, tenant)
            except errors.QueryCanceled:
                raise
            except RETRYABLE as error:
                # Only reads run here, so a retry is safe.
                self.connections.close_after(error)
                return self._run(statements, deadline, tenant)
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

    def check_login(self, deadline: Deadline, names: Iterable[str] = ()) -> None:
        """Connect, because open connections outlive a change of the login.

        names: files of `sql/` that must fit the schema.
        Raises ServiceUnavailable, or RequestTimeout past the deadline. A server that has no
        connection left may still serve the open ones.
        """
        try:
            with closing(self.connections.open(deadline)) as connection:
                connection.describe([numbered(sql(name))[0] for name in names], deadline)
        except psycopg.OperationalError as error:
            if reason_of(error) != TOO_MANY_CONNECTIONS:
                raise _unavailable(error) from error
        except NOT_MIGRATED as error:
            raise NotMigrated(reason=error.diag.message_primary or "") from error

    def close(self) -> None:
        self.connections.close()

    def _run(
        self, statements: Sequence[Statement], deadline: Deadline, tenant: UUID | None
    ) -> list[Rows]:
        is_search = any(map(searches, statements))
        names = tuple([name for name, _ in statements])
        # The searches of a tenant are alike, but other calls only if they run the same statements.
        call = (tenant, () if is_search else names)
        with self._queue.admitted(call, deadline, SEARCH if is_search else 0):
            connection = self.connections.take(deadline)
            sent_at = monotonic()
            try:
                sent = [bound(*statement) for statement in statements]
                run = self._search if is_search else self.connections.run
                results = observed(POSTGRESQL, names, run, connection, sent, deadline, tenant)
                rows = [
                    Rows(_columns(name, result), connection.rows(result))
                    for name, result in zip(names, results, strict=True)
                ]
            except ConnectionSilent:
                connection.close()
                if monotonic() - sent_at < self._silent_seconds:
                    raise TooLittleTime from None
                raise
            except BaseException:
                # After an interruption the state of the connection is unknown, so it is not reused.
                connection.close()
                raise
            self.connections.idle.append(connection)
            return rows

    def _search(
        self,
        connection: Connection,
        statements: list[Bound],
        deadline: Deadline,
        tenant: UUID | None,
    ) -> Sequence[Result]:
        """Do what Connections.run does within `search_seconds`. Raises SearchTimeout."""
        limit = Deadline(min(deadline.left(), self._search_seconds + ARRIVAL_SECONDS))
        try:
            return self.connections.run(connection, statements, limit, tenant, self._limit_search)
        except errors.QueryCanceled:
            raise SearchTimeout from None
        except ConnectionSilent:
            # A long search does not mean that the connection is broken.
            if limit.ends_at < deadline.ends_at:
                raise SearchTimeout from None
            raise


def _unavailable(error: psycopg.Error) -> ServiceUnavailable:
    return ServiceUnavailable(
        "The database is unavailable. Retry with backoff.", reason=reason_of(error)
    )


_columns_by_name: dict[str, tuple[str, ...]] = {}


def _columns(name: str, result: Result) -> tuple[str, ...]:
    """Return the column names of a statement, which never change while the process lives."""
    try:
        return _columns_by_name[name]
    except KeyError:
        names = (result.fname(number) or b"" for number in range(result.nfields))
        return _columns_by_name.setdefault(name, tuple(column.decode() for column in names))
