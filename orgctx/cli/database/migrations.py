"""Apply `sql/schema` in one transaction under an advisory lock, then always create the reading
role and repeat its grants, because a restored database may lack both.
"""

from __future__ import annotations

from time import time
from typing import Any

from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Conninfo

from orgctx.cli.admin import Connection, connect, run
from orgctx.cli.database.yoyo_backend import applied
from orgctx.cli.errors import CommandError, reason
from orgctx.stores.db import sql_directory
from orgctx.stores.schema import grants

OLDEST_VERSION = 15
HOW_TO_CREATE = (
    "create one with: CREATE DATABASE orgctx TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"
)
# Tables or functions lack, or are there though no migration is said to have made them.
IN_PART = (
    errors.UndefinedTable,
    errors.UndefinedFunction,
    errors.DuplicateTable,
    errors.DuplicateFunction,
)


def migrate(admin_url: str, service_url: str) -> list[str]:
    """Bring the schema up to date and let the service's login read it.

    Safe to run from many machines at once. Returns the names of the migrations that
    were applied now. Raises CommandError or psycopg.Error; then nothing has changed
    except the existence of the reading role and its members.
    """
    with connect(admin_url) as connection:
        server = check_server(connection)
        service = login_of(service_url) or server["login"]
        check_rights(connection, service)
        run(connection, "create_reader")
        for login in dict.fromkeys((server["login"], service)):
            _grant_reader(connection, login)
        try:
            with applied(connection, sql_directory() / "schema") as names:
                for statement in grants():
                    connection.execute(statement)
                run(connection, "grant_migrations")
                run(connection, "revoke_temporary")
        except IN_PART as error:
            raise CommandError(
                f"what the database has is not what its migrations say ({reason(error)}): restore "
                "it whole, see docs/operations/backup.md, or use a database of its own"
            ) from None
        return names


def check_server(connection: Connection) -> dict[str, Any]:
    """The row of cli/read_server. Raises CommandError if version or encoding do not fit."""
    server = run(connection, "read_server", client_time=time())[0]
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


def check_rights(connection: Connection, service_login: str) -> None:
    """Raise CommandError with all statements that a superuser must run first."""
    missing = run(connection, "list_missing_rights", service=service_login)
    if missing:
        lines = "".join(f"\n  {row['statement']}" for row in missing)
        raise CommandError(f"rights are missing; as a superuser, run in this database:{lines}")


def login_of(url: str) -> str | None:
    """The login that a connection string names, or libpq would take."""
    defaults = {option.keyword: option.val for option in Conninfo.get_defaults()}
    named = conninfo_to_dict(url).get("user") or (defaults.get(b"user") or b"").decode()
    return str(named) if named else None


def _grant_reader(connection: Connection, login: str) -> None:
    with connection.transaction():
        run(connection, "name_login", login=login)
        run(connection, "grant_reader")
