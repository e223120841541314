"""Lines get places in turn, and waiters do within a line. No place is lost or held twice."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Lock, Thread
from time import monotonic, sleep

import pytest

from orgctx.stores.tenant_queue import TenantQueue

SIZE, WAITING = 5, 6


def test_tenant_queue_is_first_in_first_out() -> None:
    lines = TenantQueue(1)
    served: list[int] = []

    def wait(number: int) -> None:
        assert lines.acquire(None, 10)
        served.append(number)
        lines.release(None)

    assert lines.acquire(None, 1)
    threads = [Thread(target=wait, args=[number]) for number in range(WAITING)]
    for number, thread in enumerate(threads, 1):
        thread.start()
        until = monotonic() + 60
        while len(lines._queues.get(None, ())) < number and monotonic() < until:
            sleep(0.001)
    lines.release(None)
    for thread in threads:
        thread.join()
    assert served == [*range(WAITING)]


def test_tenant_queue_gives_a_released_place_to_the_waiter() -> None:
    lines = TenantQueue(1)
    assert lines.acquire(None, 1)
    other = Thread(target=lines.acquire, args=[None, 10])
    other.start()
    while not lines._queues.get(None, ()):
        sleep(0.001)
    lines.release(None)
    assert not lines.acquire(None, 0)
    other.join()
    lines.release(None)
    assert lines.acquire(None, 0)


def test_tenant_queue_ignores_waiters_that_timed_out() -> None:
    lines = TenantQueue(1)
    assert lines.acquire(None, 1)
    assert not lines.acquire(None, 0.01)
    lines.release(None)
    assert lines.acquire(None, 0)
    assert not lines.acquire(None, 0)


@pytest.mark.parametrize("is_given", [True, False], ids=["as it was given", "before"])
def test_tenant_queue_takes_back_the_place_of_an_interrupted_waiter(
    is_given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A greenlet may be killed just as it gets the place that it waited for."""

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
                lines.release(None)
            raise Interrupted

        def release(self) -> None:
            pass

    lines = TenantQueue(1)
    assert lines.acquire(None, 1)
    monkeypatch.setattr("orgctx.stores.tenant_queue.Lock", Turn)
    with pytest.raises(Interrupted):
        lines.acquire(None, 1)
    monkeypatch.undo()
    if not is_given:
        lines.release(None)
    assert lines.acquire(None, 0)
    assert not lines.acquire(None, 0)


@pytest.mark.parametrize(("size", "share"), [(1, 1), (2, 1), (3, 1), (4, 2), (9, 4)])
def test_tenant_holds_at_most_half(size: int, share: int) -> None:
    lines = TenantQueue(size)
    assert [lines.acquire("a", 0) for _ in range(share + 1)] == [True] * share + [False]
    others = size - share
    assert [lines.acquire(None, 0) for _ in range(others + 1)] == [True] * others + [False]
    lines.release("a")
    assert lines.acquire("b", 0)


def test_tenants_are_served_in_turn() -> None:
    """The number of waiters in a line does not count."""
    lines = TenantQueue(2)
    assert lines.acquire(None, 0)
    assert lines.acquire(None, 0)
    served: list[str] = []

    def wait(line: str) -> None:
        assert lines.acquire(line, 10)
        served.append(line)
        lines.release(line)

    threads = []
    for line in "aaaabbc":
        threads.append(Thread(target=wait, args=[line]))
        threads[-1].start()
        until = monotonic() + 60
        while sum(map(len, lines._queues.values())) < len(threads) and monotonic() < until:
            sleep(0.001)
    lines.release(None)
    for thread in threads:
        thread.join()
    assert "".join(served) == "abcabaa"


def test_tenant_queue_neither_exceeds_its_size_nor_loses_places() -> None:
    """Many threads wait in several lines; their patience ends about when their turn comes."""
    lines = TenantQueue(SIZE)
    counting = Lock()
    holders: Counter[str | None] = Counter()
    most: Counter[str | None] = Counter()
    most_at_once = 0

    def run(seed: int) -> int:
        nonlocal most_at_once
        random, held = Random(seed), 0
        for _ in range(200):
            line = random.choice((None, None, "a", "b"))
            if lines.acquire(line, random.choice((0, 0.0005, 0.002, 1))):
                with counting:
                    holders[line] += 1
                    most[line] = max(most[line], holders[line])
                    most_at_once = max(most_at_once, holders.total())
                sleep(random.random() / 2000)
                held += 1
                with counting:
                    holders[line] -= 1
                lines.release(line)
        return held

    with ThreadPoolExecutor(4 * SIZE) as threads:
        assert sum(threads.map(run, range(4 * SIZE))) > 200
    assert most_at_once == SIZE
    assert most["a"] == most["b"] == SIZE // 2
    assert not lines._queues
    assert not lines._held
    assert [lines.acquire(None, 0) for _ in range(SIZE + 1)] == [True] * SIZE + [False]
