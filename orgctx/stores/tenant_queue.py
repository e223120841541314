"""A fair semaphore with one queue for each tenant.

A queue is first in, first out; a semaphore of `threading` lets newcomers overtake waiting threads.
Queues are served in turn, so that a long queue does not delay the others.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable
from threading import Lock


class TenantQueue:
    """A semaphore with `size` places, for threads or greenlets. A released place goes to a waiter.

    A tenant holds at most half of all places (or the only place). The tenant None has no such
    limit: it stands for requests whose organization is not known yet; their statements are short.
    """

    def __init__(self, size: int) -> None:
        self._free = size
        self._share = max(1, size // 2)
        self._held: Counter[Hashable] = Counter()
        # In the order of their next turns. No queue is empty.
        self._queues: dict[Hashable, deque[Lock]] = {}
        self._mutex = Lock()

    def acquire(self, tenant: Hashable, timeout: float) -> bool:
        """Wait up to `timeout` seconds for a place; return whether it was acquired."""
        with self._mutex:
            # If another tenant could take a free place, release would have given it to that tenant.
            if self._may_hold(tenant):
                self._hold(tenant)
                return True
            waiter = Lock()
            waiter.acquire()
            self._queues.setdefault(tenant, deque()).append(waiter)
        try:
            if waiter.acquire(timeout=timeout):
                return True
        except BaseException:
            if not self._withdraw(tenant, waiter):
                self.release(tenant)
            raise
        return not self._withdraw(tenant, waiter)

    def release(self, tenant: Hashable) -> None:
        """Give a place of `tenant` to the first waiter of the next tenant that may take it."""
        with self._mutex:
            self._free += 1
            self._held[tenant] -= 1
            if not self._held[tenant]:
                del self._held[tenant]
            successor = next(
                (candidate for candidate in self._queues if self._may_hold(candidate)), self
            )
            if successor is not self:
                self._hold(successor)
                waiting = self._queues.pop(successor)
                waiting.popleft().release()
                if waiting:
                    self._queues[successor] = waiting

    def _may_hold(self, tenant: Hashable) -> bool:
        return self._free > 0 and (tenant is None or self._held[tenant] < self._share)

    def _hold(self, tenant: Hashable) -> None:
        self._free -= 1
        self._held[tenant] += 1

    def _withdraw(self, tenant: Hashable, waiter: Lock) -> bool:
        """Stop waiting. False if the place was granted at the last moment."""
        with self._mutex:
            waiting = self._queues.get(tenant, deque())
            if waiter not in waiting:
                return False
            waiting.remove(waiter)
            if not waiting:
                del self._queues[tenant]
            return True
