"""What workers and requests do, told to whoever observes it: metrics and traces.

Nobody does by default: then each of them is one look at an empty list.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

POSTGRESQL, REDIS = "postgresql", "redis"


class Asked(NamedTuple):
    """A request by names of ours. door: rest, mcp, health or none."""

    operation: str
    door: str


class Observer:
    """Is told of everything; each call does nothing unless overridden.

    began: as perf_counter tells; what began then ends with the call. No call is given what a
    caller sent, except the environ of begin_request.
    """

    def begin_master(self) -> None:
        """The master begins, in itself, before the first worker."""

    def begin_worker(self) -> None:
        """A worker begins, in itself."""

    def end_worker(self, *, failed: bool) -> None:
        """A worker ends, in itself; one that is killed does not get here."""

    def forget_worker(self, pid: int, living: Collection[int]) -> None:
        """A worker has ended, however: said in the master. living: process ids of all others."""

    def begin_request(self, environ: Mapping[str, Any], request_id: str) -> None:
        """A request's head has arrived."""

    def end_request(self, asked: Asked, status: int, began: float) -> None:
        """A request's answer is made."""

    def refuse(self, limit: str) -> None:
        """A limit refused."""

    def enter_pool(self, began: float) -> None:
        """A connection to PostgreSQL was waited for, and is in use now."""

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
