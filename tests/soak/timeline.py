"""The states that something may have at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import Generic, TypeVar

State = TypeVar("State")


class Timeline(Generic[State]):
    """During a change both states are possible, otherwise only the newest.

    One thread changes it; others may read it. Times are those of time.monotonic().
    """

    def __init__(self, state: State) -> None:
        # Each state with the times at which it is first and last possible.
        self._spans: list[tuple[State, float, float]] = [(state, -inf, inf)]

    @property
    def newest(self) -> State:
        return self._spans[-1][0]

    @contextmanager
    def changing(self, state: State) -> Iterator[None]:
        """Change to a state during the block."""
        before, begin, _ = self._spans[-1]
        self._spans.append((state, monotonic(), inf))
        yield
        self._spans[-2] = (before, begin, monotonic())

    def possible(self, since: float, until: float) -> list[State]:
        """Return the states that a request between these times may meet, newest first."""
        return [
            state for state, begin, end in reversed(self._spans) if begin <= until and end >= since
        ]
