"""Migrations: yoyo over `sql/schema`, in one transaction under an advisory lock.

yoyo's own lock is a row that a killed process leaves behind, and it marks a migration in
another transaction than it applies it in; see docs/decisions/0001-migrations.md.
"""
# yoyo has no types.
# mypy: disallow-untyped-calls=False

from __future__ import annotations

import glob
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from psycopg import Cursor, errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Conninfo
from psycopg.rows import TupleRow, tuple_row
from yoyo import internalmigrations, read_migrations
from yoyo.backends.core.postgresql import PostgresqlPsycopgBackend
from yoyo.connections import DatabaseURI
from yoyo.migrations import Migration, default_migration_table

from orgctx.cli.admin import Connection, connect, run
from orgctx.cli.faults import CommandError, reason
from orgctx.stores.db import READER_ROLE, sql_directory

OLDEST_VERSION = 15
HOW_TO_CREATE = (
    "create one with: CREATE DATABASE orgctx TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"
)


def migrate(admin_url: str, service_url: str) -> list[str]:
    """Bring the schema up to date and let the service's login read it.

    Safe to run from many machines at once. Returns the names of the migrations that
    were applied now. Raises CommandError or psycopg.Error; then nothing has changed
    but the existence of the reading role.
    """
    with connect(admin_url) as connection:
        server = check_server(connection)
        _create_reader(connection)
        for login in dict.fromkeys((server["login"], login_of(service_url) or server["login"])):
            _grant_reader(connection, login)
        return _apply(connection)


def check_server(connection: Connection) -> dict[str, Any]:
    """The row of cli/read_server. Raises CommandError unless our text fits the database."""
    server = run(connection, "read_server")[0]
    if server["version"] < OLDEST_VERSION * 10_000:
        raise CommandError(
            f"PostgreSQL {server['version'] // 10_000} is too old: use {OLDEST_VERSION} or newer"
        )
    if server["encoding"] != "UTF8":
        raise CommandError(
            f"the database is encoded in {server['encoding']}, not UTF8: {HOW_TO_CREATE}"
        )
    if run(connection, "fold_text", text="ÄЖ")[0]["folded"] != "äж":
        raise CommandError(
            f"the database's locale knows no letters beyond ASCII, so searches would miss "
            f"them: {HOW_TO_CREATE}"
        )
    return server


def login_of(url: str) -> str | None:
    """The login that a connection string names, or libpq would take."""
    defaults = {option.keyword: option.val for option in Conninfo.get_defaults()}
    named = conninfo_to_dict(url).get("user") or (defaults.get(b"user") or b"").decode()
    return str(named) if named else None


def _create_reader(connection: Connection) -> None:
    try:
        run(connection, "create_reader")
    except errors.InsufficientPrivilege as error:
        raise CommandError(
            f"the admin login may not create a role ({reason(error)}): as a superuser, "
            f"run CREATE ROLE {READER_ROLE} NOLOGIN and let the login use it"
        ) from None


def _grant_reader(connection: Connection, login: str) -> None:
    try:
        with connection.transaction():
            run(connection, "name_login", login=login)
            run(connection, "grant_reader")
    except errors.UndefinedObject:
        raise CommandError(
            f"the login {login!r} of ORGCTX_DATABASE_URL does not exist: create it with "
            f'CREATE ROLE "{login}" LOGIN and a password'
        ) from None
    except errors.InsufficientPrivilege as error:
        raise CommandError(
            f"the admin login may not let {login!r} read ({reason(error)}): as a superuser, "
            f'run GRANT {READER_ROLE} TO "{login}"'
        ) from None


def _apply(connection: Connection) -> list[str]:
    migrations = read_migrations(glob.escape(str(sql_directory() / "schema")))
    if not migrations:
        raise CommandError("this installation has no migrations: install orgctx again")
    backend = Backend(connection)
    with backend.transaction():
        run(connection, "lock_migrations")
        if internalmigrations.needs_upgrading(backend):
            internalmigrations.upgrade(backend)
        pending: list[Migration] = list(backend.to_apply(migrations))
        for migration in pending:
            backend.apply_one(migration)
        run(connection, "grant_migrations")
        run(connection, "revoke_temporary")
    return [migration.id for migration in pending]


class Backend(PostgresqlPsycopgBackend):
    """yoyo's bookkeeping on a connection and in a transaction of ours."""

    _internal_schema_updated = True

    def __init__(self, connection: Connection) -> None:
        self._given = connection
        super().__init__(DatabaseURI("", "", "", "", 0, "", {}), default_migration_table)

    def connect(self, dburi: Any) -> Connection:  # noqa: ARG002
        return self._given

    def cursor(self) -> Cursor[TupleRow]:
        return self._given.cursor(row_factory=tuple_row)

    def apply_one(self, migration: Migration, force: bool = False, mark: bool = True) -> None:
        """Apply and mark in the transaction that is open."""
        migration.process_steps(self, "apply", force=force)
        if mark:
            self.mark_one(migration)

    def get_log_data(self, migration: Any = None, operation: str = "apply") -> dict[str, Any]:
        """As yoyo's, which would look the host up in DNS and the user in a file."""
        return {
            "id": str(uuid4()),
            "migration_id": migration and migration.id,
            "migration_hash": migration and migration.hash,
            "username": self._given.info.user,
            "hostname": None,
            "created_at_utc": datetime.now(UTC).replace(tzinfo=None),
            "operation": operation,
        }
