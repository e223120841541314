"""Run the statements of `sql/` in PostgreSQL: wait for a turn, then use a connection.

psycopg's own pool cannot distinguish a refused connection from a busy pool, because both end with
its timeout. This pool connects in the caller's thread, so that a rejected connection is known at
once and every wait counts toward the request's deadline (docs/decisions.md, 2). `CallQueue` decides
whose turn it is, `Connections` opens, reuses and replaces connections, and `Pool` raises their
errors as ApiError, with the reason in words.
"""

from collections.abc import Iterable, Sequence
from contextlib import closing
from math import inf
from typing import Any
from uuid import UUID

import psycopg
from psycopg import errors

from orgctx.config.settings import Config
from orgctx.errors import RequestTimeout, ServiceUnavailable
from orgctx.stores.call_queue import CallQueue
from orgctx.stores.connection import ConnectionSilent, TooLittleTime
from orgctx.stores.connections import Connections, Transaction
from orgctx.stores.db import NotMigrated, Rows, Statement, numbered, searches, sql
from orgctx.stores.deadline import Deadline

TOO_MANY_CONNECTIONS = "too many connections"
# Why PostgreSQL is unavailable: by SQLSTATE, of errors that a server reports on an open connection.
REASONS = {
    # A server of a Citus cluster cannot reach another one.
    "08006": "worker unreachable",
    "53100": "disk full",
    "53200": "out of memory",
    "57P01": "shutting down",
}
# By the text of errors while connecting, for which libpq has no SQLSTATE. A server that writes
# messages in another language gives no reason.
CONNECT_REASONS = {
    "Connection refused": "connection refused",
    "failed to resolve host": "unknown host",
    "too many clients": TOO_MANY_CONNECTIONS,
    "remaining connection slots": TOO_MANY_CONNECTIONS,
    "too many connections for": TOO_MANY_CONNECTIONS,
    "password authentication failed": "wrong password",
    "no password supplied": "wrong password",
    "no pg_hba.conf entry": "not allowed by pg_hba.conf",
    "is not permitted to log in": "login not allowed",
    "permission denied for database": "login not allowed",
    "certificate verify failed": "untrusted certificate",
    "is starting up": "starting",
    "is shutting down": "shutting down",
    "is in recovery mode": "starting",
}

# Errors of a database that lacks the tables or the reading role of this version.
NOT_MIGRATED = (
    errors.UndefinedTable,
    errors.UndefinedColumn,
    errors.UndefinedFunction,
    errors.UndefinedObject,
    errors.InvalidParameterValue,
    errors.InsufficientPrivilege,
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
        self.connections = Connections(url, timeout_seconds, min(search_seconds, timeout_seconds))
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
        """Run a statement by its name, as `query_all` does."""
        return self.query_all([(name, parameters)], deadline, tenant)[0]

    def query_all(
        self, statements: Sequence[Statement], deadline: Deadline, tenant: UUID | None = None
    ) -> list[Rows]:
        """Run statements in one round trip, as Connections.run does, when it is their turn.

        tenant: the organization for which they run, if it is known.
        Raises RequestTimeout past the deadline, ServiceUnavailable if the database is unreachable
        or not ready.
        """
        is_search = any(map(searches, statements))
        # The searches of a tenant are alike, but other calls only if they run the same statements.
        call = (tenant, () if is_search else tuple([name for name, _ in statements]))
        try:
            with self._queue.admitted(call, deadline):
                return self.connections.run(Transaction(statements, deadline, tenant, is_search))
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

        names: of statements that must fit the schema.
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


def _unavailable(error: psycopg.Error) -> ServiceUnavailable:
    return ServiceUnavailable(
        "The database is unavailable. Retry with backoff.", reason=reason_of(error)
    )


def reason_of(error: BaseException) -> str:
    """Return the reason in words if this module knows it, else an empty text."""
    if state := getattr(error, "sqlstate", None):
        return REASONS.get(state, "")
    text = str(error)
    return next((reason for part, reason in CONNECT_REASONS.items() if part in text), "")
