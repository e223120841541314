"""Numbers for Prometheus, shared by all workers through files in memory.

Each takes a few microseconds: children are looked up once for each set of labels. No label
holds what a caller sent or an organization: operations, doors, statuses, limits and statements
are names of ours.
"""

from __future__ import annotations

from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

from orgctx.server.observers import POSTGRESQL, Asked, Observer

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram

DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
STORE_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 10)


class _Numbers:
    """All of them; prometheus_client decides on its import where they are kept."""

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
            "orgctx_postgresql_seconds", "Of a round trip, by its last statement.", ["statement"],
            buckets=STORE_SECONDS,
        )  # fmt: skip
        self.redis: Histogram = Histogram(
            "orgctx_redis_seconds", "Of a command.", buckets=STORE_SECONDS
        )
        self.workers: Counter = Counter("orgctx_worker_starts", "Workers that began to serve.")


@cache
def _numbers() -> _Numbers:
    return _Numbers()


@cache
def _child(name: str, *labels: str) -> Any:
    number = getattr(_numbers(), name)
    return number.labels(*labels) if labels else number


class Metrics(Observer):
    """Counts, in files of the directory that DIRECTORY names."""

    def begin_worker(self) -> None:
        _child("workers").inc()

    def forget_worker(self, pid: int) -> None:
        """What it held is held no more."""
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(pid)  # type: ignore[no-untyped-call]

    def end_request(self, asked: Asked, status: int, began: float) -> None:
        _child("requests", *asked, str(status)).inc()
        _child("seconds", *asked).observe(perf_counter() - began)

    def refuse(self, limit: str) -> None:
        _child("refusals", limit).inc()

    def enter_pool(self, began: float) -> None:
        _child("waiting").observe(perf_counter() - began)
        _child("in_use").inc()

    def leave_pool(self) -> None:
        _child("in_use").dec()

    def ask_store(
        self,
        store: str,
        names: tuple[str, ...],
        began: float,
        error: BaseException | None,  # noqa: ARG002
    ) -> None:
        labels = names[-1:] if store == POSTGRESQL else ()
        _child(store, *labels).observe(perf_counter() - began)
