"""Tenants get places in turn, and waiters of a tenant in order. No place is lost or held twice."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from threading import Lock, Thread
from time import sleep

import pytest

from orgctx.stores.tenant_queue import TenantQueue
from tests.support.waiting import until

SIZE = 5


def test_tenant_queue_ignores_waiters_that_timed_out() -> None:
    queue = TenantQueue(1)
    assert queue.acquire(None, 1)
    assert not queue.acquire(None, 0.01)
    queue.release(None)
    assert queue.acquire(None, 0)
    assert not queue.acquire(None, 0)


@pytest.mark.parametrize("is_given", [True, False], ids=["as it was given", "before"])
def test_tenant_queue_takes_back_the_place_of_an_interrupted_waiter(
    is_given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A greenlet may be killed at the moment in which it gets a place."""

    class Interrupted(BaseException):
        pass

    class Turn:
        def __init__(self) -> None:
            self.asked = 0

        def acquire(self, **_: float) -> bool:
            self.asked += 1
            if self.asked == 1:
                return True
            if is_given:
                queue.release(None)
            raise Interrupted

        def release(self) -> None:
            pass

    queue = TenantQueue(1)
    assert queue.acquire(None, 1)
    monkeypatch.setattr("orgctx.stores.tenant_queue.Lock", Turn)
    with pytest.raises(Interrupted):
        queue.acquire(None, 1)
    monkeypatch.undo()
    if not is_given:
        queue.release(None)
    assert queue.acquire(None, 0)
    assert not queue.acquire(None, 0)


def take_all(queue: TenantQueue, tenant: str | None, level: int = 0) -> int:
    """Take as many places as the tenant may hold. Returns their number."""
    count = 0
    while queue.acquire(tenant, 0, level):
        count += 1
    return count


@pytest.mark.parametrize(("size", "share"), [(1, 1), (2, 1), (3, 1), (4, 2), (9, 4)])
def test_tenant_holds_at_most_half(size: int, share: int) -> None:
    queue = TenantQueue(size)
    assert take_all(queue, "a") == share
    assert take_all(queue, None) == size - share
    queue.release("a")
    assert queue.acquire("b", 0)


@pytest.mark.parametrize(("size", "reserved"), [(4, 1), (7, 1), (8, 2), (20, 5)])
def test_quarter_is_for_tenants_that_hold_none(size: int, reserved: int) -> None:
    queue = TenantQueue(size)
    assert take_all(queue, "a") + take_all(queue, "b") == size - reserved
    assert [take_all(queue, str(number)) for number in range(reserved + 1)] == [1] * reserved + [0]


@pytest.mark.parametrize(
    ("size", "most"), [(1, (1, 1)), (2, (1, 1)), (4, (2, 1)), (5, (2, 1)), (20, (10, 5))]
)
def test_levels_limit_the_places_of_all_tenants(size: int, most: tuple[int, int]) -> None:
    for level, count in enumerate(most, 1):
        queue = TenantQueue(size)
        assert sum(take_all(queue, str(number), level) for number in range(2 * size)) == count
        assert take_all(queue, None) == size - count


def test_tenants_are_served_in_turn_and_their_waiters_in_order() -> None:
    """The number of waiters does not matter, nor who came first."""
    queue = TenantQueue(2)
    assert queue.acquire(None, 0)
    assert queue.acquire(None, 0)
    served: list[tuple[str, int]] = []

    def wait(tenant: str, number: int) -> None:
        assert queue.acquire(tenant, 10)
        served.append((tenant, number))
        queue.release(tenant)

    threads = []
    for number, tenant in enumerate("aaaabbc"):
        threads.append(Thread(target=wait, args=[tenant, number]))
        threads[-1].start()
        until(lambda: sum(map(len, queue._queues.values())) == len(threads))
    queue.release(None)
    for thread in threads:
        thread.join()
    assert served == [("a", 0), ("b", 4), ("c", 6), ("a", 1), ("b", 5), ("a", 2), ("a", 3)]


def test_tenant_that_holds_none_is_served_first() -> None:
    queue = TenantQueue(4)
    tenants = ("a", "b", "c", "d")
    assert all(queue.acquire(tenant, 0) for tenant in tenants)
    served: list[str] = []

    def wait(tenant: str) -> None:
        assert queue.acquire(tenant, 10)
        served.append(tenant)

    def waits(count: int) -> bool:
        return len(queue._queues) == count

    threads = [Thread(target=wait, args=[tenant]) for tenant in (*tenants, "quiet")]
    for count, thread in enumerate(threads, 1):
        thread.start()
        until(partial(waits, count))
    queue.release("a")
    until(lambda: served)
    assert served == ["quiet"]
    for tenant in ("b", "quiet", *"cdabcd"):
        queue.release(tenant)
    for thread in threads:
        thread.join()
    assert not queue._held


@pytest.mark.thorough
def test_tenant_queue_neither_exceeds_its_size_nor_loses_places() -> None:
    """Many threads of several tenants wait, with timeouts close to their turn."""
    queue = TenantQueue(SIZE)
    counting = Lock()
    holders: Counter[str | None] = Counter()
    most: Counter[str | None] = Counter()
    most_at_once = 0

    def run(seed: int) -> int:
        nonlocal most_at_once
        random, held = Random(seed), 0
        for _ in range(200):
            tenant = random.choice((None, None, "a", "b"))
            if queue.acquire(tenant, random.choice((0, 0.0005, 0.002, 1))):
                with counting:
                    holders[tenant] += 1
                    most[tenant] = max(most[tenant], holders[tenant])
                    most_at_once = max(most_at_once, holders.total())
                sleep(random.random() / 2000)
                held += 1
                with counting:
                    holders[tenant] -= 1
                queue.release(tenant)
        return held

    with ThreadPoolExecutor(4 * SIZE) as threads:
        assert sum(threads.map(run, range(4 * SIZE))) > 200
    assert most_at_once == SIZE
    assert most["a"] == most["b"] == SIZE // 2
    assert not queue._queues
    assert not queue._held
    assert [queue.acquire(None, 0) for _ in range(SIZE + 1)] == [True] * SIZE + [False]
