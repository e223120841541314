"""A database moves to a cluster, and the cluster grows while it serves."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from orgctx.cli.database import migrations
from orgctx.stores.db import READER_ROLE
from tests.citus.conftest import only_here, rows
from tests.support import citus, crawl
from tests.support import organizations as orgs
from tests.support.deployment import Deployment
from tests.support.organizations import ALL, AMBER, EMBER
from tests.support.traffic import steady
from tests.support.waiting import until

FOREIGN_KEYS = """
    SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE contype = 'f' AND connamespace = 'public'::regnamespace
        AND conrelid::regclass::text !~ '_\\d+$'
    ORDER BY 1, 2
"""
PLACES = """
    SELECT n.nodename, n.nodeport, min(s.shardid) FROM pg_dist_shard AS s
    JOIN pg_dist_placement AS p ON p.shardid = s.shardid
    JOIN pg_dist_node AS n ON n.groupid = p.groupid
    WHERE s.logicalrelid = 'knowledge'::regclass
    GROUP BY n.nodename, n.nodeport
"""
MOVE_ATTEMPTS = 3
TOGETHER = "-c citus.shard_count=4"


def test_database_moves_to_citus(redis_url: str) -> None:
    with citus.undistributed() as url:
        single = Deployment(make_conninfo(url, options=TOGETHER), redis_url)
        migrations.migrate(url, url)
        orgs.load(single)
        answered = crawl.answers(single, AMBER.id)
        before = rows(single), single.execute(FOREIGN_KEYS)
        with citus.roles_locked():
            citus.extend(url)
            moved = single.cli("migrate", "--citus", "--json").json()
        kinds = {table["name"]: table["kind"] for table in moved["tables"]}
        assert kinds["sources"] == "reference"
        assert kinds["telegram_messages"] == "distributed"
        there = Deployment(citus.reader_url(url), redis_url, url)
        assert (rows(there), there.execute(FOREIGN_KEYS)) == before
        assert crawl.answers(there, AMBER.id) == answered
        assert single.cli("migrate", "--citus", "--json").json() == moved | {"applied": []}
        there.load(record for each in ALL for record in orgs.records(each))
        assert rows(there).keys() == before[0].keys()


def test_distribute_without_citus_fails_with_a_message(redis_url: str) -> None:
    with only_here() as url:
        error = Deployment(url, redis_url).cli("migrate", "--citus").failed()
    assert "CREATE EXTENSION citus" in error


def test_service_role_cannot_write_through_citus(deployment: Deployment) -> None:
    orgs.load(deployment)
    for server in citus.servers():
        if server.kind == "spare":
            continue
        url = make_conninfo(deployment.database_url, host=server.host, port=server.port)
        with psycopg.connect(url, autocommit=True) as connection:
            assert connection.info.user == READER_ROLE
            connection.execute("SET default_transaction_read_only = off")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("DELETE FROM knowledge")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("SELECT FROM api_keys")


def test_citus_cluster_grows_while_it_serves(deployment: Deployment) -> None:
    """No request fails and no response changes while a server is added and shards move."""
    (spare,) = [server for server in citus.servers() if server.kind == "spare"]
    orgs.load(deployment)
    with unchanged_answers(deployment) as rounds:
        deployment.execute("SELECT citus_add_node(%s, %s)", [spare.host, spare.port])
        deployment.execute("SELECT replicate_reference_tables('force_logical')")
        first, second, *_ = [
            (host, port, shard)
            for host, port, shard in deployment.execute(PLACES)
            if (host, port) != (spare.host, spare.port)
        ]
        for host, port, shard in (first, second):
            deployment.execute(
                "SELECT citus_move_shard_placement(%s, %s, %s, %s, %s, 'force_logical')",
                [shard, host, port, spare.host, spare.port],
            )
            deployment.load(orgs.records(EMBER))
        # Until every request was sent once more.
        count = len(rounds)
        until(lambda: len(rounds) >= count + 2)
    assert (spare.host, spare.port) in {place[:2] for place in deployment.execute(PLACES)}


@contextmanager
def unchanged_answers(deployment: Deployment) -> Iterator[list[Any]]:
    """Repeat all requests while the block runs. Yields the changed answers of each round."""
    expected = crawl.answers(deployment, AMBER.id)

    def compare() -> Any:
        pairs = zip(expected, crawl.answers(deployment, AMBER.id), strict=True)
        return [pair for pair in pairs if pair[0] != pair[1]]

    with steady(compare, clients=1) as rounds:
        yield rounds
    assert len(rounds) > 2
    assert not any(rounds), rounds


def test_loads_wait_for_each_other_and_for_moving_shards(deployment: Deployment) -> None:
    """Two loads of different organizations write the same reference tables."""
    orgs.load(deployment)
    workers = [(server.host, server.port) for server in citus.servers() if server.kind == "worker"]
    tenants = cycle(ALL)
    with steady(lambda: deployment.load(orgs.records(next(tenants))), clients=2) as loads:
        host, port, shard = deployment.execute(PLACES)[0]
        (target,) = [worker for worker in workers if worker != (host, port)]
        for _ in range(MOVE_ATTEMPTS):
            # A load may win against the move, which is then undone, but leaves roles.
            deployment.execute("CALL citus_cleanup_orphaned_resources()")
            with suppress(psycopg.errors.DeadlockDetected):
                deployment.execute(
                    "SELECT citus_move_shard_placement(%s, %s, %s, %s, %s, 'force_logical')",
                    [shard, host, port, *target],
                )
                break
        count = len(loads)
        until(lambda: len(loads) >= count + 4)
    assert len(loads) >= 4
    # Otherwise a move that was undone keeps the database in use.
    deployment.execute("CALL citus_cleanup_orphaned_resources()")
