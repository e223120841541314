"""The time budget of a request, which all of its waits share, and waits for sockets.

A wait is that of a thread or of a greenlet. Each socket keeps its watcher, which makes a wait
cheap: gevent's own functions register the socket with the event loop for each wait and remove it
afterwards.
"""

import select
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from time import monotonic, sleep
from typing import Any, TypeVar

from orgctx.errors import RequestTimeout

T = TypeVar("T")


class Deadline:
    """A point in time, `seconds` from now."""

    __slots__ = ("ends_at",)

    def __init__(self, seconds: float) -> None:
        self.ends_at = monotonic() + seconds

    def end(self) -> None:
        """Leave no time."""
        self.ends_at = monotonic()

    def left(self) -> float:
        """Return the remaining seconds, above 0. Raises RequestTimeout if none are left."""
        seconds = self.ends_at - monotonic()
        if seconds <= 0:
            raise RequestTimeout
        return seconds


def let_others_run() -> None:
    """Let other greenlets run, also those that wait for a socket."""
    # gevent continues after sleep(0) before it looks at sockets.
    sleep(1e-6)


def within(seconds: float | None, call: Callable[[], T]) -> T:
    """Return the result of a call that looks up a host name: the resolver has no time limit.

    Raises TimeoutError after `seconds`; a thread then still waits for the call.
    """
    future: Future[T] = Future()
    context = copy_context()

    def run() -> None:
        try:
            future.set_result(context.run(call))
        except Exception as error:  # noqa: BLE001, raised by `result`
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future.result(seconds)


def is_green() -> bool:
    """Return whether the process uses greenlets."""
    patches = sys.modules.get("gevent.monkey")
    return patches is not None and bool(patches.is_module_patched("select"))


def watch(fileno: int) -> "_Watched | _Polled":
    """Return the readiness of an open socket for threads or greenlets, as the process uses.

    Its `wait` waits up to some seconds and returns whether the socket is readable. Call `close`
    before the socket is closed.
    """
    return _Watched(fileno) if is_green() else _Polled(fileno)


class _Polled:
    """Readiness for threads."""

    def __init__(self, fileno: int) -> None:
        self._poll = select.poll()
        self._poll.register(fileno, select.POLLIN)

    def wait(self, seconds: float) -> bool:
        # Round up, so that a wait of less than a millisecond does not become 0.
        return bool(self._poll.poll(int(seconds * 1000) + 1))

    def close(self) -> None:
        """Do nothing; there is no watcher."""


class _Watched:
    """Readiness for greenlets: one watcher stays in the event loop while the socket is open."""

    def __init__(self, fileno: int) -> None:
        from gevent import get_hub, getcurrent

        self._current = getcurrent
        self._hub: Any = get_hub()
        self._watcher = self._hub.loop.io(fileno, 1)
        self._waiting: Any = None

    def wait(self, seconds: float) -> bool:
        if not self._watcher.active:
            self._watcher.start(self._wake, True)
        self._waiting = self._current()
        timer = self._hub.loop.timer(seconds)
        # The loop's time is that of its last iteration; work since then would shorten the wait.
        timer.start(self._wake, False, update=True)
        try:
            return bool(self._hub.switch())
        finally:
            self._waiting = None
            timer.stop()
            timer.close()

    def _wake(self, is_ready: bool) -> None:
        """Called by the event loop."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.switch(is_ready)
        elif is_ready:
            # The peer has closed the socket. Otherwise the loop would call again at once.
            self._watcher.stop()

    def close(self) -> None:
        self._watcher.stop()
        self._watcher.close()
