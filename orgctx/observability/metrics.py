"""The metrics that workers count, in the multiprocess mode of prometheus_client.

Import this module only after `PROMETHEUS_MULTIPROC_DIR` is set, because the library reads it when
a metric is created. No label contains client input or an organization: all label values are our
own names of operations, interfaces, statuses, limits and statements.
"""

from collections.abc import Callable
from time import perf_counter

from prometheus_client import Counter, Histogram

from orgctx.observability.observers import POSTGRESQL, Observer, RequestLabels

REQUEST_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
STORE_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 10)
GATE = "gate/"
# Adds a value to a counter or a histogram.
Update = Callable[[float], None]

REQUESTS = Counter(
    "orgctx_requests",
    "Number of responses.",
    ["operation", "interface", "status"],
)
REQUEST_SECONDS = Histogram(
    "orgctx_request_seconds",
    "Duration of a request, from its headers to its response.",
    ["operation", "interface"],
    buckets=REQUEST_BUCKETS,
)
RATE_LIMITED = Counter(
    "orgctx_quota_refusals", "Number of requests rejected by a rate limit.", ["limit"]
)
POOL_WAIT_SECONDS = Histogram(
    "orgctx_pool_wait_seconds",
    "Time that a request waited for a PostgreSQL connection.",
    buckets=STORE_BUCKETS,
)
POSTGRESQL_SECONDS = Histogram(
    "orgctx_postgresql_seconds",
    "Duration of a PostgreSQL round trip.",
    ["statement"],
    buckets=STORE_BUCKETS,
)
REDIS_SECONDS = Histogram(
    "orgctx_redis_seconds", "Duration of a Redis command.", buckets=STORE_BUCKETS
)


class Metrics(Observer):
    """Counts requests and round trips."""

    def __init__(self) -> None:
        # Finding a metric by its labels takes longer than counting.
        self._requests: dict[tuple[RequestLabels, int], tuple[Update, Update]] = {}
        self._round_trips: dict[tuple[str, tuple[str, ...]], Update] = {}

    def end_request(self, labels: RequestLabels, status: int, started_at: float) -> None:
        updates = self._requests.get((labels, status))
        if updates is None:
            updates = (
                REQUESTS.labels(*labels, str(status)).inc,
                REQUEST_SECONDS.labels(*labels).observe,
            )
            self._requests[labels, status] = updates
        count, observe = updates
        count(1)
        observe(perf_counter() - started_at)

    def exceed_limit(self, limit: str) -> None:
        RATE_LIMITED.labels(limit).inc()

    def acquire_connection(self, started_at: float) -> None:
        POOL_WAIT_SECONDS.observe(perf_counter() - started_at)

    def end_round_trip(self, store: str, names: tuple[str, ...], started_at: float) -> None:
        observe = self._round_trips.get((store, names))
        if observe is None:
            is_redis = store != POSTGRESQL
            metric = REDIS_SECONDS if is_redis else POSTGRESQL_SECONDS.labels(statement(names))
            observe = self._round_trips[store, names] = metric.observe
        observe(perf_counter() - started_at)


def statement(names: tuple[str, ...]) -> str:
    """Return the label of a round trip: its statement, or if it has several, their folder.

    A statement of the gate that is sent before others is not counted as one of them.
    """
    if len(names) > 1 and names[0].startswith(GATE):
        names = names[1:]
    return names[0] if len(names) == 1 else names[0].partition("/")[0]
