"""Who waits for a connection is served in turn, and no place is lost or held twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Lock, Thread
from time import monotonic, sleep

import pytest

from orgctx.stores.fair_semaphore import FairSemaphore

SIZE, WAITING = 3, 6


def test_newcomers_do_not_pass_those_who_wait() -> None:
    semaphore = FairSemaphore(1)
    served: list[int] = []

    def wait(number: int) -> None:
        assert semaphore.acquire(10)
        served.append(number)
        semaphore.release()

    assert semaphore.acquire(1)
    threads = [Thread(target=wait, args=[number]) for number in range(WAITING)]
    for number, thread in enumerate(threads, 1):
        thread.start()
        until = monotonic() + 10
        while len(semaphore._waiting) < number and monotonic() < until:
            sleep(0.001)
    semaphore.release()
    for thread in threads:
        thread.join()
    assert served == [*range(WAITING)]


def test_what_is_released_is_not_taken_by_who_released_it() -> None:
    semaphore = FairSemaphore(1)
    assert semaphore.acquire(1)
    other = Thread(target=semaphore.acquire, args=[10])
    other.start()
    while not semaphore._waiting:
        sleep(0.001)
    semaphore.release()
    assert not semaphore.acquire(0)
    other.join()
    semaphore.release()
    assert semaphore.acquire(0)


def test_who_gives_up_takes_no_place() -> None:
    semaphore = FairSemaphore(1)
    assert semaphore.acquire(1)
    assert not semaphore.acquire(0.01)
    semaphore.release()
    assert semaphore.acquire(0)
    assert not semaphore.acquire(0)


@pytest.mark.parametrize("is_given", [True, False], ids=["as it was given", "before"])
def test_who_is_interrupted_holds_nothing(is_given: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a greenlet is that is killed, perhaps just as it was given what it waited for."""

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
                semaphore.release()
            raise Interrupted

        def release(self) -> None:
            pass

    semaphore = FairSemaphore(1)
    assert semaphore.acquire(1)
    monkeypatch.setattr("orgctx.stores.fair_semaphore.Lock", Turn)
    with pytest.raises(Interrupted):
        semaphore.acquire(1)
    monkeypatch.undo()
    if not is_given:
        semaphore.release()
    assert semaphore.acquire(0)
    assert not semaphore.acquire(0)


def test_never_more_than_its_size_and_none_lost() -> None:
    """Many threads whose patience ends about when their turn comes."""
    semaphore = FairSemaphore(SIZE)
    counting = Lock()
    holders, most = 0, 0

    def run(seed: int) -> int:
        nonlocal holders, most
        random, held = Random(seed), 0
        for _ in range(200):
            if semaphore.acquire(random.choice((0, 0.0005, 0.002, 1))):
                with counting:
                    holders += 1
                    most = max(most, holders)
                sleep(random.random() / 2000)
                held += 1
                with counting:
                    holders -= 1
                semaphore.release()
        return held

    with ThreadPoolExecutor(4 * SIZE) as threads:
        assert sum(threads.map(run, range(4 * SIZE))) > 200
    assert most == SIZE
    assert [semaphore.acquire(0) for _ in range(SIZE + 1)] == [True] * SIZE + [False]
