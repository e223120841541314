"""Run one import in a process of its own, so that its memory and its faults end with it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import orjson

from orgctx.cli.sync.stopping import Stop

# The most characters of a message to keep.
LONGEST_MESSAGE = 2_000


def run_import(arguments: Sequence[str], stop: Stop) -> tuple[dict[str, Any] | None, str | None]:
    """Run `orgctx import`.

    Returns the report that it prints as JSON, or None if it stored nothing; and a message on one
    line unless everything was imported.
    """
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-P", "-m", __name__, "import", *arguments[:1], "--json", *arguments[1:]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    output, errors = stop.communicate(process)
    if process.returncode == 0:
        return orjson.loads(output), None
    report = orjson.loads(output) if process.returncode == 1 and output else None
    return report, _message(errors.decode(errors="replace"), process.returncode)


def _message(errors: str, status: int) -> str:
    """Return what a command printed on standard error, without its usage."""
    _, _, invalid_usage = errors.partition("\n\nError: ")
    message = " ".join((invalid_usage or errors.replace("Error: ", "", 1)).split())
    return message[:LONGEST_MESSAGE] or f"the process ended with status {status}"


def _main() -> None:
    from orgctx.cli import main

    # Unlike the default, this removes temporary files.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    main(prog_name="orgctx")


if __name__ == "__main__":
    _main()
