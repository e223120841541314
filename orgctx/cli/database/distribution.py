"""Distribute the database by organization over the servers of a Citus cluster."""

from __future__ import annotations

import re
from typing import Any

from orgctx.cli.admin import Connection, run
from orgctx.cli.database.migrations import grant_shards
from orgctx.cli.errors import CommandError
from orgctx.stores.db import sql, sql_directory

HOW_TO_INSTALL = (
    "Run CREATE EXTENSION citus in this database on every server, and add the servers with "
    "citus_set_coordinator_host and citus_add_node. See docs/operations/scale.md."
)
COMMENT = re.compile(r"--.*")


def distribute(connection: Connection) -> list[dict[str, Any]]:
    """Distribute the tables that are not distributed yet, with their rows, in one transaction.

    Returns the rows of citus/list_tables. Raises CommandError if Citus is not installed or has no
    server.
    """
    if not run(connection, "read_distribution")[0]["is_distributed"]:
        raise CommandError(f"Citus is not installed in the database. {HOW_TO_INSTALL}")
    if not _rows(connection, "count_servers")[0]["server_count"]:
        raise CommandError(f"The cluster has no server for shards. {HOW_TO_INSTALL}")
    with connection.transaction():
        run(connection, "lock_migrations")
        connection.execute(sql("citus/create_run_on_shard"))
        connection.execute(sql("citus/name_gate"), {"gate": _gate()})
        connection.execute(sql("citus/move_audit"))
        connection.execute(sql("citus/distribute"))
    connection.execute(sql("citus/empty_local"))
    with connection.transaction():
        run(connection, "grant_desk")
    grant_shards(connection)
    return _rows(connection, "list_tables")


def _rows(connection: Connection, name: str) -> list[dict[str, Any]]:
    return connection.execute(sql(f"citus/{name}")).fetchall()


def _gate() -> str:
    """Return the SQL of all statements that run before the organization is known."""
    files = sorted(sql_directory().joinpath("gate").glob("*.sql"))
    return "\n".join(COMMENT.sub("", path.read_text("utf-8")) for path in files)
