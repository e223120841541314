"""Reuse an expensive value for some time, and let concurrent requests compute it once."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """The most recent value. One thread at a time computes it; others wait for that value."""

    def __init__(self) -> None:
        self._computing = Lock()
        # The value, and when it expires in monotonic seconds.
        self._value: tuple[T, float] | None = None

    def get(self, compute: Callable[[], T], seconds: float) -> T:
        """Return a value that is at most `seconds` old. Raises what `compute` raises."""
        with self._computing:
            if self._value is None or monotonic() >= self._value[1]:
                self._value = compute(), monotonic() + seconds
            return self._value[0]
