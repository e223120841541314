"""A semaphore that serves in the order of arrival.

That of `threading` lets whoever comes at the right moment pass all who wait: under load
the unlucky wait many times as long as the others.
"""

from __future__ import annotations

from collections import deque
from threading import Lock


class FairSemaphore:
    """At most `size` holders at once, threads or greenlets; what is released goes to who waits."""

    def __init__(self, size: int) -> None:
        self._free = size
        self._waiting: deque[Lock] = deque()
        self._mutex = Lock()

    def acquire(self, timeout: float) -> bool:
        """Whether it is held, after `timeout` seconds at most."""
        with self._mutex:
            if self._free:
                self._free -= 1
                return True
            turn = Lock()
            turn.acquire()
            self._waiting.append(turn)
        try:
            if turn.acquire(timeout=timeout):
                return True
        except BaseException:
            if not self._withdraw(turn):
                self.release()
            raise
        return not self._withdraw(turn)

    def release(self) -> None:
        """Give it to who has waited longest."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1

    def _withdraw(self, turn: Lock) -> bool:
        """Wait no longer. False if it was given at the last moment."""
        with self._mutex:
            try:
                self._waiting.remove(turn)
            except ValueError:
                return False
            return True
