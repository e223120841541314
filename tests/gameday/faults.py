"""When each part was gone, and which errors that excuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from random import Random
from threading import Event
from time import monotonic, sleep

# A part stays away for at least and at most this many seconds.
AWAY_SECONDS = (1.0, 3.0)
PATIENCE_SECONDS = 60


@dataclass(frozen=True)
class Part:
    """What can be lost. kill, restart: one after the other. window_seconds: after the restart, in
    which requests may still fail."""

    name: str
    how: str
    kill: Callable[[], None]
    restart: Callable[[], None]
    window_seconds: float


@dataclass
class Fault:
    """One part's absence in seconds of time.monotonic(). errors: requests that it made fail."""

    part: Part
    began: float
    restarted: float = inf
    ready: float = inf
    errors: int = 0
    last_error: float = -inf

    @property
    def ended(self) -> float:
        """When its window closes."""
        return self.restarted + self.part.window_seconds


class Faults:
    """The script of the day. One thread runs it, and others ask it."""

    def __init__(self, parts: list[Part], seed: int, is_whole: Callable[[], bool]) -> None:
        self._random = Random(seed)
        self._parts = self._random.sample(parts, len(parts))
        self._is_whole = is_whole
        self.all: list[Fault] = []

    def run(self, ended: Event, seconds: float) -> None:
        """Break each part once, evenly over the time. Raises if the fleet does not recover."""
        began = monotonic()
        for place, part in enumerate(self._parts, 1):
            at = began + seconds * place / (len(self._parts) + 1)
            if ended.wait(max(0.0, at - monotonic())):
                return
            fault = Fault(part, monotonic())
            self.all.append(fault)
            part.kill()
            sleep(self._random.uniform(*AWAY_SECONDS))
            part.restart()
            fault.restarted = monotonic()
            while not self._is_whole():
                assert monotonic() < fault.restarted + PATIENCE_SECONDS, part.name
                sleep(0.1)
            fault.ready = monotonic()

    def excuse(self, since: float, until: float) -> Fault | None:
        """The fault in whose window a request between these times lay."""
        for fault in reversed(self.all):
            if fault.began <= until and since <= fault.ended:
                return fault
        return None
