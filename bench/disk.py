"""What stored records take on the disk: python -m bench.disk.

The set is loaded, and vacuumed as autovacuum leaves it. For each table the figure is its size with
indexes and what is kept out of line, for a million of its rows. The log of changes (WAL) and dumps
come on top.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import psycopg

from bench.prepare import prepared

SCALE = "small"
# A table with fewer rows has only first pages, which say nothing of its growth.
FEW = 1_000
SIZES = """
SELECT c.relname, c.reltuples::bigint, pg_table_size(c.oid), pg_indexes_size(c.oid)
  FROM pg_class c
 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.reltuples >= %s
 ORDER BY pg_total_relation_size(c.oid) DESC
"""
TEXTS = """
SELECT (SELECT avg(octet_length(text)) FROM telegram_messages),
       pg_total_relation_size('knowledge_chunks')
           / (SELECT sum(octet_length(content)) FROM knowledge_chunks)
"""
MEBIBYTE = 1024 * 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=Path(".orgctx/bench"))
    options = parser.parse_args()
    with (
        prepared(options.data_dir, SCALE) as ready,
        psycopg.connect(ready.database_url) as connection,
    ):
        print("| table | rows here | MiB a million rows | of these indexes |\n|---|---|---|---|")
        for name, rows, table, indexes in connection.execute(SIZES, (FEW,)):
            whole, part = (size / rows * 1e6 / MEBIBYTE for size in (table + indexes, indexes))
            print(f"| `{name}` | {rows:,} | {whole:,.0f} | {part:,.0f} |")
        [(message, document)] = connection.execute(TEXTS)
        print(
            f"\nA message has {message:.0f} bytes; a document takes {document:.1f} times its text."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
