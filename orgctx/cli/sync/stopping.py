"""End a sync on SIGTERM or SIGINT: the running import is rolled back, and no other one starts."""

from __future__ import annotations

import signal
import subprocess
from time import monotonic, sleep
from typing import Any

SIGNALS = (signal.SIGTERM, signal.SIGINT)
# A signal does not interrupt a sleep, so each sleep is this short.
NAP_SECONDS = 0.5


class Stop:
    """Whether a signal asked to stop while the block runs."""

    def __init__(self) -> None:
        self.is_set = False
        self._process: subprocess.Popen[bytes] | None = None
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> Stop:
        self._handlers = {number: signal.signal(number, self._handle) for number in SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def communicate(self, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
        """Wait for a process, and return its standard output and error. A signal ends it too."""
        self._process = process
        try:
            if self.is_set:
                process.terminate()
            return process.communicate()
        finally:
            self._process = None

    def sleep(self, seconds: float) -> None:
        """Sleep, or until a signal asks to stop."""
        until = monotonic() + seconds
        while not self.is_set and (remaining := until - monotonic()) > 0:
            sleep(min(remaining, NAP_SECONDS))

    def _handle(self, *_: object) -> None:
        self.is_set = True
        if self._process:
            self._process.terminate()
