"""Apply `sql/schema` in one transaction under an advisory lock.

Every run creates the roles and their grants again, because a restored database may lack both.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import time
from typing import Any

from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Conninfo

from orgctx.cli.admin import Connection, connect, run
from orgctx.cli.database.fit import ERRORS, check_fit, misfit
from orgctx.cli.database.yoyo_backend import applied
from orgctx.cli.errors import CommandError, reason
from orgctx.decisions.connection import DESK_ROLE
from orgctx.stores.db import READER_ROLE, sql, sql_directory
from orgctx.stores.schema import grants

OLDEST_VERSION = 15
HOW_TO_CREATE = (
    "Create one with: CREATE DATABASE orgctx TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'"
)
# An error, unless one login does everything, as in a trial: the service must not be able to decide.
SAME_LOGIN = (
    "ORGCTX_DESK_DATABASE_URL names the service's login {login!r}. The desk needs its own login."
)


def migrate(admin_url: str, service_url: str, desk_url: str = "") -> list[str]:
    """Bring the schema up to date, let the service's login read it, and the desk's login decide.

    Safe to run on many machines at once. Returns the names of the migrations that it applied.

    Raises:
        CommandError, psycopg.Error: no migration was applied; the roles and their members may have
            changed.
    """
    with connect(admin_url) as connection:
        server = check_server(connection)
        service = login_of(service_url) or server["login"]
        desk = login_of(desk_url) if desk_url else None
        if desk == service != server["login"]:
            raise CommandError(SAME_LOGIN.format(login=service))
        check_rights(connection, service, desk)
        run(connection, "create_roles")
        for login in dict.fromkeys((server["login"], service)):
            _grant(connection, READER_ROLE, login)
        _grant(connection, READER_ROLE, DESK_ROLE)
        if desk:
            _grant(connection, DESK_ROLE, desk)
        try:
            with applied(connection, sql_directory() / "schema") as names:
                for statement in grants():
                    connection.execute(statement)
                run(connection, "grant_migrations")
                run(connection, "revoke_temporary")
                run(connection, "grant_desk")
        except ERRORS as error:
            raise misfit(reason(error)) from None
        if run(connection, "read_distribution")[0]["is_distributed"]:
            grant_shards(connection)
        check_fit(connection)
        return names


def grant_shards(connection: Connection) -> None:
    """Let the desk's role write the shards of a Citus cluster."""
    with connection.transaction():
        run(connection, "lock_migrations")
        connection.execute(sql("citus/grant_desk"))


def check_server(connection: Connection) -> dict[str, Any]:
    """Return the row of cli/read_server.

    Raises CommandError if the version, encoding or locale is not supported.
    """
    server = run(connection, "read_server", client_time=time())[0]
    if server["version"] < OLDEST_VERSION * 10_000:
        raise CommandError(
            f"PostgreSQL {server['version'] // 10_000} is too old. Use {OLDEST_VERSION} or newer."
        )
    if server["encoding"] != "UTF8":
        raise CommandError(
            f"The encoding of the database is {server['encoding']}, not UTF8. {HOW_TO_CREATE}"
        )
    if run(connection, "fold_text", text="ÄЖ")[0]["folded"] != "äж":
        raise CommandError(
            "The locale of the database supports only ASCII letters, so searches would fail. "
            f"{HOW_TO_CREATE}"
        )
    return server


def check_rights(connection: Connection, service_login: str, desk_login: str | None = None) -> None:
    """Raise CommandError with the statements that a superuser must run first, if any.

    They never let the service's login write.
    """
    missing = run(connection, "list_missing_rights", service=service_login, desk=desk_login)
    if missing and connection.info.user == service_login:
        raise CommandError(_separate_admin(connection, service_login))
    if missing:
        statements = [row["statement"] for row in missing]
        raise CommandError(f"Privileges are missing. {as_superuser(statements)}")


def as_superuser(statements: Iterable[str]) -> str:
    """Return a sentence that ends with SQL to run, one statement per line."""
    return "\n  ".join(["As a superuser, run in this database:", *statements])


def _separate_admin(connection: Connection, service_login: str) -> str:
    (admin,) = run(connection, "propose_admin", service=service_login)
    problem = (
        f"Privileges are missing, and {service_login!r} must not get them, because the service "
        "connects with this login."
    )
    use = f"Set ORGCTX_ADMIN_DATABASE_URL to a URL with the login {admin['login']!r}"
    if admin["exists"]:
        return f"{problem} {use}, which owns the database."
    return f"{problem} {use}. {as_superuser(admin['statements'])}"


def login_of(url: str) -> str | None:
    """Return the login of a connection string, or the default of libpq."""
    defaults = {option.keyword: option.val for option in Conninfo.get_defaults()}
    login = conninfo_to_dict(url).get("user") or (defaults.get(b"user") or b"").decode()
    return str(login) if login else None


def _grant(connection: Connection, role: str, member: str) -> None:
    with connection.transaction():
        run(connection, "name_grant", role=role, member=member)
        run(connection, "grant_role")
