"""The same data on a single server and on a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg import sql

from orgctx.cli.database import migrations
from orgctx.embedded import Servers
from tests.support import citus
from tests.support.deployment import Deployment

# They need the cluster of ORGCTX_TEST_CITUS_URL.
collect_ignore_glob = [] if citus.URL else ["test_*"]


@pytest.fixture(scope="module")
def single(servers: Servers) -> Iterator[Deployment]:
    """A migrated database on the coordinator that is not distributed."""
    with on_one_server(servers.redis_url) as deployment:
        yield deployment


@pytest.fixture
def other(redis_url: str) -> Iterator[Deployment]:
    """Another such database, for a single test."""
    with on_one_server(redis_url) as deployment:
        yield deployment


@contextmanager
def on_one_server(redis_url: str) -> Iterator[Deployment]:
    with only_here() as url:
        migrations.migrate(url, url)
        yield Deployment(url, redis_url)


@contextmanager
def only_here() -> Iterator[str]:
    """An empty database on a single server."""
    with citus.database(None, citus.servers()[-1:]) as url:
        yield url


def rows(deployment: Deployment) -> dict[str, list[tuple[object, ...]]]:
    """The rows of all tables by key, without versions, and the authors and times of decisions."""
    with psycopg.connect(deployment.admin_url) as connection:
        contents = {}
        for table, key in connection.execute(KEYS).fetchall():
            name, order = sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, key))
            query = sql.SQL("SELECT to_jsonb(t) - {}::text[] FROM {} AS t ORDER BY {}").format(
                [
                    "decided_at",
                    "suppressed_at",
                    "released_at",
                    "loaded_at",
                    "at",
                    "sequence",
                    "login",
                    "version",
                ],
                name,
                order,
            )
            contents[table] = connection.execute(query).fetchall()
        return contents


KEYS = """
    SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
    FROM pg_class AS c
    JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey)
    WHERE c.relnamespace = 'public'::regnamespace
        AND c.relkind = 'r'
        AND EXISTS (
            SELECT FROM pg_attribute AS o WHERE o.attrelid = c.oid AND o.attname = 'organization_id'
        )
        AND c.relname <> 'api_keys'
    GROUP BY c.relname
    ORDER BY c.relname
"""
