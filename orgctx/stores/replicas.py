"""Read replicas: which of them may serve requests now, and in which order.

The position of each replica in the primary's log is read in the background, because a request must
not wait for it. Before the first result and after any error, a replica is not used
(docs/decisions/0014-read-replicas.md).
"""

from __future__ import annotations

import logging
from contextlib import suppress
from itertools import count
from math import inf
from threading import Event, Lock, Thread
from time import monotonic

import psycopg

from orgctx.config.database_url import each_host
from orgctx.config.settings import Config
from orgctx.errors import ApiError
from orgctx.observability.logs import log_server
from orgctx.stores.pool import Pool
from orgctx.stores.positions import PositionHistory, read_position

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
            self._history.update(self._primary)
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
