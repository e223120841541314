"""Create test databases on a Citus cluster.

ORGCTX_TEST_CITUS_URL is the URL of a database on the coordinator, in whose pg_dist_node all servers
of the cluster are listed. Without this variable, tests use a single PostgreSQL server.

To copy a distributed database, this module copies the database of the same name on every server.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from orgctx.cli.admin import connect
from orgctx.cli.database import migrations
from orgctx.cli.database.migrations import distribute
from orgctx.stores.db import READER_ROLE

URL = os.environ.get("ORGCTX_TEST_CITUS_URL", "")
# Few shards, because each test creates a database.
FEW_SHARDS = "-c citus.shard_count=4"
# Counts the statements of this database that wait for a lock on any server.
WAITING = """
    SELECT count(DISTINCT w.waiting_gpid)
    FROM citus_lock_waits AS w
    JOIN citus_stat_activity AS a ON a.global_pid = w.waiting_gpid
    WHERE a.datname = current_database()
"""
CLOSE = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false")
DROP = sql.SQL("DROP DATABASE {} WITH (FORCE)")
ATTEMPTS = 12
DISCONNECT = """
    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s
"""


def impossible(reason: str) -> pytest.MarkDecorator:
    """Skip a test on a Citus cluster. reason: completes the sentence "on a Citus cluster ..."."""
    return pytest.mark.skipif(bool(URL), reason=f"on a Citus cluster {reason}")


class Server(NamedTuple):
    """A server of the cluster. kind: coordinator, worker, or spare, which stores no shards."""

    host: str
    port: int
    kind: str


def servers() -> list[Server]:
    """Return all servers of the cluster, the coordinator last."""
    with psycopg.connect(URL) as connection:
        rows = connection.execute(
            """
            SELECT
                nodename, nodeport,
                CASE WHEN groupid = 0 THEN 'coordinator'
                    WHEN shouldhaveshards THEN 'worker' ELSE 'spare' END
            FROM pg_dist_node ORDER BY groupid = 0, nodeid
            """
        )
        return [Server(*row) for row in rows]


def reader_url(url: str) -> str:
    """Return the URL of the same database with the reading role as login, for the service."""
    return make_conninfo(url, user=READER_ROLE)


@contextmanager
def distributed(options: str = FEW_SHARDS) -> Iterator[str]:
    """Create a migrated, distributed and empty database. Yields its URL on the coordinator.

    options: libpq options of the session that distributes it.
    """
    with undistributed() as url:
        with roles_locked():
            migrations.migrate(url, url)
            extend(url)
            with connect(make_conninfo(url, options=options)) as connection:
                distribute(connection)
        yield url


@contextmanager
def roles_locked() -> Iterator[None]:
    """Let one test at a time change roles, which all databases share.

    citus_add_node, which copies all roles to a worker, fails if another test changes them there.
    """
    with psycopg.connect(URL) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(hashtext('orgctx tests roles'))")
        yield


@contextmanager
def undistributed() -> Iterator[str]:
    """Create an empty database with the same name on every server. Yields the coordinator's URL."""
    with database(None, servers()) as url:
        yield url


def extend(url: str) -> None:
    """Create the extension citus on every server, and add the workers on the coordinator."""
    for server in servers():
        with psycopg.connect(_at(server, url), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION citus")
    with psycopg.connect(url, autocommit=True) as connection:
        for host, port, kind in reversed(servers()):
            if kind == "coordinator":
                connection.execute("SELECT citus_set_coordinator_host(%s, %s)", [host, port])
            if kind == "worker":
                connection.execute("SELECT citus_add_node(%s, %s)", [host, port])


@contextmanager
def database(template: str | None, places: Sequence[Server]) -> Iterator[str]:
    """Create a database with the same name on these servers. Yields the coordinator's URL.

    template: name of the database to copy on each of them.
    """
    name = f"orgctx_test_{uuid4().hex[:12]}"
    with ExitStack() as stack:
        for server in places:
            url = _at(server, URL)
            _create(url, name, template)
            stack.callback(_drop, url, name)
        yield make_conninfo(URL, dbname=name)


def _create(url: str, name: str, template: str | None) -> None:
    create = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
        sql.Identifier(name), sql.Identifier(template or "template0")
    )
    with psycopg.connect(url, autocommit=True) as connection:
        _once_unused(connection, create)
        if template:
            # PostgreSQL does not copy the privileges on the database that migrations set.
            revoke = sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC")
            connection.execute(revoke.format(sql.Identifier(name)))


def close(name: str) -> None:
    """Close all connections to a database and forbid new ones: Citus keeps its own connections."""
    for server in servers():
        with psycopg.connect(_at(server, URL), autocommit=True) as connection:
            connection.execute(CLOSE.format(sql.Identifier(name)))
            connection.execute(DISCONNECT, [name])


def _drop(url: str, name: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(CLOSE.format(sql.Identifier(name)))
        _once_unused(connection, DROP.format(sql.Identifier(name)))


def _once_unused(connection: psycopg.Connection, statement: sql.Composed) -> None:
    """Run a statement that needs a database without connections; try again while there are some.

    PostgreSQL itself waits 5 seconds. The background process of Citus may take longer to end.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            connection.execute(statement)
        except psycopg.errors.ObjectInUse:
            if attempt == ATTEMPTS:
                raise
        else:
            return


def _at(server: Server, url: str) -> str:
    """Return the URL of a database on one server, with options so that DDL stays on that server."""
    options = "-c citus.enable_ddl_propagation=off"
    return make_conninfo(url, host=server.host, port=server.port, options=options)
