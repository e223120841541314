"""A distributed database for a bench, and what only its servers know.

The cluster is that of ORGCTX_TEST_CITUS_URL; its servers run on this machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from bench.contenders import TICKS
from tests.support import citus

TABLES = "SELECT logicalrelid::text FROM pg_dist_partition"
# As sql/citus/create_run_on_shard.sql finds them.
PLACE = """
SELECT n.nodename, n.nodeport
FROM pg_dist_placement AS p JOIN pg_dist_node AS n USING (groupid)
WHERE p.shardid = get_shard_id_for_distribution_column('tokens', %s::uuid)
"""
SHARDS = """
SELECT
    p.logicalrelid::text,
    shard_name(p.logicalrelid, get_shard_id_for_distribution_column(p.logicalrelid, %s::uuid))
FROM pg_dist_partition AS p
WHERE has_table_privilege(p.logicalrelid, 'SELECT') AND (p.partmethod = 'n' OR %s::uuid IS NOT NULL)
"""
SAMPLED_SECONDS = 0.2


@contextmanager
def distributed() -> Iterator[tuple[str, str]]:
    """An empty database with as many shards as Citus makes; its URLs for the admin and the
    service."""
    with citus.distributed(options="") as url:
        yield url, citus.reader_url(url)


def vacuum(url: str) -> None:
    """As autovacuum does on each server; Citus passes on only what names its table."""
    with psycopg.connect(url, autocommit=True) as connection:
        for (table,) in connection.execute(TABLES).fetchall():
            connection.execute(sql.SQL("VACUUM (ANALYZE) {}").format(sql.Identifier(table)))


def on_shard(url: str, organization_id: UUID | None, statement: str) -> tuple[str, str]:
    """The server that has an organization's rows, and a statement as it runs there. None: only
    reference tables are read, which the coordinator has."""
    with psycopg.connect(url, cursor_factory=psycopg.ClientCursor) as connection:
        shards = connection.execute(SHARDS, [organization_id, organization_id]).fetchall()
        if organization_id:
            [(host, port)] = connection.execute(PLACE, [organization_id]).fetchall()
            url = make_conninfo(url, host=host, port=port)
    for table, shard in shards:
        statement = re.sub(rf"\b(FROM|JOIN)\s+{table}\b", rf"\1 {shard}", statement)
    return url, statement


@contextmanager
def metered(url: str) -> Iterator[dict[str, float]]:
    """Processor seconds of the connections to a database on every server, by process, once the
    block has ended. Of one that ends the last fraction of a second is lost."""
    name, found, ended = str(conninfo_to_dict(url)["dbname"]), dict[str, float](), Event()

    def sample() -> None:
        while not ended.wait(SAMPLED_SECONDS):
            found.update(_seconds(name))

    before = dict(_seconds(name))
    sampler = Thread(target=sample)
    sampler.start()
    try:
        yield found
    finally:
        ended.set()
        sampler.join()
        found.update(_seconds(name))
        for process, seconds in before.items():
            found[process] = found.get(process, seconds) - seconds


def _seconds(database: str) -> Iterator[tuple[str, float]]:
    """Of the processes whose titles name a database."""
    for process in Path("/proc").glob("[0-9]*"):
        # Any of them may end meanwhile.
        with suppress(OSError):
            if f" {database} " in process.joinpath("cmdline").read_text(errors="replace"):
                fields = process.joinpath("stat").read_text().rpartition(")")[2].split()
                yield process.name, (int(fields[11]) + int(fields[12])) / TICKS
