"""A fair semaphore with queues for each tenant.

A queue is first in, first out; a semaphore of `threading` lets newcomers overtake waiting threads.
A released place goes to the waiting tenant that has not taken or released one for the longest time,
so a tenant with one request does not wait for those with many.
"""

from collections import Counter, deque
from collections.abc import Hashable
from threading import Lock

# A tenant and the level of its request.
Request = tuple[Hashable, int]
LEVEL_COUNT = 3


class TenantQueue:
    """A semaphore with `size` places, for threads or greenlets. A released place goes to a waiter.

    A tenant holds at most half of the places (or the only one). A quarter of the places (at least
    one) is only for tenants that hold no place, and these are served first.

    A request of a higher level holds its place for longer. Requests of level 1 and above hold at
    most half of the places, those of level 2 at most a quarter (both at least one). So a tenant
    that holds no place waits at most until a request of level 0 ends, however many tenants there
    are, unless there is only one place.

    The tenant None has no limit of its own: it stands for requests whose organization is not known
    yet. All of them have level 0.
    """

    def __init__(self, size: int) -> None:
        self._share = max(1, size // 2)
        self._reserved = max(1, size // 4)
        # For each level, how many places are free for requests of that level and of higher ones.
        self._free = [max(1, size >> level) for level in range(LEVEL_COUNT)]
        self._held: Counter[Hashable] = Counter()
        # No queue is empty.
        self._queues: dict[Request, deque[Lock]] = {}
        # When each tenant last took or released a place; kept while any request waits.
        self._last_turns: dict[Hashable, int] = {}
        self._turn = 0
        self._mutex = Lock()

    def acquire(self, tenant: Hashable, timeout: float, level: int = 0) -> bool:
        """Wait up to `timeout` seconds for a place; return whether it was acquired."""
        request = tenant, level
        with self._mutex:
            # If a waiting request could take a free place, release would have given it to that one.
            if self._admits(request):
                self._hold(request)
                return True
            waiter = Lock()
            waiter.acquire()
            self._queues.setdefault(request, deque()).append(waiter)
        try:
            if waiter.acquire(timeout=timeout):
                return True
        except BaseException:
            if not self._withdraw(request, waiter):
                self.release(tenant, level)
            raise
        return not self._withdraw(request, waiter)

    def release(self, tenant: Hashable, level: int = 0) -> None:
        """Give up a place. level: as when it was acquired."""
        with self._mutex:
            self._held[tenant] -= 1
            if not self._held[tenant]:
                del self._held[tenant]
            for number in range(level + 1):
                self._free[number] += 1
            self._count_turn(tenant)
            # One release may admit two requests, if it ends a limit of its tenant or its level.
            while self._queues and (admitted := [*filter(self._admits, self._queues)]):
                self._grant(min(admitted, key=self._rank))
            if not self._queues:
                self._last_turns.clear()

    def holds(self, tenant: Hashable) -> bool:
        return tenant in self._held

    def _admits(self, request: Request) -> bool:
        tenant, level = request
        if not all(self._free[: level + 1]):
            return False
        held = 0 if tenant is None else self._held[tenant]
        return not held or (held < self._share and self._free[0] > self._reserved)

    def _rank(self, request: Request) -> tuple[bool, int]:
        """Return the sort key of a waiting request; the lowest is served first."""
        tenant, _ = request
        return tenant is not None and self.holds(tenant), self._last_turns.get(tenant, 0)

    def _grant(self, request: Request) -> None:
        self._hold(request)
        waiting = self._queues.pop(request)
        waiting.popleft().release()
        if waiting:
            self._queues[request] = waiting

    def _hold(self, request: Request) -> None:
        tenant, level = request
        self._held[tenant] += 1
        for number in range(level + 1):
            self._free[number] -= 1
        self._count_turn(tenant)

    def _count_turn(self, tenant: Hashable) -> None:
        if self._queues:
            self._turn += 1
            self._last_turns[tenant] = self._turn

    def _withdraw(self, request: Request, waiter: Lock) -> bool:
        """Stop waiting. False if the place was granted at the last moment."""
        with self._mutex:
            waiting = self._queues.get(request, deque())
            if waiter not in waiting:
                return False
            waiting.remove(waiter)
            if not waiting:
                del self._queues[request]
            return True
