"""Tenants get places in turn, and waiters of a tenant in order. No place is lost or held twice."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Lock
from time import sleep

import pytest

from orgctx.stores.tenant_queue import TenantQueue

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
