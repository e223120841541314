"""Answers that cost a server much, found once for all who ask within some time."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """The last answer. One thread at a time looks for it; others wait for what that finds."""

    def __init__(self) -> None:
        self._asking = Lock()
        self._found: tuple[T, float] | None = None

    def get(self, find: Callable[[], T], seconds: float) -> T:
        """An answer that was found at most `seconds` ago. Raises as `find` does."""
        with self._asking:
            if self._found is None or monotonic() >= self._found[1]:
                self._found = find(), monotonic() + seconds
            return self._found[0]
