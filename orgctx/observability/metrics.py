"""The metrics that workers count, in the multiprocess mode of prometheus_client.

Import this module only after `PROMETHEUS_MULTIPROC_DIR` is set, because the library reads it when
a metric is created. No label contains client input or an organization: all label values are our
own names of operations, interfaces, statuses, limits and statements.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from time import perf_counter, time

from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.multiprocess import mark_process_dead

from orgctx.observability import metrics_directory
from orgctx.observability.observers import POSTGRESQL, Observer, RequestLabels

REQUEST_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
STORE_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 10)
LOOK_UP = "gate/find_key"
# Each ended worker leaves files of 128 KiB in shared memory, which every scrape reads.
MAX_ENDED_WORKERS = 100

REQUESTS = Counter(
    "orgctx_requests",
    "Number of responses, by operation, interface and HTTP status.",
    ["operation", "interface", "status"],
)
REQUEST_SECONDS = Histogram(
    "orgctx_request_seconds",
    "Duration of a request, from its headers to its response, by operation and interface.",
    ["operation", "interface"],
    buckets=REQUEST_BUCKETS,
)
RATE_LIMITED = Counter(
    "orgctx_quota_refusals", "Number of requests rejected by a rate limit, by limit.", ["limit"]
)
POOL_WAIT_SECONDS = Histogram(
    "orgctx_pool_wait_seconds",
    "Time that a request waited for a PostgreSQL connection.",
    buckets=STORE_BUCKETS,
)
POOL_IN_USE = Gauge(
    "orgctx_pool_in_use", "Number of PostgreSQL connections in use.", multiprocess_mode="livesum"
)
POSTGRESQL_SECONDS = Histogram(
    "orgctx_postgresql_seconds",
    "Duration of a PostgreSQL round trip, by SQL statement.",
    ["statement"],
    buckets=STORE_BUCKETS,
)
REDIS_SECONDS = Histogram(
    "orgctx_redis_seconds", "Duration of a Redis command.", buckets=STORE_BUCKETS
)
START_TIME = Gauge(
    "orgctx_start_time_seconds", "Unix time of the server's start.", multiprocess_mode="livemax"
)
WORKER_STARTS = Counter("orgctx_worker_starts", "Number of workers that started.")
WORKER_DEATHS = Counter("orgctx_worker_deaths", "Number of workers that ended unexpectedly.")


class Metrics(Observer):
    """Updates the metrics. The child of each combination of labels is looked up once."""

    def __init__(self) -> None:
        self._ended: set[int] = set()
        self._requests: dict[tuple[RequestLabels, int], tuple[Counter, Histogram]] = {}
        self._round_trips: dict[tuple[str, tuple[str, ...]], Histogram] = {}

    def begin_master(self) -> None:
        START_TIME.set(time())

    def begin_worker(self) -> None:
        metrics_directory.add_worker(os.getpid())
        WORKER_STARTS.inc()

    def end_worker(self, *, failed: bool) -> None:
        if not failed:
            metrics_directory.remove_worker(os.getpid())

    def reap_worker(self, pid: int, living: Collection[int]) -> None:
        mark_process_dead(pid)  # type: ignore[no-untyped-call]
        if metrics_directory.remove_worker(pid):
            WORKER_DEATHS.inc()
        # A new worker may have the process id of an ended one; it then counts on in its files.
        self._ended = {*self._ended, pid}.difference(living)
        if len(self._ended) >= MAX_ENDED_WORKERS:
            metrics_directory.remove_files(self._ended)
            self._ended.clear()

    def end_request(self, labels: RequestLabels, status: int, started_at: float) -> None:
        children = self._requests.get((labels, status))
        if children is None:
            children = REQUESTS.labels(*labels, str(status)), REQUEST_SECONDS.labels(*labels)
            self._requests[labels, status] = children
        counter, histogram = children
        counter.inc()
        histogram.observe(perf_counter() - started_at)

    def exceed_limit(self, limit: str) -> None:
        RATE_LIMITED.labels(limit).inc()

    def acquire_connection(self, started_at: float) -> None:
        POOL_WAIT_SECONDS.observe(perf_counter() - started_at)
        POOL_IN_USE.inc()

    def release_connection(self) -> None:
        POOL_IN_USE.dec()

    def end_round_trip(
        self,
        store: str,
        names: tuple[str, ...],
        started_at: float,
        error: BaseException | None,  # noqa: ARG002
    ) -> None:
        histogram = self._round_trips.get((store, names))
        if histogram is None:
            histogram = self._round_trips[store, names] = _round_trip(store, names)
        histogram.observe(perf_counter() - started_at)


def _round_trip(store: str, names: tuple[str, ...]) -> Histogram:
    return POSTGRESQL_SECONDS.labels(statement(names)) if store == POSTGRESQL else REDIS_SECONDS


def statement(names: tuple[str, ...]) -> str:
    """The label of a round trip: its statement, or the common folder of several, such as `search`.

    A key look-up that is sent with other statements is left out.
    """
    if len(names) > 1 and names[0] == LOOK_UP:
        names = names[1:]
    return names[0] if len(names) == 1 else names[0].partition("/")[0]
