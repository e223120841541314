"""Check that the tables of a database are those that its list of migrations promises."""

from __future__ import annotations

from psycopg import errors

from orgctx.cli.admin import Connection
from orgctx.cli.errors import CommandError, reason
from orgctx.resources.catalog import RESOURCES
from orgctx.stores.db import numbered, sql, sql_directory
from orgctx.stores.schema import migrations

# Raised if the list of applied migrations does not match the tables and functions.
ERRORS = (
    errors.UndefinedTable,
    errors.UndefinedColumn,
    errors.UndefinedFunction,
    errors.DuplicateTable,
    errors.DuplicateColumn,
    errors.DuplicateFunction,
    errors.DuplicateObject,
)


def misfit(why: str) -> CommandError:
    """Return the error for a database whose tables are not those of its migrations."""
    return CommandError(
        f"The database does not match its list of migrations ({why}). Restore it completely, see "
        "docs/operations/backup.md. If a pre-release created it: pre-releases are not upgraded; "
        "migrate an empty database and load everything again, see "
        "docs/operations/upgrades.md#from-a-pre-release."
    )


def check_fit(connection: Connection) -> None:
    """Raise CommandError unless every statement of the service fits the tables.

    Migrations of a newer release are allowed, because the service may have been rolled back.
    """
    known = migrations()
    applied = {row["migration_id"] for row in connection.execute(sql("gate/list_migrations"))}
    if unknown := sorted(name for name in applied - {*known} if name < max(known)):
        raise misfit(f"{unknown[0]} is unknown")
    for name in _statements():
        text, _ = numbered(sql(name))
        try:
            with connection.transaction():
                connection.execute(b"PREPARE orgctx_fit AS " + text)
                connection.execute("DEALLOCATE orgctx_fit")
        except ERRORS as error:
            raise misfit(reason(error)) from None


def _statements() -> list[str]:
    return [
        f"{resource.name}/{path.stem}"
        for resource in RESOURCES
        for path in sorted(sql_directory().joinpath(resource.name).glob("*.sql"))
    ]
