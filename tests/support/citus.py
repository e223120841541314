"""Databases of a Citus cluster, where one is given: ORGCTX_TEST_CITUS_URL names a database of its
coordinator, in which its servers are known. One that is to hold no shard is a spare.

A copy of a distributed database is a copy on each server, since they know each other by address.
"""

from __future__ import annotations

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
from orgctx.cli.database.distribution import distribute
from orgctx.stores.db import READER_ROLE

URL = os.environ.get("ORGCTX_TEST_CITUS_URL", "")
NO_CLUSTER = "ORGCTX_TEST_CITUS_URL names no coordinator of a Citus cluster"
# Few, because a database is made for each test.
FEW_SHARDS = "-c citus.shard_count=4"
# Statements of a database that wait for a lock, wherever they wait.
WAITING = """
    SELECT count(*)
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
    """Skip a test on a cluster, because what it does to the database cannot be done there."""
    return pytest.mark.skipif(bool(URL), reason=f"on a Citus cluster {reason}")


class Server(NamedTuple):
    """A server of the cluster. kind: coordinator, worker or spare."""

    host: str
    port: int
    kind: str


def servers() -> list[Server]:
    """All servers of the cluster, the coordinator last."""
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
    """The same database for the service, whose login is the reader."""
    return make_conninfo(url, user=READER_ROLE)


@contextmanager
def distributed(options: str = FEW_SHARDS) -> Iterator[str]:
    """A migrated, distributed and empty database; the coordinator's URL. options: of the session
    that distributes it."""
    with undistributed() as url:
        migrations.migrate(url, url)
        extend(url)
        admin_url = make_conninfo(url, options=options)
        with psycopg.connect(URL) as lock, connect(admin_url) as connection:
            # All databases of a server have the same roles, whose rights are set here.
            lock.execute("SELECT pg_advisory_xact_lock(hashtext('orgctx tests distribute'))")
            distribute(connection)
        yield url


@contextmanager
def undistributed() -> Iterator[str]:
    """An empty database of one name on every server; the coordinator's URL."""
    with database(None, servers()) as url:
        yield url


def extend(url: str) -> None:
    """Create Citus in a database on every server, and name the workers to the coordinator."""
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
def copied(template: str) -> Iterator[str]:
    """The URL of a copy of a distributed database."""
    with database(template, servers()) as url:
        yield url


@contextmanager
def database(template: str | None, places: Sequence[Server]) -> Iterator[str]:
    """A database of one name on these servers; the coordinator's URL."""
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
            # A copy has default privileges, not those that migrations set.
            revoke = sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC")
            connection.execute(revoke.format(sql.Identifier(name)))


def close(name: str) -> None:
    """Let nobody connect: Citus itself is connected to each of its databases."""
    for server in servers():
        with psycopg.connect(_at(server, URL), autocommit=True) as connection:
            connection.execute(CLOSE.format(sql.Identifier(name)))
            connection.execute(DISCONNECT, [name])


def _drop(url: str, name: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(CLOSE.format(sql.Identifier(name)))
        _once_unused(connection, DROP.format(sql.Identifier(name)))


def _once_unused(connection: psycopg.Connection, statement: sql.Composed) -> None:
    """PostgreSQL waits 5 s for others to leave; Citus's own process may be longer about it."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            connection.execute(statement)
        except psycopg.errors.ObjectInUse:
            if attempt == ATTEMPTS:
                raise
        else:
            return


def _at(server: Server, url: str) -> str:
    """What is done to a database here is done on this server only."""
    options = "-c citus.enable_ddl_propagation=off"
    return make_conninfo(url, host=server.host, port=server.port, options=options)
