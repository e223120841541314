"""Measure reads of a segment at several places of a short and a long document.

`python -m bench.segment` starts its own PostgreSQL and prints medians in µs of reads that take
turns; the last column is relative to the end of the short document. Exits with 1 above the target.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench.dataset import AT, document, identity
from orgctx.bundle.loader import load_records
from orgctx.cli.database.migrations import migrate
from orgctx.embedded import servers
from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS, cut
from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool

SHORT, LONG, SEGMENT = 50_000, 5_000_000, 20_000
PLACES = {
    "short, end": (SHORT, SHORT - SEGMENT),
    "long, start": (LONG, 0),
    "long, middle": (LONG, LONG // 2),
    "long, end": (LONG, LONG - SEGMENT),
}
ROUNDS = 300
TARGET = 1.5
SOURCE = "docs:main"


def records() -> Iterator[dict[str, Any]]:
    """Yield an organization with both documents."""
    base: dict[str, Any] = {"organizationId": identity(1)}
    times = {"createdAt": AT, "updatedAt": AT}
    yield base | {"type": "organization", "data": {"displayName": "B", "slug": "b", **times}}
    source = {"label": "Docs", "description": "", "kind": "docs", "status": "current"}
    yield base | {"type": "source", "sourceId": SOURCE, "data": source | {"updatedAt": AT}}
    for units in (SHORT, LONG):
        # The text consists of numbers, so that all parts compress alike.
        content = " ".join(map(str, range(units // 6)))[:units].ljust(units, ".")
        data = {
            "id": document(1, units), "source": "docs", "title": f"{units}", "content": content,
            "contentFormat": "plain_text", "visibility": "public", "archived": False,
            "sourceStatus": "current", "sourceLabel": "Docs", "sourceHref": None, **times,
        }  # fmt: skip
        yield base | {"type": "knowledge", "sourceId": SOURCE, "data": data}


def read(pool: Pool, units: int, offset: int) -> float:
    """Read a segment. Returns the seconds that it took."""
    began_at = perf_counter()
    parameters = {
        "organization_id": identity(1),
        "id": document(1, units),
        "source_ids": [SOURCE],
        "segment_start": offset - 1,
        "segment_end": offset + SEGMENT + 2,
        "first_chunk": offset - 1 - MAX_CHUNK_UNITS,
    }
    rows = pool.query("knowledge/read_knowledge", parameters, Deadline(10)).rows
    content, _ = cut([(row[-2], row[-1]) for row in rows], units, offset, SEGMENT)
    assert len(content) == SEGMENT
    return perf_counter() - began_at


def main() -> int:
    seconds = defaultdict(list)
    with TemporaryDirectory() as folder, servers(Path(folder), durable=False) as running:
        migrate(running.database_url, running.database_url)
        load_records(running.database_url, records())
        pool = Pool(running.database_url, size=1, timeout_seconds=10)
        for _ in range(ROUNDS):
            for name, (units, offset) in PLACES.items():
                seconds[name].append(read(pool, units, offset))
        pool.close()
    short = median(seconds["short, end"])
    ratios = {name: median(times) / short for name, times in seconds.items()}
    for name, ratio in ratios.items():
        print(f"{name:12} {ratio * short * 1e6:6.0f} {ratio:5.2f}")
    return int(max(ratios.values()) > TARGET)


if __name__ == "__main__":
    sys.exit(main())
