"""Keep the processes that convert documents for later imports of the same test run.

To start one takes longer than most conversions. Each request still runs in a fork of its own, so no
import affects another one. Commands in processes of their own start their own sandboxes.
"""

from __future__ import annotations

import subprocess
from contextlib import suppress
from typing import Any, ClassVar

from orgctx.importers.documents.conversions import CONVERSION
from orgctx.importers.documents.formats import BY_SUFFIX
from orgctx.importers.sandbox import Sandbox

MODULES = sorted({each.module for each in BY_SUFFIX.values()})


class KeptSandbox(Sandbox):
    """A sandbox whose process is kept if no request runs in it. Other functions end theirs."""

    _idle: ClassVar[dict[tuple[int, int], list[subprocess.Popen[bytes]]]] = {}

    def __init__(self, function: str, **options: Any) -> None:
        self._is_kept = function == CONVERSION
        if self._is_kept:
            options["preloaded"] = MODULES
        super().__init__(function, **options)
        self._is_busy = False

    def __call__(self, request: Any) -> Any:
        self._is_busy = True
        try:
            return super().__call__(request)
        finally:
            self._is_busy = False

    def kill(self) -> None:
        if self._is_busy or not self._is_kept:
            super().kill()
        self._is_killed = True

    def _start(self) -> subprocess.Popen[bytes]:
        idle = self._idle.get((self._seconds, self._memory), [])
        # Several threads may take one.
        with suppress(IndexError):
            while self._is_kept:
                process = idle.pop()
                if process.poll() is None:
                    return process
        return super()._start()

    def _stop(self) -> None:
        if self._process and self._is_kept and not self._is_busy and self._process.poll() is None:
            self._idle.setdefault((self._seconds, self._memory), []).append(self._process)
            self._process = None
        super()._stop()

    @classmethod
    def end_all(cls) -> None:
        for processes in cls._idle.values():
            for process in processes:
                with process:
                    process.kill()
        cls._idle.clear()
