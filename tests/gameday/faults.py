"""When each part was down, and which failed requests that explains."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from random import Random
from threading import Event
from time import monotonic, sleep

from tests.support.waiting import until

# A part stays down for at least and at most this many seconds.
DOWN_SECONDS = (1.0, 3.0)


@dataclass(frozen=True)
class Part:
    """A part that can fail."""

    name: str
    kill: Callable[[], None]
    restart: Callable[[], None]
    window_seconds: float  # after the restart, in which requests may still fail


@dataclass
class Fault:
    """One failure of a part. Times are those of time.monotonic()."""

    part: Part
    began_at: float
    restarted_at: float = inf
    ready_at: float = inf  # when the whole fleet is ready
    failed_count: int = 0
    last_failed_at: float = -inf

    @property
    def ended_at(self) -> float:
        """When its window closes."""
        return self.restarted_at + self.part.window_seconds

    def summary(self, day_began_at: float) -> str:
        times = {"down": self.restarted_at, "ready again": self.ready_at}
        times |= {"last failure": self.last_failed_at} if self.failed_count else {}
        after = ", ".join(f"{name} {at - self.began_at:.1f} s" for name, at in times.items())
        at = f"{self.began_at - day_began_at:.0f} s"
        return f"{self.part.name} killed at {at}: {after}, {self.failed_count:,} requests failed"


class Faults:
    """The failures of the day. One thread calls `run`; others read."""

    def __init__(self, parts: list[Part], seed: int, is_ready: Callable[[], bool]) -> None:
        self._random = Random(seed)
        self._parts = self._random.sample(parts, len(parts))
        self._is_ready = is_ready
        self.is_over = False
        self.all: list[Fault] = []

    def run(self, ended: Event, seconds: float) -> None:
        """Kill and restart each part once, at equal intervals.

        Raises:
            AssertionError: the fleet does not recover.
        """
        began_at = monotonic()
        for number, part in enumerate(self._parts, 1):
            kill_at = began_at + seconds * number / (len(self._parts) + 1)
            if ended.wait(max(0.0, kill_at - monotonic())):
                return
            fault = Fault(part, monotonic())
            self.all.append(fault)
            part.kill()
            sleep(self._random.uniform(*DOWN_SECONDS))
            part.restart()
            fault.restarted_at = monotonic()
            until(self._is_ready, part.name)
            fault.ready_at = monotonic()
        self.is_over = True

    def tolerates(self, begin: float, end: float) -> bool:
        """Return whether a request between these times may have failed, and count it."""
        fault = self.at(begin, end)
        if fault is None:
            return False
        fault.failed_count += 1
        fault.last_failed_at = end
        return True

    def at(self, begin: float, end: float) -> Fault | None:
        """Return the fault whose window contains a request between these times."""
        for fault in reversed(self.all):
            if fault.began_at <= end and begin <= fault.ended_at:
                return fault
        return None
