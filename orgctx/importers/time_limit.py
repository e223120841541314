"""Limit the time in which one file is read, for importers that read in this process.

A signal ends the block. C code delays it until it returns; the sizes of files limit that.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

FILE_SECONDS = 60.0
# Python drops an exception that a signal raises in a finalizer, so the signal repeats.
REPEAT_SECONDS = 1.0


class TookTooLong(Exception):
    """A file took longer to read than the limit; the message states the limit."""


@contextmanager
def time_limit() -> Iterator[None]:
    """Raise TookTooLong in the block after FILE_SECONDS. Only the main thread has a limit.

    A timer that runs already continues after the block.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    started = monotonic()
    handler = signal.signal(signal.SIGALRM, _stop)
    remaining, _ = signal.setitimer(signal.ITIMER_REAL, FILE_SECONDS, REPEAT_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if remaining:
            # A timer of 0 seconds would never end.
            left = max(remaining - (monotonic() - started), 0.001)
            signal.setitimer(signal.ITIMER_REAL, left)


def _stop(*_: Any) -> None:
    raise TookTooLong(f"took longer than {FILE_SECONDS:g} seconds")
