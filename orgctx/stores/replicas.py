"""Read replicas: which of them may serve now, and in which order.

Each is asked in the background where it is in the primary's log, because a request must not wait
for that. Until the first answer, and after any fault, it is left out
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
from orgctx.stores.db import Pool
from orgctx.stores.positions import Trail, ask

# How often a replica is asked, unless it may lag by less than four times this.
INTERVAL_SECONDS = 1.0

OK, BEHIND, UNREACHABLE = "ok", "behind", "unreachable"


class Replica:
    """One replica. name: its host and port. pool: for statements of requests."""

    def __init__(self, name: str, url: str, primary: Pool, config: Config) -> None:
        self.name = name
        # All statements of a call see one state of the data.
        self.pool = Pool(
            url,
            size=config.database_pool_size,
            timeout_seconds=config.request_timeout_seconds,
            isolation="repeatable read",
            prepares=config.prepares,
        )
        self._primary = primary
        self._watch = _watching(url, config)
        self._trail = Trail()
        self._max_lag_seconds = config.replica_max_lag_seconds
        self._complete_until = -inf
        self._answers = False
        self._told = OK

    @property
    def lag_seconds(self) -> float:
        """How old its data may be at most; inf if unknown."""
        return monotonic() - self._complete_until

    @property
    def state(self) -> str:
        """OK if it may serve."""
        if not self._answers:
            return UNREACHABLE
        return OK if self.lag_seconds <= self._max_lag_seconds else BEHIND

    def leave_out(self) -> None:
        """Do not use it until it has been asked again, because it failed."""
        self._answers = False
        self._tell()

    def look(self) -> None:
        """Ask the primary and the replica where they are."""
        # Without the primary no request is answered, and the notes become old.
        with suppress(ApiError, psycopg.Error):
            self._trail.follow(self._primary)
        try:
            self._complete_until = self._trail.complete_until(ask(self._watch))
            self._answers = True
        except (ApiError, psycopg.Error):
            self._answers = False
        self._tell()

    def close(self) -> None:
        self._watch.close()
        self.pool.close()

    def _tell(self) -> None:
        state = self.state
        if state != self._told:
            self._told = state
            level = logging.INFO if state == OK else logging.WARNING
            log_server(level, f"read replica {self.name}: {state}")


class Replicas:
    """The servers of ORGCTX_DATABASE_READ_URL; none if that is ORGCTX_DATABASE_URL."""

    def __init__(self, config: Config) -> None:
        separate = config.database_read_url != config.database_url
        urls = each_host(config.database_read_url) if separate else {}
        self._primary = _watching(config.database_url, config)
        self.all = [Replica(name, url, self._primary, config) for name, url in urls.items()]
        self._interval = min(INTERVAL_SECONDS, config.replica_max_lag_seconds / 4)
        self._turns = count()
        self._threads: list[Thread] = []
        self._starting = Lock()
        self._ended = Event()

    def in_turn(self) -> list[Replica]:
        """The replicas that may serve now; each call begins with another one."""
        self.watch()
        usable = [one for one in self.all if one.state == OK]
        first = next(self._turns) % max(1, len(usable))
        return usable[first:] + usable[:first]

    def watch(self) -> None:
        """Begin to ask them. Threads do not survive a fork, so a process begins when it serves."""
        with self._starting:
            if not self._threads:
                self._threads = [
                    Thread(target=self._follow, args=(one,), daemon=True) for one in self.all
                ]
                for thread in self._threads:
                    thread.start()

    def close(self) -> None:
        """Stop asking, and close the connections."""
        self._ended.set()
        for thread in self._threads:
            thread.join()
        for one in self.all:
            one.close()
        self._primary.close()

    def _follow(self, replica: Replica) -> None:
        while not self._ended.is_set():
            replica.look()
            self._ended.wait(self._interval)


def _watching(url: str, config: Config) -> Pool:
    seconds = config.request_timeout_seconds
    return Pool(url, size=1, timeout_seconds=seconds, prepares=config.prepares)
