"""The rules of TenantQueue, for any number of places and tenants and any order of requests."""

from collections import Counter, defaultdict, deque
from threading import Thread

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from orgctx.stores.tenant_queue import LEVEL_COUNT, TenantQueue
from tests.support.thorough import examples
from tests.support.waiting import until

# None stands for requests whose tenant is not known.
Request = tuple[int | None, int]
WAIT_SECONDS = 20


class Queue(RuleBasedStateMachine):
    """Takes, waits for and releases places, and compares the queue with the list of those held."""

    @initialize(size=st.integers(1, 8))
    def begin(self, size: int) -> None:
        self.size = size
        self.queue = TenantQueue(size)
        self.held: list[Request] = []
        self.waiting: dict[Request, deque[Thread]] = defaultdict(deque)
        # For each tenant that waits, how often others were served since it began.
        self.overtaken: dict[int | None, Counter[int | None]] = {}

    def count(self, tenant: int | None) -> int:
        return sum(holder == tenant for holder, _ in self.held)

    def admits(self, request: Request) -> bool:
        tenant, level = request
        free = self.size - len(self.held)
        for each in range(1, level + 1):
            of_level = sum(held_level >= each for _, held_level in self.held)
            free = min(free, max(1, self.size // 2**each) - of_level)
        count = self.count(tenant) if tenant is not None else 0
        if not count or free <= 0:
            return free > 0
        others = self.size - len(self.held) - 1
        return count < max(1, self.size // 2) and others >= max(1, self.size // 4)

    @rule(
        tenant=st.one_of(st.none(), st.integers(0, 5)),
        level=st.integers(0, LEVEL_COUNT - 1),
        waits=st.sampled_from((True, True, False)),
    )
    def acquire(self, tenant: int | None, level: int, *, waits: bool) -> None:
        request = tenant, 0 if tenant is None else level
        is_admitted = self.admits(request)
        if is_admitted or not waits:
            assert self.queue.acquire(tenant, 0, request[1]) == is_admitted
            self.held += [request] * is_admitted
            return
        thread = Thread(target=self.queue.acquire, args=(tenant, WAIT_SECONDS, request[1]))
        thread.start()
        self.waiting[request].append(thread)
        self.overtaken.setdefault(tenant, Counter())
        until(lambda: len(self.queue._queues.get(request, ())) == len(self.waiting[request]))

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        tenant, level = self.held.pop(data.draw(st.integers(0, len(self.held) - 1)))
        self.queue.release(tenant, level)
        served = [
            request
            for request, threads in self.waiting.items()
            for _ in range(len(threads) - len(self.queue._queues.get(request, ())))
        ]
        # A tenant that holds none is served before those that hold some.
        for request in sorted(served, key=lambda one: self.count(one[0]) > 0):
            assert self.admits(request)
            self.serve(request)

    def serve(self, request: Request) -> None:
        # The first in is the first out.
        self.waiting[request].popleft().join(WAIT_SECONDS)
        self.held.append(request)
        tenant = request[0]
        for other, served in self.overtaken.items():
            if other != tenant and not self.count(other) and self.waiting[other, 0]:
                served[tenant] += 1
                assert served[tenant] <= 1
        if any(threads for (one, _), threads in self.waiting.items() if one == tenant):
            self.overtaken[tenant] = Counter()
        else:
            del self.overtaken[tenant]

    @invariant()
    def queue_has_the_places_that_are_held(self) -> None:
        assert len(self.held) <= self.size
        assert self.queue._held == Counter(tenant for tenant, _ in self.held)
        assert self.queue._free[0] == self.size - len(self.held)

    @invariant()
    def nobody_waits_for_a_place_that_is_free(self) -> None:
        for request, threads in self.waiting.items():
            assert not threads or not self.admits(request)

    @invariant()
    def tenant_without_a_place_waits_for_short_requests(self) -> None:
        """If it waits, at least half of the places are held by requests that end soon."""
        if any(self.waiting[tenant, 0] and not self.count(tenant) for tenant in range(6)):
            short = sum(level == 0 for _, level in self.held)
            assert short >= self.size - max(1, self.size // 2)

    def teardown(self) -> None:
        while self.held:
            tenant, level = self.held.pop()
            self.queue.release(tenant, level)
            for request, threads in self.waiting.items():
                while len(threads) > len(self.queue._queues.get(request, ())):
                    threads.popleft().join(WAIT_SECONDS)
                    self.held.append(request)
        assert not any(self.waiting.values())
        assert not self.queue._held


TestQueue = Queue.TestCase
TestQueue.settings = settings(examples(100), stateful_step_count=60)
