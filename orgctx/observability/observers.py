"""Lets metrics and traces observe what workers and requests do.

By default nobody observes, and each event costs one look at an empty list.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

POSTGRESQL, REDIS = "postgresql", "redis"


class Asked(NamedTuple):
    """A request, by our own names. door: rest, mcp, health or none."""

    operation: str
    door: str


class Observer:
    """Gets every event as a call, which does nothing unless overridden.

    began: a time of perf_counter; what began then ends with the call. No call gets what a client
    sent, except the environ of begin_request.
    """

    def begin_master(self) -> None:
        """The master begins; called in the master, before the first worker."""

    def begin_worker(self) -> None:
        """A worker begins; called in the worker."""

    def end_worker(self, *, failed: bool) -> None:
        """A worker ends; called in the worker, unless it is killed."""

    def forget_worker(self, pid: int, living: Collection[int]) -> None:
        """A worker has ended; called in the master. living: process ids of all others."""

    def begin_request(self, environ: Mapping[str, Any], request_id: str) -> None:
        """A request's head has arrived."""

    def end_request(self, asked: Asked, status: int, began: float) -> None:
        """A request's answer is made."""

    def refuse(self, limit: str) -> None:
        """A limit has refused a request."""

    def enter_pool(self, began: float) -> None:
        """A request has waited for a connection to PostgreSQL and uses it now."""

    def leave_pool(self) -> None:
        """A connection is free again."""

    def ask_store(
        self, store: str, names: tuple[str, ...], began: float, error: BaseException | None
    ) -> None:
        """A round trip ended. names: of the statements in `sql/`, or of the one command."""


OBSERVERS: list[Observer] = []


def asked(store: str, names: tuple[str, ...], ask: Callable[..., T], *arguments: Any) -> T:
    """What `ask` returns or raises, which is a round trip to a store. names: as of ask_store."""
    if not OBSERVERS:
        return ask(*arguments)
    began = perf_counter()
    try:
        answer = ask(*arguments)
    except BaseException as error:
        _tell(store, names, began, error)
        raise
    _tell(store, names, began, None)
    return answer


def _tell(store: str, names: tuple[str, ...], began: float, error: BaseException | None) -> None:
    for one in OBSERVERS:
        one.ask_store(store, names, began, error)
