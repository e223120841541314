"""Sample the memory, descriptors, connections and requests of the service once a second."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic

import psycopg
from redis import Redis

# The application name of the service's connections; commands have another one.
NAME = "orgctx-soak"
CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"


@dataclass(frozen=True)
class Sample:
    """One second. pss_mib: memory of the master, then of each worker."""

    requests: float
    p50_ms: float
    p99_ms: float
    pss_mib: list[float]
    descriptors: int
    database_connections: int
    redis_connections: int


def samples(
    pids: Callable[[], list[int]], database_url: str, redis_url: str,
    others: int, latencies: Callable[[], list[float]], ended: Event,
) -> Iterator[Sample]:  # fmt: skip
    """Yield a sample a second until `ended` is set.

    Args:
        pids: of the service, its master's first.
        others: connections to Redis that are not the service's.
    """
    last = monotonic()
    with psycopg.connect(database_url, autocommit=True) as database:
        redis = Redis.from_url(redis_url)
        while not ended.wait(1 - (monotonic() - last)):
            now = monotonic()
            taken, seconds, last = sorted(latencies()), now - last, now
            (count,) = database.execute(CONNECTIONS, [NAME]).fetchone() or (0,)
            processes = pids()
            yield Sample(
                round(len(taken) / seconds, 1),
                percentile(taken, 0.5),
                percentile(taken, 0.99),
                [pss(pid) for pid in processes],
                sum(descriptors(pid) for pid in processes),
                count,
                redis.info("clients")["connected_clients"] - 1 - others,
            )
        redis.close()


def percentile(latencies: list[float], share: float) -> float:
    """Return a percentile of sorted seconds in milliseconds; 0 if there are none."""
    if not latencies:
        return 0.0
    return round(latencies[min(len(latencies) - 1, int(share * len(latencies)))] * 1000, 2)


def pss(pid: int) -> float:
    """Return the memory of a process in MiB (PSS); 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next(
        (round(int(line.split()[1]) / 1024, 2) for line in lines if line.startswith("Pss:")), 0.0
    )


def descriptors(pid: int) -> int:
    try:
        return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return 0
