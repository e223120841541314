"""Numbers for Prometheus, which all workers share through files in memory.

To count takes a few tenths of a microsecond, because the number of a set of labels is looked up
once and then changed in place. No label contains what a caller sent, or an organization; all are
our own names of operations, doors, statuses, limits and statements.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from functools import cached_property
from time import perf_counter, time
from typing import TYPE_CHECKING

from orgctx.observability import metrics_directory, metrics_files
from orgctx.observability.observers import POSTGRESQL, Asked, Observer
from orgctx.observability.prometheus_private import durations, number

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
STORE_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 10)
LOOK_UP = "gate/find_key"
# A function that counts a duration in seconds.
Observe = Callable[[float], None]


class _Numbers:
    """All numbers. prometheus_client decides on its import where it keeps them."""

    def __init__(self) -> None:
        from prometheus_client import Counter, Gauge, Histogram

        of_requests = ("operation", "door")
        self.requests: Counter = Counter(
            "orgctx_requests", "Answers by operation, door and status.", [*of_requests, "status"]
        )
        self.seconds: Histogram = Histogram(
            "orgctx_request_seconds", "From head to answer.", of_requests, buckets=SECONDS
        )
        self.refusals: Counter = Counter(
            "orgctx_quota_refusals", "Requests that a limit refused.", ["limit"]
        )
        self.waiting: Histogram = Histogram(
            "orgctx_pool_wait_seconds", "For a connection to PostgreSQL.", buckets=STORE_SECONDS
        )
        self.in_use: Gauge = Gauge(
            "orgctx_pool_in_use", "Connections to PostgreSQL in use.", multiprocess_mode="livesum"
        )
        self.postgresql: Histogram = Histogram(
            "orgctx_postgresql_seconds", "Of a round trip, by statement, or the folder of several.",
            ["statement"], buckets=STORE_SECONDS,
        )  # fmt: skip
        self.redis: Histogram = Histogram(
            "orgctx_redis_seconds", "Of a command.", buckets=STORE_SECONDS
        )
        self.started: Gauge = Gauge(
            "orgctx_start_time_seconds", "When the server began.", multiprocess_mode="livemax"
        )
        self.starts: Counter = Counter("orgctx_worker_starts", "Workers that began to serve.")
        self.deaths: Counter = Counter(
            "orgctx_worker_deaths", "Workers that ended without being told to."
        )


class Metrics(Observer):
    """Counts, in files of `metrics_directory`.

    In workers each in one thread; the master counts them.
    """

    def __init__(self) -> None:
        self._ended: set[int] = set()
        self._requests: dict[tuple[Asked, int], tuple[memoryview[float], Observe]] = {}
        self._refusals: dict[str, memoryview[float]] = {}
        self._round_trips: dict[tuple[str, tuple[str, ...]], Observe] = {}

    @cached_property
    def _numbers(self) -> _Numbers:
        return _Numbers()

    @cached_property
    def _waiting(self) -> Observe:
        return durations(self._numbers.waiting, STORE_SECONDS)

    @cached_property
    def _in_use(self) -> memoryview[float]:
        return number(self._numbers.in_use)

    def begin_master(self) -> None:
        self._numbers.started.set(time())

    def begin_worker(self) -> None:
        number(self._numbers.starts)[0] += 1

    def end_worker(self, *, failed: bool) -> None:
        if not failed:
            self._forget(os.getpid())

    def forget_worker(self, pid: int, living: Collection[int]) -> None:
        if self._forget(pid):
            self._numbers.deaths.inc()
        # A worker that lives may have the process id of one whose files could not be merged yet;
        # it counts on in them.
        self._ended = {*self._ended, pid}.difference(living)
        if metrics_files.merge(self._ended):
            self._ended = set()

    def _forget(self, pid: int) -> bool:
        """Free what a worker held. Returns whether it held anything."""
        from prometheus_client.multiprocess import mark_process_dead

        held = [*metrics_directory.current().glob(f"gauge_live*_{pid}.db")]
        mark_process_dead(pid)  # type: ignore[no-untyped-call]
        return bool(held)

    def end_request(self, asked: Asked, status: int, began: float) -> None:
        found = self._requests.get((asked, status))
        if found is None:
            counter = number(self._numbers.requests.labels(*asked, str(status)))
            found = counter, durations(self._numbers.seconds.labels(*asked), SECONDS)
            self._requests[asked, status] = found
        count, observe = found
        count[0] += 1
        observe(perf_counter() - began)

    def refuse(self, limit: str) -> None:
        if limit not in self._refusals:
            self._refusals[limit] = number(self._numbers.refusals.labels(limit))
        self._refusals[limit][0] += 1

    def enter_pool(self, began: float) -> None:
        self._waiting(perf_counter() - began)
        self._in_use[0] += 1

    def leave_pool(self) -> None:
        self._in_use[0] -= 1

    def ask_store(
        self,
        store: str,
        names: tuple[str, ...],
        began: float,
        error: BaseException | None,  # noqa: ARG002
    ) -> None:
        observe = self._round_trips.get((store, names))
        if observe is None:
            observe = self._round_trips[store, names] = self._round_trip(store, names)
        observe(perf_counter() - began)

    def _round_trip(self, store: str, names: tuple[str, ...]) -> Observe:
        if store == POSTGRESQL:
            child = self._numbers.postgresql.labels(statement(names))
            return durations(child, STORE_SECONDS)
        return durations(self._numbers.redis, STORE_SECONDS)


def statement(names: tuple[str, ...]) -> str:
    """What a round trip is for: its statement, without the look-up of a key that travels with it;
    of several the folder, `search`."""
    asked = names[1:] if len(names) > 1 and names[0] == LOOK_UP else names
    return asked[0] if len(asked) == 1 else asked[0].partition("/")[0]
