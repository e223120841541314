"""Sample once a second what the service holds (memory, descriptors, connections) and does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic

import psycopg
from redis import Redis

# The service's connections have this name, and those of commands have another.
NAME = "orgctx-soak"
CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"


@dataclass(frozen=True)
class Sample:
    """One second. pss_mib: memory of the master and then of each worker."""

    at: float
    requests: float
    p50_ms: float
    p99_ms: float
    pss_mib: list[float]
    descriptors: int
    database_connections: int
    redis_connections: int
    change: str


def samples(
    pids: Callable[[], list[int]], database_url: str, redis_url: str,
    others: int, latencies: Callable[[], list[float]], change: Callable[[], str], ended: Event,
) -> Iterator[Sample]:  # fmt: skip
    """A sample a second until it is ended.

    pids: of the service, its master's first. others: connections to Redis that are not its own.
    """
    began = last = monotonic()
    with psycopg.connect(database_url, autocommit=True) as database:
        redis = Redis.from_url(redis_url)
        while not ended.wait(1 - (monotonic() - last)):
            now = monotonic()
            taken, seconds, last = sorted(latencies()), now - last, now
            (count,) = database.execute(CONNECTIONS, [NAME]).fetchone() or (0,)
            own = pids()
            yield Sample(
                round(now - began, 2),
                round(len(taken) / seconds, 1),
                percentile(taken, 0.5),
                percentile(taken, 0.99),
                [pss(pid) for pid in own],
                sum(descriptors(pid) for pid in own),
                count,
                redis.info("clients")["connected_clients"] - 1 - others,
                change(),
            )
        redis.close()


def percentile(latencies: list[float], share: float) -> float:
    """A percentile of sorted seconds in milliseconds; 0 if there are none."""
    if not latencies:
        return 0.0
    return round(latencies[min(len(latencies) - 1, int(share * len(latencies)))] * 1000, 2)


def pss(pid: int) -> float:
    """The memory of a process in MiB, with its part of shared pages; 0 if it has gone."""
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
