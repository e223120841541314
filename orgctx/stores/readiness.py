"""Wait until there is something to read from a socket, as a thread or as a greenlet.

The state that is kept for a socket makes a wait cheap: gevent's own functions would register the
socket with the event loop for each wait and remove it after.
"""

from __future__ import annotations

import select
import sys
from typing import Any, Protocol


class Readiness(Protocol):
    """One open socket. `close` comes before the socket is closed."""

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds`; return whether there is something to read."""

    def close(self) -> None:
        """Stop watching the socket."""


def is_green() -> bool:
    """Whether the process has chosen greenlets."""
    patches = sys.modules.get("gevent.monkey")
    return patches is not None and bool(patches.is_module_patched("select"))


def watch(fileno: int) -> Readiness:
    """Readiness of a socket for the process's kind of concurrency."""
    return _Watched(fileno) if is_green() else _Polled(fileno)


class _Polled:
    """Readiness for threads."""

    def __init__(self, fileno: int) -> None:
        self._poll = select.poll()
        self._poll.register(fileno, select.POLLIN)

    def wait(self, seconds: float) -> bool:
        # Rounded up, so that a wait under a millisecond does not become 0.
        return bool(self._poll.poll(int(seconds * 1000) + 1))

    def close(self) -> None:
        """Do nothing; there is no watcher."""


class _Watched:
    """Readiness for greenlets: one watcher stays with the loop while the socket is open."""

    def __init__(self, fileno: int) -> None:
        from gevent import get_hub

        self._hub: Any = get_hub()
        self._watcher = self._hub.loop.io(fileno, 1)
        self._waiting: Any = None

    def wait(self, seconds: float) -> bool:
        from gevent import getcurrent

        if not self._watcher.active:
            self._watcher.start(self._wake, True)
        self._waiting = getcurrent()
        timer = self._hub.loop.timer(seconds)
        # The loop's time is that of its last turn, and work since then would shorten the wait.
        timer.start(self._wake, False, update=True)
        try:
            return bool(self._hub.switch())
        finally:
            self._waiting = None
            timer.stop()
            timer.close()

    def _wake(self, is_ready: bool) -> None:
        """Called by the loop."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.switch(is_ready)
        elif is_ready:
            # The other side has closed; without stopping, the loop would call again at once.
            self._watcher.stop()

    def close(self) -> None:
        self._watcher.stop()
        self._watcher.close()
