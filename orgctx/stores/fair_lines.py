"""Places that are shared fairly: each organization waits in a line of its own.

Within a line who came first is served first: a semaphore of `threading` lets whoever comes at
the right moment pass all who wait. Lines are served in turn, so that the length of one is no
matter to the others.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable
from threading import Lock


class FairLines:
    """At most `size` holders at once, threads or greenlets; what is released goes to who waits.

    A line holds at most half of all places (of one, that one). The line None has no such bound:
    it is of requests whose organization is not known yet, and their statements are short.
    """

    def __init__(self, size: int) -> None:
        self._free = size
        self._share = max(1, size // 2)
        self._held: Counter[Hashable] = Counter()
        # In the order of their next turns; none is empty.
        self._lines: dict[Hashable, deque[Lock]] = {}
        self._mutex = Lock()

    def acquire(self, line: Hashable, timeout: float) -> bool:
        """Whether a place is held, after `timeout` seconds at most."""
        with self._mutex:
            # Whoever waits in another line could not have it, or it would not be free.
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
        """Give a place of `line` to who has waited longest in the next line that may have it."""
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
        """Wait no longer. False if it was given at the last moment."""
        with self._mutex:
            waiting = self._lines.get(line, deque())
            if turn not in waiting:
                return False
            waiting.remove(turn)
            if not waiting:
                del self._lines[line]
            return True
