"""Apply `sql/schema` in one transaction under an advisory lock, check it, and distribute it.

Every run creates the roles and their grants again, because a restored database may lack both.
"""

import re
from contextlib import suppress
from time import time
from typing import Any

from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import InsufficientPrivilege
from psycopg.pq import Conninfo

from orgctx.cli.admin import connect
from orgctx.cli.errors import CommandError, reason
from orgctx.decisions.connection import DESK_ROLE
from orgctx.http.health import statements
from orgctx.stores import db
from orgctx.stores.db import READER_ROLE, Connection, run, sql

OLDEST_VERSION = 15
HOW_TO_CREATE = (
    "Create one with: CREATE DATABASE orgctx TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"
)
# An error, unless one login does everything, as in a trial: the service must not be able to decide.
SAME_LOGIN = (
    "ORGCTX_DESK_DATABASE_URL names the service's login {login!r}. The desk needs its own login."
)
# A statement of a migration, up to a semicolon at the end of a line outside of $$ … $$.
STATEMENT = re.compile(r"(?:\$\$.*?\$\$|[^$])+?;$", re.DOTALL | re.MULTILINE)


def migrate(admin_url: str, service_url: str, desk_url: str = "") -> list[str]:
    """Bring the schema up to date, let the service's login read it, and the desk's login decide.

    Safe to run on many machines at once. Returns the names of the migrations that it applied.

    Raises:
        CommandError, psycopg.Error: nothing was changed.
    """
    with connect(admin_url) as connection:
        server = check_server(connection)
        service = login_of(service_url) or server["login"]
        desk = login_of(desk_url) if desk_url else None
        if desk == service != server["login"]:
            raise CommandError(SAME_LOGIN.format(login=service))
        check_list(connection)
        with connection.transaction():
            run(connection, "cli/lock_migrations")
            _create_roles(connection, server["login"], service, desk)
            try:
                names = _apply(connection)
                for statement in db.grants():
                    connection.execute(statement)
                run(connection, "cli/revoke_temporary")
                run(connection, "cli/grant_desk")
                check_fit(connection)
            except MISMATCHES as error:
                raise mismatch(reason(error)) from None
        if db.is_distributed(connection):
            grant_shards(connection)
        return names


def _apply(connection: Connection) -> list[str]:
    """Apply the pending migrations, in order. Returns their names."""
    run(connection, "cli/create_migrations")
    applied = {row["migration_id"] for row in run(connection, db.LIST_MIGRATIONS)}
    pending = {name: checksum for name, checksum in db.checksums().items() if name not in applied}
    for name, checksum in pending.items():
        # One by one, because Citus sends its workers the whole text around an ALTER TABLE.
        for statement in STATEMENT.findall(sql(f"schema/{name}")):
            connection.execute(statement.encode())
        run(connection, "cli/record_migration", migration_id=name, checksum=checksum)
    return [*pending]


def _create_roles(connection: Connection, admin: str, service: str, desk: str | None) -> None:
    run(connection, "cli/create_roles")
    for login in dict.fromkeys((admin, service)):
        _grant(connection, READER_ROLE, login)
    _grant(connection, READER_ROLE, DESK_ROLE)
    if desk:
        _grant(connection, DESK_ROLE, desk)
    else:
        # A desk on this machine may use the login of the admin. Only a trial needs it, so the
        # login may lack the right to grant it.
        with suppress(InsufficientPrivilege):
            _grant(connection, DESK_ROLE, admin)


def grant_shards(connection: Connection) -> None:
    """Let the desk's role write the shards of a Citus cluster."""
    with connection.transaction():
        run(connection, "cli/lock_migrations")
        run(connection, "cli/citus/grant_desk")


def check_server(connection: Connection) -> dict[str, Any]:
    """Return the row of cli/read_server.

    Raises CommandError if the version, encoding or locale is not supported.
    """
    server = run(connection, "cli/read_server", client_time=time(), sample="ÄЖ".encode())[0]
    if server["version"] < OLDEST_VERSION * 10_000:
        raise CommandError(
            f"PostgreSQL {server['version'] // 10_000} is too old. Use {OLDEST_VERSION} or newer."
        )
    if server["encoding"] != "UTF8":
        raise CommandError(
            f"The encoding of the database is {server['encoding']}, not UTF8. {HOW_TO_CREATE}"
        )
    if server["lowered"] != "äж":
        raise CommandError(
            "The locale of the database supports only ASCII letters, so searches would fail. "
            f"{HOW_TO_CREATE}"
        )
    return server


def login_of(url: str) -> str | None:
    """Return the login of a connection string, or the default of libpq."""
    defaults = {option.keyword: option.val for option in Conninfo.get_defaults()}
    login = conninfo_to_dict(url).get("user") or (defaults.get(b"user") or b"").decode()
    return str(login) if login else None


def _grant(connection: Connection, role: str, member: str) -> None:
    with connection.transaction():
        run(connection, "cli/store_setting", name="role", value=role)
        run(connection, "cli/store_setting", name="member", value=member)
        run(connection, "cli/grant_role")


# Raised if the list of applied migrations does not match the tables and functions.
MISMATCHES = (
    errors.UndefinedTable,
    errors.UndefinedColumn,
    errors.UndefinedFunction,
    errors.UndefinedObject,
    errors.DuplicateTable,
    errors.DuplicateColumn,
    errors.DuplicateFunction,
    errors.DuplicateObject,
)


def mismatch(why: str) -> CommandError:
    """Return the error for a database whose tables are not those of its migrations."""
    return CommandError(
        f"The database does not match its list of migrations ({why}). Restore it completely, see "
        "docs/operations/backup.md. If a version before 1.0.0rc1 created it: it is not upgraded; "
        "migrate an empty database and load everything again, see "
        "docs/operations/upgrades.md#from-before-100rc1."
    )


def check_list(connection: Connection) -> None:
    """Raise CommandError unless the applied migrations are those of this release or a newer one.

    Migrations of a newer release are allowed, because the service may have been rolled back.
    """
    try:
        rows = run(connection, db.LIST_MIGRATIONS)
    except errors.UndefinedTable:
        return
    if why := db.misfit({row["migration_id"]: row["checksum"] for row in rows}):
        raise mismatch(why)


def check_fit(connection: Connection) -> None:
    """Raise CommandError unless every statement of the service fits the tables."""
    check_list(connection)
    for name in statements():
        text, _ = db.numbered(sql(name))
        try:
            with connection.transaction():
                connection.execute(b"PREPARE orgctx_fit AS " + text)
                connection.execute("DEALLOCATE orgctx_fit")
        except MISMATCHES as error:
            raise mismatch(reason(error)) from None


HOW_TO_INSTALL = (
    "Run CREATE EXTENSION citus in this database on every server, and add the servers with "
    "citus_set_coordinator_host and citus_add_node. See docs/operations/scale.md."
)
COMMENT = re.compile(r"--.*")
ORGANIZATION = "%(organization_id)s"


def distribute(connection: Connection) -> list[dict[str, Any]]:
    """Distribute the tables that are not distributed yet, with their rows, in one transaction.

    Returns the rows of stores/citus/list_tables. Raises CommandError if Citus is not installed or
    has no server.
    """
    if not db.is_distributed(connection):
        raise CommandError(f"Citus is not installed in the database. {HOW_TO_INSTALL}")
    if not run(connection, "cli/citus/count_servers")[0]["server_count"]:
        raise CommandError(f"The cluster has no server for shards. {HOW_TO_INSTALL}")
    with connection.transaction():
        run(connection, "cli/lock_migrations")
        run(connection, "cli/citus/create_run_on_shard")
        run(connection, "cli/store_setting", name="gate", value=_gate())
        run(connection, "cli/citus/distribute")
    run(connection, "cli/citus/empty_local")
    with connection.transaction():
        run(connection, "cli/grant_desk")
    grant_shards(connection)
    return db.distributed_tables(connection)


def _gate() -> str:
    """Return the SQL of all statements that run before the organization is known."""
    texts = (text for name, text in db.statements().items() if name.startswith("gate/"))
    return "\n".join(COMMENT.sub("", text) for text in texts if ORGANIZATION not in text)
