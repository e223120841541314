"""Sample the memory, descriptors, connections and requests of the service once a second."""

from collections.abc import Callable, Iterator, Sequence
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
    """Measurements of one second."""

    requests: float
    p50_ms: float
    p99_ms: float
    pss_mib: list[float]  # of the master, then of each worker
    descriptors: int
    database_connections: int
    redis_connections: int


class Counters:
    """The servers that count requests: one, or the masters of a Redis Cluster."""

    def __init__(self, urls: Sequence[str]) -> None:
        self._clients = [Redis.from_url(url) for url in urls]
        self._connections_before = self._count()

    def reset(self) -> None:
        for each in self._clients:
            each.flushdb()

    def connections(self) -> int:
        """Return how many connections were opened since the start and are still open."""
        return self._count() - self._connections_before

    def close(self) -> None:
        for each in self._clients:
            each.close()

    def _count(self) -> int:
        return sum(each.info("clients")["connected_clients"] for each in self._clients)


def samples(
    pids: Callable[[], list[int]], database_url: str, counters: Counters,
    latencies: Callable[[], list[float]], ended: Event,
) -> Iterator[Sample]:  # fmt: skip
    """Yield a sample a second until `ended` is set.

    Args:
        pids: the processes of the service, the master first.
    """
    last = monotonic()
    with psycopg.connect(database_url, autocommit=True) as database:
        while not ended.wait(1 - (monotonic() - last)):
            now = monotonic()
            durations = sorted(latencies())
            seconds = now - last
            last = now
            (count,) = database.execute(CONNECTIONS, [NAME]).fetchone() or (0,)
            processes = pids()
            yield Sample(
                round(len(durations) / seconds, 1),
                percentile(durations, 0.5),
                percentile(durations, 0.99),
                [pss(pid) for pid in processes],
                sum(descriptors(pid) for pid in processes),
                count,
                counters.connections(),
            )


def percentile(latencies: list[float], fraction: float) -> float:
    """Return a percentile of sorted seconds in milliseconds; 0 if there are none."""
    if not latencies:
        return 0.0
    return round(latencies[min(len(latencies) - 1, int(fraction * len(latencies)))] * 1000, 2)


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
