"""A fair semaphore: each organization waits in its own line.

A line is served in order of arrival, whereas a semaphore of `threading` lets newcomers overtake
waiting threads. Lines are served in turn, so that a long one does not delay the others.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable
from threading import Lock


class FairLines:
    """At most `size` holders at once, threads or greenlets. A released place goes to a waiter.

    A line holds at most half of all places (or the only one). The line None has no such limit: it
    is for requests whose organization is not known yet, and their statements are short.
    """

    def __init__(self, size: int) -> None:
        self._free = size
        self._share = max(1, size // 2)
        self._held: Counter[Hashable] = Counter()
        # In the order of their next turns; no line is empty.
        self._lines: dict[Hashable, deque[Lock]] = {}
        self._mutex = Lock()

    def acquire(self, line: Hashable, timeout: float) -> bool:
        """Wait up to `timeout` seconds for a place; return whether it was acquired."""
        with self._mutex:
            # No other line may take this place, or it would not be free.
            if self._may_hold(line):
                self._hold(line)
                return True
            turn = Lock()
            turn.acquire()
            self._lines.setdefault(line, deque()).append(turn)
        try:
            if turn.acquire(timeout=timeout):
                return True
        except BaseException:
            if not self._withdraw(line, turn):
                self.release(line)
            raise
        return not self._withdraw(line, turn)

    def release(self, line: Hashable) -> None:
        """Give a place of `line` to the first waiter of the next line that may take it."""
        with self._mutex:
            self._free += 1
            self._held[line] -= 1
            if not self._held[line]:
                del self._held[line]
            following = next((one for one in self._lines if self._may_hold(one)), self)
            if following is not self:
                self._hold(following)
                waiting = self._lines.pop(following)
                waiting.popleft().release()
                if waiting:
                    self._lines[following] = waiting

    def _may_hold(self, line: Hashable) -> bool:
        return self._free > 0 and (line is None or self._held[line] < self._share)

    def _hold(self, line: Hashable) -> None:
        self._free -= 1
        self._held[line] += 1

    def _withdraw(self, line: Hashable, turn: Lock) -> bool:
        """Stop waiting. False if the place was given at the last moment."""
        with self._mutex:
            waiting = self._lines.get(line, deque())
            if turn not in waiting:
                return False
            waiting.remove(turn)
            if not waiting:
                del self._lines[line]
            return True
