"""Lock a data directory: one owner at a time, and no servers left from an earlier owner."""

import fcntl
import os
import signal
import time
from contextlib import ExitStack
from pathlib import Path

from orgctx.embedded.errors import EmbeddedError

_owned: set[Path] = set()


def own(stack: ExitStack, data_dir: Path) -> None:
    """Own the directory until the stack closes; EmbeddedError if a running process owns it.

    Uses a POSIX lock, because forked workers do not inherit it and cannot keep it. Such a lock
    does not exclude its own process, and closing the file twice drops it, so `_owned` does that.
    """
    path = data_dir / "owner.lock"
    if path in _owned:
        raise _taken(data_dir, os.getpid())
    file = stack.enter_context(path.open("a+"))
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        raise _taken(data_dir, file.read().strip()) from None
    _owned.add(path)
    stack.callback(_owned.discard, path)
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()


def lock_for_servers(stack: ExitStack, data_dir: Path, patience_seconds: float = 5) -> int:
    """A locked descriptor for the servers to inherit.

    Every server process holds it, so it is free exactly when all have ended. A pid file is less
    reliable, because another process may have its number by now. Servers whose owner was killed
    get `patience_seconds` to end, then a signal, then the same time again.
    """
    descriptor = os.open(data_dir / "servers.lock", os.O_RDWR | os.O_CREAT, 0o600)
    stack.callback(os.close, descriptor)
    if not _locked(descriptor, patience_seconds):
        for pid in os.pread(descriptor, 100, 0).split():
            _interrupt(int(pid))
        if not _locked(descriptor, patience_seconds):
            raise EmbeddedError(
                f"servers of an earlier run still use {data_dir}: end them, or choose another "
                "data directory"
            )
    os.truncate(descriptor, 0)
    return descriptor


def note(descriptor: int, pid: int) -> None:
    """Write a server's process id into the lock that it holds."""
    os.pwrite(descriptor, f"{pid}\n".encode(), os.fstat(descriptor).st_size)


def _locked(descriptor: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        else:
            return True


def _interrupt(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGINT)
    except ProcessLookupError:
        return


def _taken(data_dir: Path, owner: int | str) -> EmbeddedError:
    return EmbeddedError(
        f"{data_dir} is in use by process {owner}: stop it, or choose another data directory"
    )
