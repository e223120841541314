"""Keep the processes that convert documents for later imports of a test run.

To start one takes longer than most conversions. Commands in processes of their own start their own
sandboxes.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, ClassVar

from orgctx.importers.folder.reading import CONVERSION
from orgctx.importers.formats import FORMATS
from orgctx.importers.sandbox import Sandbox, _Process

MODULES = sorted({each.module for each in FORMATS if each.is_sandboxed})


class KeptSandbox(Sandbox):
    """A sandbox whose processes are kept if no request runs in them. Other functions end theirs."""

    _kept: ClassVar[dict[tuple[str, ...], list[_Process]]] = {}
    # A process ends with the thread that started it.
    _kept_threads: ClassVar[list[ThreadPoolExecutor]] = []

    def __init__(self, function: str, **options: Any) -> None:
        self._is_kept = function == CONVERSION
        if function == CONVERSION:
            options["preloaded"] = MODULES
        super().__init__(function, **options)

    def __exit__(self, *_: object) -> None:
        idle = self._idle
        while self._is_kept and idle:
            self._kept.setdefault(self._arguments, []).append(idle.pop())
        self._kept_threads.append(self._threads)
        self._threads = ThreadPoolExecutor(1)
        super().__exit__()

    def _process(self) -> _Process:
        # Several threads may take one.
        with suppress(IndexError, KeyError):
            while self._is_kept and not self._idle:
                process = self._kept[self._arguments].pop()
                if process.process.poll() is None:
                    return process
        return super()._process()

    @classmethod
    def end_all(cls) -> None:
        for processes in cls._kept.values():
            for process in processes:
                process.end()
        cls._kept.clear()
