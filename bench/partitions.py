"""What partitions of the messages would gain: python -m bench.partitions --data-dir FOLDER.

In a set that bench.scale has kept: the messages of its large organization, given to twenty, are
stored in a table without partitions and in ones with some, by hash of the organization; then a
tenth is changed and the table vacuumed. The figures are processor time and pages, which other work
on the machine does not change. What was made is dropped again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from bench.contenders import TICKS
from bench.dataset import chat, identity
from bench.report import table
from orgctx.embedded import servers
from orgctx.stores.db import sql

PARTS = (0, 8, 16)
ORGANIZATIONS, READS = 20, 2_000
HEAD = ["partitions", "store, s", "vacuum, s", "MiB", "page of a chat, ms", "pages read"]
PLACE = "CREATE SCHEMA parted; SET search_path = parted, public; SET synchronous_commit = off"
TABLE = """
CREATE TABLE telegram_messages (
    LIKE public.telegram_messages INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
    PRIMARY KEY (organization_id, chat_id, id)
)
"""
PART = """
CREATE TABLE part_{number} PARTITION OF telegram_messages
    FOR VALUES WITH (MODULUS {parts}, REMAINDER {number})
"""
INDEX = """
CREATE INDEX ON telegram_messages
    (organization_id, chat_id, sender_id, sent_at DESC, id DESC) WHERE sender_id IS NOT NULL
"""
# In the order of the stream, so that organizations take turns.
FILL = """
INSERT INTO telegram_messages
SELECT
    (ARRAY[{organizations}]::uuid[])[1 + m.id %% {count}], m.chat_id, m.id, m.sender_id,
    m.sender_name, m.sender_username, m.kind, m.text, m.detail, m.file, m.reply_to_message_id,
    m.sent_at, m.edited_at
FROM public.telegram_messages AS m
WHERE m.organization_id = %s
ORDER BY m.id
"""
CHANGE = "UPDATE telegram_messages SET detail = 'changed' WHERE id % 10 = 0"
SIZE = """
SELECT sum(pg_total_relation_size(oid)) / 2 ^ 20 FROM pg_class
WHERE relnamespace = 'parted'::regnamespace AND relkind = 'r'
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, required=True)
    options = parser.parse_args()
    with servers(options.data_dir) as running:
        rows = [[f"{parts}", *measured(running.database_url, parts)] for parts in PARTS]
    print("\n".join(table(HEAD, rows)))
    return 0


def measured(url: str, parts: int) -> list[str]:
    """The figures of a table with so many partitions, 0 for one without."""
    with psycopg.connect(url, autocommit=True) as connection, place(connection):
        run = connection.execute
        run(TABLE + (" PARTITION BY HASH (organization_id)" if parts else ""))
        for number in range(parts):
            run(PART.format(number=number, parts=parts))
        run(INDEX)
        names = ", ".join(f"'{identity(number)}'" for number in range(1, ORGANIZATIONS + 1))
        fill = FILL.format(organizations=names, count=ORGANIZATIONS)
        stored = spent(connection, lambda: run(fill, [identity(1)]))
        run(CHANGE)
        vacuumed = spent(connection, lambda: run("VACUUM (ANALYZE) telegram_messages"))
        ((size,),) = run(SIZE).fetchall()
        run("SET plan_cache_mode = force_generic_plan")
        read = sql("telegram/list_telegram_messages")
        asked = {
            "organization_id": identity(1), "chat_id": chat(1, 1), "before": 2**31, "row_limit": 51,
            "source_ids": ["telegram:1"],
        }  # fmt: skip

        def page() -> None:
            for _ in range(READS):
                run(read, asked, prepare=True).fetchall()

        page()
        reading = spent(connection, page) / READS * 1e3
        explain = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {read}"
        ((plans,),) = run(explain, asked).fetchall()
        touched = plans[0]["Plan"]["Shared Hit Blocks"] + plans[0]["Plan"]["Shared Read Blocks"]
    return [f"{stored:.1f}", f"{vacuumed:.2f}", f"{size:,.0f}", f"{reading:.3f}", f"{touched}"]


@contextmanager
def place(connection: psycopg.Connection[Any]) -> Iterator[None]:
    """A schema of its own, before that of the service."""
    connection.execute("DROP SCHEMA IF EXISTS parted CASCADE")
    connection.execute(PLACE)
    try:
        yield
    finally:
        connection.execute("DROP SCHEMA parted CASCADE")


def spent(connection: psycopg.Connection[Any], work: Any) -> float:
    """Processor seconds of the server for some work."""
    before = processor_seconds(connection.info.backend_pid)
    work()
    return processor_seconds(connection.info.backend_pid) - before


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


if __name__ == "__main__":
    sys.exit(main())
