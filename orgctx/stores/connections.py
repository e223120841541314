"""Open connections to one database, configure them, and keep those that are idle.

A pooler in front of the server is detected: each transaction then configures itself, and statements
are prepared only if the pooler keeps them (docs/decisions.md, 15). With Citus, statements
of an organization run on its shard (docs/decisions.md, 16).
"""

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

from psycopg import errors

from orgctx.stores.connection import Bound, Connection, Result, statement_name
from orgctx.stores.db import READER_ROLE, numbered, sql
from orgctx.stores.deadline import Deadline
from orgctx.stores.shards import Shards

# How often the server checks that the client is still connected while a statement runs.
CHECK_INTERVAL = "100ms"
CONFIGURE = "stores/configure_connection"
ISOLATE = "stores/isolate_transaction"
ASK_SHARD, ASK_COORDINATOR = "stores/citus/ask_shard", "stores/citus/ask_coordinator"

# After these errors, statements must be prepared again. Either the schema has changed, or the
# server does not know the statement, or a pooler confuses it with one of another client.
BADLY_PREPARED = (
    errors.FeatureNotSupported,
    errors.DatatypeMismatch,
    errors.InvalidSqlStatementName,
    errors.DuplicatePreparedStatement,
)

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


class Connections:
    """Read-only connections. The most recently used one is used first.

    Args:
        timeout_seconds: the timeout of a statement on the server.
    """

    def __init__(self, url: str, *, timeout_seconds: float) -> None:
        self._url = url
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

    def run(
        self,
        connection: Connection,
        statements: Sequence[Bound],
        deadline: Deadline,
        tenant: UUID | None,
        before: Sequence[Bound] = (),
    ) -> Sequence[Result]:
        """Run statements in one transaction. before: statements that configure it."""
        if not self.has_shards:
            return connection.run(statements, deadline, before)
        shards = Shards(connection, partial(bound, ASK_SHARD), partial(bound, ASK_COORDINATOR))
        return shards.run(tenant, statements, deadline, before)

    def close_after(self, error: Exception) -> None:
        """Close the idle connections, which were opened before the error and probably are broken.

        Prepare nothing from now on if a pooler that keeps statements of other clients caused it.
        """
        self.close()
        # On a new connection, only another client can have used the name.
        if isinstance(error, errors.DuplicatePreparedStatement) or (
            self.is_shared and isinstance(error, BADLY_PREPARED)
        ):
            self.prepares = False

    def close(self) -> None:
        with suppress(IndexError):
            while True:
                self.idle.pop().close()

    def _configure(self, connection: Connection, deadline: Deadline) -> None:
        """Make a connection read-only, and detect a pooler and whether it keeps statements."""
        connection.prepares = self.prepares
        (result,) = connection.run([self._configuration(connection.backend_pid)], deadline)
        ((is_direct, keeps_name, self.has_shards, _),) = connection.rows(result)
        self.is_shared = not is_direct
        if self.is_shared:
            # Without support by the pooler, only one server connection knows a prepared statement.
            connection.prepares = self.prepares = self.prepares and not keeps_name
            connection.share(bound(ISOLATE, {}), self._configuration(0))

    def _configuration(self, backend_pid: int) -> Bound:
        name = statement_name(numbered(sql(CONFIGURE))[0]).decode() if backend_pid else ""
        return bound(
            CONFIGURE, self._settings | {"backend_pid": backend_pid, "statement_name": name}
        )


def milliseconds(seconds: float) -> str:
    return f"{max(1, int(seconds * 1000))}ms"


def bound(name: str, parameters: dict[str, Any]) -> Bound:
    """Return `sql/<name>.sql` in the server's syntax, and the values of its parameters."""
    text, names = numbered(sql(name))
    return text, [parameters[parameter] for parameter in names]


def reason_of(error: BaseException) -> str:
    """Return the reason in words if this module knows it, else an empty text."""
    if state := getattr(error, "sqlstate", None):
        return REASONS.get(state, "")
    text = str(error)
    return next((reason for part, reason in CONNECT_REASONS.items() if part in text), "")
