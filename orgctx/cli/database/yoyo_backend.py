"""Run yoyo on our connection and in our transaction.

By itself yoyo opens its own connections, applies and marks a migration in different transactions,
and takes a lock that a killed process leaves behind (docs/decisions.md, 1). To replace
these parts, this module uses private names of yoyo; `tests/cli/test_migrate.py` tests them.
"""
# yoyo has no types.
# mypy: disallow-untyped-calls=False

import glob
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from psycopg import Cursor
from psycopg.rows import TupleRow, tuple_row
from yoyo import internalmigrations, read_migrations
from yoyo.backends.core.postgresql import PostgresqlPsycopgBackend
from yoyo.connections import DatabaseURI
from yoyo.migrations import Migration, default_migration_table

from orgctx.stores.db import Connection, run


@contextmanager
def applied(
    connection: Connection, directory: Path, prepare: Callable[[], object] = lambda: None
) -> Iterator[list[str]]:
    """Apply the pending migrations of `directory` in a transaction, after `prepare`.

    Yields their names in order. Other runs wait until the transaction ends.
    """
    backend = Backend(connection)
    migrations = read_migrations(glob.escape(str(directory)))
    with backend.transaction():
        run(connection, "cli/lock_migrations")
        prepare()
        if internalmigrations.needs_upgrading(backend):
            internalmigrations.upgrade(backend)
        pending: list[Migration] = list(backend.to_apply(migrations))
        for migration in pending:
            backend.apply_one(migration)
        yield [migration.id for migration in pending]


class Backend(PostgresqlPsycopgBackend):
    """yoyo's backend without its connection, transactions and lock."""

    _internal_schema_updated = True

    def __init__(self, connection: Connection) -> None:
        self._orgctx_connection = connection
        super().__init__(DatabaseURI("", "", "", "", 0, "", {}), default_migration_table)

    def connect(self, dburi: Any) -> Connection:  # noqa: ARG002
        return self._orgctx_connection

    def cursor(self) -> Cursor[TupleRow]:
        return self._orgctx_connection.cursor(row_factory=tuple_row)

    def apply_one(self, migration: Migration, force: bool = False, mark: bool = True) -> None:
        """Apply and mark in the open transaction."""
        migration.process_steps(self, "apply", force=force)
        if mark:
            self.mark_one(migration)

    def get_log_data(self, migration: Any = None, operation: str = "apply") -> dict[str, Any]:
        """Return what yoyo logs, without looking up the host in DNS and the user in a file."""
        return {
            "id": str(uuid4()),
            "migration_id": migration and migration.id,
            "migration_hash": migration and migration.hash,
            "username": self._orgctx_connection.info.user,
            "hostname": None,
            "created_at_utc": datetime.now(UTC).replace(tzinfo=None),
            "operation": operation,
        }
