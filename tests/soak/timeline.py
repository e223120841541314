"""The states that something may have had at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import Generic, TypeVar

State = TypeVar("State")


class Timeline(Generic[State]):
    """While a change is under way, either state may be seen, otherwise only the newest.

    One thread changes it, others may ask. Times: of time.monotonic().
    """

    def __init__(self, state: State) -> None:
        # Times at which the state can first and last be seen.
        self._spans: list[tuple[State, float, float]] = [(state, -inf, inf)]

    @property
    def newest(self) -> State:
        return self._spans[-1][0]

    @contextmanager
    def changing(self, state: State) -> Iterator[None]:
        """The block changes the old state into the new one."""
        before, begin, _ = self._spans[-1]
        self._spans.append((state, monotonic(), inf))
        yield
        self._spans[-2] = (before, begin, monotonic())

    def possible(self, since: float, until: float) -> list[State]:
        """The states that a request between these times may have met, newest first."""
        found = []
        for state, begin, end in reversed(self._spans):
            if end < since:
                break
            if begin <= until:
                found.append(state)
        return found
