"""Lock a data directory: one owner at a time, and no servers of an earlier owner."""

import fcntl
import os
import signal
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from orgctx.embedded.account import EmbeddedError

PATIENCE_SECONDS = 5

_owned: set[Path] = set()


def lock_for_owner(stack: ExitStack, data_dir: Path) -> None:
    """Lock the directory until the stack closes. Raises EmbeddedError if a process has locked it.

    Uses a POSIX lock, because forked workers do not inherit it. Such a lock does not exclude its
    own process, and closing any descriptor of the file drops it; `_owned` excludes this process.
    """
    path = data_dir / "owner.lock"
    if path in _owned:
        raise _in_use(data_dir, os.getpid())
    file = stack.enter_context(path.open("a+"))
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        raise _in_use(data_dir, file.read().strip()) from None
    _owned.add(path)
    stack.callback(_owned.discard, path)
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()


def lock_for_servers(stack: ExitStack, data_dir: Path) -> int:
    """Return a locked descriptor for the servers to inherit.

    The lock is free as soon as every server process has ended. A pid file would be less reliable,
    because process ids are reused. Servers whose owner was killed get PATIENCE_SECONDS to end,
    then a signal, then the same time again.
    """
    descriptor = os.open(data_dir / "servers.lock", os.O_RDWR | os.O_CREAT, 0o600)
    stack.callback(os.close, descriptor)
    if not _locked(descriptor):
        for pid in os.pread(descriptor, 100, 0).split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGINT)
        if not _locked(descriptor):
            raise EmbeddedError(
                f"Servers of an earlier run still use {data_dir}. Stop them, or choose another "
                "data directory."
            )
    os.truncate(descriptor, 0)
    return descriptor


def write_pid(descriptor: int, pid: int) -> None:
    """Add a server's process id to the lock file."""
    os.pwrite(descriptor, f"{pid}\n".encode(), os.fstat(descriptor).st_size)


def _locked(descriptor: int) -> bool:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        else:
            return True


def _in_use(data_dir: Path, owner: int | str) -> EmbeddedError:
    return EmbeddedError(
        f"{data_dir} is in use by process {owner}. Stop it, or choose another data directory."
    )
