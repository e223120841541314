"""A fair semaphore with queues for each tenant.

A queue is first in, first out; a semaphore of `threading` lets newcomers overtake waiting threads.
A released place goes to the waiting tenant that has not taken or released one for the longest time,
so a tenant with one request does not wait for those with many. A tenant whose calls were slow
lately is remembered: its next ones of that kind probably are slow too.
"""

from collections import Counter, deque
from collections.abc import Hashable
from threading import Lock
from time import monotonic

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
