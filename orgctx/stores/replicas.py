"""Servers beside the primary: read replicas, and the workers of a Citus cluster.

A replica cannot report its own lag: the age of its last commit also grows while nobody writes, or
during one long load. So the primary's position in its write-ahead log is recorded over time, and a
replica's position is looked up in this history. Clocks of servers are not compared. Positions are
read in the background, because a request must not wait for them. Before the first result and after
any error, a replica is not used (docs/decisions.md, 14).
"""

import logging
from collections import deque
from contextlib import suppress
from datetime import datetime
from itertools import count
from math import inf
from threading import Event, Lock, Thread
from time import monotonic
from typing import NamedTuple

import psycopg

from orgctx.config.settings import Config
from orgctx.config.urls import each_host
from orgctx.errors import ApiError
from orgctx.observability.logs import log_server
from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool

# A server that takes longer to report its position is unreachable.
ASK_SECONDS = 1.0
# The lag of a replica that is older than this history is unknown.
MAX_HISTORY = 1000


class Position(NamedTuple):
    """The row of sql/stores/read_position."""

    cluster: int
    database: int
    started_at: datetime
    is_replica: bool
    bytes: int

    def serves_for(self, primary: "Position") -> bool:
        """Return whether it is that server, or a replica of its cluster, with the same database.

        A former primary that still accepts writes belongs to the cluster but has another history.
        """
        is_same = self.started_at == primary.started_at
        return (self.cluster, self.database) == (primary.cluster, primary.database) and (
            self.is_replica or is_same
        )


def read_position(server: Pool) -> Position:
    """Return the current position of a server. Raises ApiError or psycopg.Error."""
    return Position(*server.query("stores/read_position", {}, Deadline(ASK_SECONDS)).rows[0])


class PositionHistory:
    """The positions of the primary over time."""

    def __init__(self) -> None:
        self._positions: deque[tuple[float, Position]] = deque(maxlen=MAX_HISTORY)

    def add(self, read_at: float, position: Position) -> None:
        """Record a position of the primary. read_at: monotonic seconds, before it was read."""
        if self._positions and position.bytes < self._positions[-1][1].bytes:
            # Another server took over, which lacks the end of the former primary's log.
            self._positions.clear()
        self._positions.append((read_at, position))

    def complete_until(self, server: Position) -> float:
        """Return until when, in monotonic seconds, a server has all writes; -inf if unknown."""
        if not self._positions or not server.serves_for(self._positions[-1][1]):
            return -inf
        times = (
            read_at
            for read_at, primary in reversed(self._positions)
            if primary.bytes <= server.bytes
        )
        return next(times, -inf)


# How often positions are read; a quarter of the maximum lag, if that is shorter.
INTERVAL_SECONDS = 1.0

OK, BEHIND, UNREACHABLE = "ok", "behind", "unreachable"


class Replica:
    """One replica. name: its host and port. pool: connections for requests."""

    def __init__(self, name: str, url: str, primary: Pool, config: Config) -> None:
        self.name = name
        # All statements of a call see the same snapshot.
        self.pool = Pool(
            url,
            size=config.database_pool_size,
            timeout_seconds=config.request_timeout_seconds,
            search_seconds=config.search_timeout_seconds,
            isolation="repeatable read",
            prepares=config.prepares,
        )
        self._primary = primary
        self._monitor = _monitoring_pool(url, config)
        self._history = PositionHistory()
        self._max_lag_seconds = config.replica_max_lag_seconds
        self._complete_until = -inf
        self._is_reachable = False
        self._logged_state = OK

    @property
    def lag_seconds(self) -> float:
        """The maximum age of its data; inf if unknown."""
        return monotonic() - self._complete_until

    @property
    def state(self) -> str:
        """OK, BEHIND or UNREACHABLE. It may serve requests only if it is OK."""
        if not self._is_reachable:
            return UNREACHABLE
        return OK if self.lag_seconds <= self._max_lag_seconds else BEHIND

    def leave_out(self) -> None:
        """Stop using it until its position has been read again, because a request failed."""
        self._is_reachable = False
        self._log_change()

    def refresh(self) -> None:
        """Read the positions of the primary and of the replica."""
        # Without the primary no request succeeds, and the history becomes old.
        with suppress(ApiError, psycopg.Error):
            self._history.add(monotonic(), read_position(self._primary))
        try:
            self._complete_until = self._history.complete_until(read_position(self._monitor))
            self._is_reachable = True
        except (ApiError, psycopg.Error):
            self._is_reachable = False
        self._log_change()

    def close(self) -> None:
        self._monitor.close()
        self.pool.close()

    def _log_change(self) -> None:
        state = self.state
        if state != self._logged_state:
            self._logged_state = state
            level = logging.INFO if state == OK else logging.WARNING
            log_server(level, f"read replica {self.name}: {state}")


class Replicas:
    """The servers of ORGCTX_DATABASE_READ_URL; none if that is ORGCTX_DATABASE_URL."""

    def __init__(self, config: Config) -> None:
        has_replicas = config.database_read_url != config.database_url
        urls = each_host(config.database_read_url) if has_replicas else {}
        self._primary = _monitoring_pool(config.database_url, config)
        self.all = [Replica(name, url, self._primary, config) for name, url in urls.items()]
        self._interval = min(INTERVAL_SECONDS, config.replica_max_lag_seconds / 4)
        self._turns = count()
        self._threads: list[Thread] = []
        self._start_lock = Lock()
        self._stopped = Event()

    def in_turn(self) -> list[Replica]:
        """Return the replicas that may serve requests now. Each call starts with another one."""
        self.watch()
        usable = [replica for replica in self.all if replica.state == OK]
        start = next(self._turns) % max(1, len(usable))
        return usable[start:] + usable[:start]

    def watch(self) -> None:
        """Start to read positions. Threads do not survive a fork, so a worker starts its own."""
        with self._start_lock:
            if not self._threads:
                self._threads = [
                    Thread(target=self._follow, args=(replica,), daemon=True)
                    for replica in self.all
                ]
                for thread in self._threads:
                    thread.start()

    def close(self) -> None:
        """Stop reading positions, and close the connections."""
        self._stopped.set()
        for thread in self._threads:
            thread.join()
        for replica in self.all:
            replica.close()
        self._primary.close()

    def _follow(self, replica: Replica) -> None:
        while not self._stopped.is_set():
            replica.refresh()
            self._stopped.wait(self._interval)


def _monitoring_pool(url: str, config: Config) -> Pool:
    seconds = config.request_timeout_seconds
    return Pool(url, size=1, timeout_seconds=seconds, prepares=config.prepares)


# A connection that is silent for this long does not count as broken (see Pool).
CHECK_SECONDS = 2


class Worker(NamedTuple):
    """name: host and port. state: OK or UNREACHABLE."""

    name: str
    state: str


def list_workers(pool: Pool) -> list[Worker]:
    """Return the workers by age, none if the database is not distributed.

    Each is checked by itself, because one that is silent delays the statement until its deadline.
    """
    if not pool.connections.has_shards:
        return []
    rows = pool.query("stores/citus/list_workers", {}, Deadline(CHECK_SECONDS)).rows
    return [Worker(f"{host}:{port}", _state(pool, host, port)) for host, port in rows]


def _state(pool: Pool, host: str, port: int) -> str:
    try:
        rows = pool.query(
            "stores/citus/check_worker", {"host": host, "port": port}, Deadline(CHECK_SECONDS)
        )
    except ApiError:
        return UNREACHABLE
    return OK if rows.rows[0][0] else UNREACHABLE
