"""Run each import in a process of its own, so that its memory and its faults end with it."""

import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from time import monotonic, sleep
from typing import Any

import orjson

from orgctx.importers.lockdown import end_with_parent

SIGNALS = (signal.SIGTERM, signal.SIGINT)
# A signal does not interrupt a sleep, so each sleep is this short.
NAP_SECONDS = 0.5
# How a message names a flag, which is a key in the file.
OPTION = re.compile(r"\b[Pp]ass --([a-z-]+)")
# The most characters of a message to keep.
LONGEST_MESSAGE = 2_000


class Stop:
    """Whether SIGTERM or SIGINT asked to stop while the block runs.

    The running import is rolled back then, and no other one starts.
    """

    def __init__(self) -> None:
        self.is_set = False
        self._process: subprocess.Popen[bytes] | None = None
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> "Stop":
        self._handlers = {number: signal.signal(number, self._handle) for number in SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def run_import(self, arguments: Sequence[str]) -> tuple[dict[str, Any] | None, str | None]:
        """Run `orgctx import`.

        Returns the report that it prints as JSON, or None if it stored nothing; and a message on
        one line unless everything was imported.
        """
        importer, *more = arguments
        self._process = process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", "-m", __name__, "import", importer, "--json", *more],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            if self.is_set:
                process.terminate()
            output, errors = process.communicate()
        finally:
            self._process = None
        if process.returncode == 0:
            return orjson.loads(output), None
        report = orjson.loads(output) if process.returncode == 1 and output else None
        return report, _message(errors.decode(errors="replace"), process.returncode)

    def sleep(self, seconds: float) -> None:
        """Sleep, or until a signal asks to stop."""
        until = monotonic() + seconds
        while not self.is_set and (remaining := until - monotonic()) > 0:
            sleep(min(remaining, NAP_SECONDS))

    def _handle(self, *_: object) -> None:
        self.is_set = True
        if self._process:
            self._process.terminate()


def _message(errors: str, status: int) -> str:
    """Return what a command printed on standard error, without its usage and the next step.

    Options are named as in the file.
    """
    _, _, error = errors.rpartition("Error: ")
    message = OPTION.sub(r"set \1 = true", " ".join((error or errors).split()))
    return message[:LONGEST_MESSAGE] or f"the process ended with status {status}"


if __name__ == "__main__":
    from orgctx.cli import main

    end_with_parent()
    # Unlike the default, this removes temporary files.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    main(prog_name="orgctx")
