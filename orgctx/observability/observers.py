"""Let metrics observe requests and round trips.

OBSERVERS is empty unless metrics are on; then an event costs almost nothing.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

POSTGRESQL, REDIS = "postgresql", "redis"


class RequestLabels(NamedTuple):
    """The labels of a request. They never contain client input.

    interface: rest, mcp, health or none.
    """

    operation: str
    interface: str


class Observer:
    """Receives each event as a call, which does nothing unless overridden.

    started_at: when the observed action started, in seconds of perf_counter; it ends now. No event
    contains client input.
    """

    def end_request(self, labels: RequestLabels, status: int, started_at: float) -> None:
        """The response of a request is complete."""

    def exceed_limit(self, limit: str) -> None:
        """A request was rejected by a rate limit."""

    def acquire_connection(self, started_at: float) -> None:
        """A request has waited for a PostgreSQL connection and uses it now."""

    def end_round_trip(self, store: str, names: tuple[str, ...], started_at: float) -> None:
        """A round trip to a store ended, also by an exception.

        store: POSTGRESQL or REDIS. names: the statements in `sql/`, or one Redis command.
        """


OBSERVERS: list[Observer] = []


def observed(store: str, names: tuple[str, ...], function: Callable[..., T], *arguments: Any) -> T:
    """Call a function that makes one round trip to a store, and report it to the observers.

    names: as in end_round_trip. Returns or raises what the function does.
    """
    if not OBSERVERS:
        return function(*arguments)
    started_at = perf_counter()
    try:
        return function(*arguments)
    finally:
        for observer in OBSERVERS:
            observer.end_round_trip(store, names, started_at)
