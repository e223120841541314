"""Numbers for Prometheus, shared by all workers through files in memory.

Off, every call here returns at once. On (ORGCTX_METRICS_BIND), one takes a few microseconds:
children are looked up once for each set of labels. No label holds what a caller sent or an
organization: operations, doors, statuses, limits and statements are names of ours.
"""

from __future__ import annotations

from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram

DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
STORE_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 10)

_is_on = False


class _Metrics:
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


def switch_on() -> None:
    """From here on everything counts, in files of the directory that DIRECTORY names."""
    global _is_on
    _is_on = True


@cache
def _metrics() -> _Metrics:
    return _Metrics()


@cache
def _child(name: str, *labels: str) -> Any:
    return getattr(_metrics(), name).labels(*labels)


def count_request(operation: str, door: str, status: int, began: float) -> None:
    """Count an answer. began: a value of perf_counter."""
    if _is_on:
        _child("requests", operation, door, str(status)).inc()
        _child("seconds", operation, door).observe(perf_counter() - began)


def count_refusal(limit: str) -> None:
    """A limit refused."""
    if _is_on:
        _child("refusals", limit).inc()


def enter_pool(began: float) -> None:
    """A connection was waited for since `began`, and is in use now."""
    if _is_on:
        _metrics().waiting.observe(perf_counter() - began)
        _metrics().in_use.inc()


def leave_pool() -> None:
    """A connection is free again."""
    if _is_on:
        _metrics().in_use.dec()


def time_postgresql(statement: str, began: float) -> None:
    """A round trip came back."""
    if _is_on:
        _child("postgresql", statement).observe(perf_counter() - began)


def time_redis(began: float) -> None:
    """A command was answered."""
    if _is_on:
        _metrics().redis.observe(perf_counter() - began)


def count_worker() -> None:
    """A worker begins."""
    if _is_on:
        _metrics().workers.inc()


def forget_worker(pid: int) -> None:
    """A worker ended: what it held is held no more."""
    if _is_on:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(pid)  # type: ignore[no-untyped-call]
