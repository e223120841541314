"""The places for calls to PostgreSQL, of which slow ones get fewer.

A tenant whose calls were slow lately is remembered: its next ones of that kind probably are slow
too.
"""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from time import monotonic, perf_counter

from orgctx.errors import RequestTimeout
from orgctx.observability.observers import OBSERVERS
from orgctx.stores.deadline import Deadline
from orgctx.stores.tenant_queue import TenantQueue

# Levels of calls in the queue.
SEARCH, SLOW = 1, 2

# A call of a tenant: its kind is () for a search, else the names of its statements.
Call = tuple[Hashable, tuple[str, ...]]
# How long a search must take, and for how long the searches of its tenant are then slow.
SLOW_SECONDS, REMEMBERED_SECONDS = 0.25, 60.0
# The same of other calls, of which the last few must take so long on average: a call that takes
# long only because the machine is busy must not wait among those that always do.
SLOW_CALL_SECONDS, REMEMBERED_CALL_SECONDS = 0.1, 1.0
AVERAGED_CALLS = 4


class SlowCalls:
    """Remembers which calls of a tenant were slow lately."""

    def __init__(self) -> None:
        # When a call is forgotten, and its average seconds.
        self._remembered: dict[Call, tuple[float, float]] = {}

    def remembers(self, call: Call) -> bool:
        """Return whether such a call was slow lately."""
        _, names = call
        until, seconds = self._remembered.get(call, (0.0, 0.0))
        return until > monotonic() and (not names or seconds >= SLOW_CALL_SECONDS)

    def note(self, call: Call, seconds: float) -> None:
        _, names = call
        now = monotonic()
        until, average = self._remembered.get(call, (0.0, 0.0))
        if until < now:
            average = 0.0
        average += (seconds - average) / AVERAGED_CALLS
        if seconds < (SLOW_CALL_SECONDS if names else SLOW_SECONDS):
            if until > now and names:
                self._remembered[call] = until, average
            return
        kept = {other: value for other, value in self._remembered.items() if value[0] > now}
        remembered = REMEMBERED_CALL_SECONDS if names else REMEMBERED_SECONDS
        self._remembered = kept | {call: (now + remembered, average)}


class CallQueue:
    """Admits calls of tenants; `size` run at once."""

    def __init__(self, size: int) -> None:
        self._queue = TenantQueue(size)
        self._slow = SlowCalls()

    @contextmanager
    def admitted(self, call: Call, deadline: Deadline) -> Iterator[None]:
        """Hold a place during the block, whose duration is remembered. Raises RequestTimeout."""
        tenant, _ = call
        started_at = perf_counter()
        level = self._acquire(call, deadline)
        for observer in OBSERVERS:
            observer.acquire_connection(started_at)
        began_at = monotonic()
        try:
            yield
        finally:
            if tenant:
                self._slow.note(call, monotonic() - began_at)
            self._queue.release(tenant, level)

    def _acquire(self, call: Call, deadline: Deadline) -> int:
        """Return the level of the place."""
        tenant, names = call
        is_slow = self._slow.remembers(call)
        level = SLOW if is_slow else 0 if names else SEARCH
        if not self._queue.acquire(tenant, deadline.left(), level):
            raise RequestTimeout
        # The calls may have become slow while this one waited.
        if not is_slow and self._slow.remembers(call):
            self._queue.release(tenant, level)
            return self._acquire(call, deadline)
        return level
