"""Child processes that log to a file and die with their parent."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from orgctx.embedded.home import Account, EmbeddedError, credentials

READY_SECONDS = 60
STOP_SECONDS = 10
PR_SET_PDEATHSIG = 1
# Excludes the caller's PGDATA and LD_PRELOAD; with TZ, initdb does not search all time zones.
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}

_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


@dataclass(frozen=True)
class Launcher:
    """Starts the processes of a server."""

    log: Path
    descriptors: tuple[int, ...]  # inherited
    account: Account | None = None  # None: the user of this process

    def launch(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a process in its own session, so that Ctrl-C in the terminal does not reach it.

        Linux ends it with the thread that called this.
        """
        with self.log.open("ab") as log:
            return subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=ENVIRONMENT,
                pass_fds=self.descriptors,
                start_new_session=True,
                preexec_fn=die_with_parent(),
                **credentials(self.account),
            )

    def run(self, command: Sequence[str]) -> None:
        """Wait until a process has ended. Raises EmbeddedError if it fails."""
        process = self.launch(command)
        try:
            process.wait()
        finally:
            stop(process)
        if process.returncode != 0:
            raise self._failure()

    def await_ready(self, process: subprocess.Popen[bytes], is_ready: Callable[[], bool]) -> None:
        """Wait until the server is ready. Raises EmbeddedError if it ends or takes too long."""
        deadline = time.monotonic() + READY_SECONDS
        while not is_ready():
            if process.poll() is not None or time.monotonic() > deadline:
                raise self._failure()
            time.sleep(0.01)

    def _failure(self) -> EmbeddedError:
        """Return an error with the log file and its last FATAL line, or else its last line."""
        lines = self.log.read_text(errors="replace").split("\n")
        messages = [line.strip() for line in lines if line.strip()] or ["nothing"]
        fatal = [line for line in messages if "FATAL" in line or "PANIC" in line]
        return EmbeddedError(
            f"{self.log.stem} did not start. See {self.log}: {(fatal or messages)[-1]}"
        )


def new_log(path: Path) -> Path:
    """Create or empty a log file that only the caller can read."""
    path.touch(mode=0o600)
    os.truncate(path, 0)
    return path


def stop(process: subprocess.Popen[bytes], number: signal.Signals = signal.SIGINT) -> None:
    """Send the signal, and SIGKILL if the process does not end."""
    process.send_signal(number)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def die_with_parent(number: signal.Signals = signal.SIGINT) -> Callable[[], None]:
    """Return a `preexec_fn` that lets Linux end the process with the thread that starts it."""
    parent = os.getpid()

    def prepare() -> None:
        if _prctl is not None:
            _prctl(PR_SET_PDEATHSIG, number.value)
        if os.getppid() != parent:  # the parent died before prctl took effect
            os._exit(1)

    return prepare
