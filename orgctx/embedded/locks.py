"""Lock a data directory: one owner at a time, and no servers of an earlier owner."""

import fcntl
import os
import time
from contextlib import ExitStack
from pathlib import Path

from orgctx.embedded.account import EmbeddedError

# How long servers whose owner was killed get to end, which Linux tells them.
PATIENCE_SECONDS = 10


def lock_for_owner(stack: ExitStack, data_dir: Path) -> None:
    """Lock the directory until the stack closes. Raises EmbeddedError if it is locked already."""
    descriptor = _open(stack, data_dir / "owner.lock")
    if not _locked(descriptor, seconds=0):
        owner = os.pread(descriptor, 100, 0).decode().strip()
        raise EmbeddedError(
            f"{data_dir} is in use by process {owner}. Stop it, or choose another data directory."
        )
    os.truncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())


def lock_for_servers(stack: ExitStack, data_dir: Path) -> int:
    """Return a locked descriptor for the servers to inherit.

    The lock is free as soon as every server process has ended. A pid file would be less reliable,
    because process ids are reused.
    """
    descriptor = _open(stack, data_dir / "servers.lock")
    if not _locked(descriptor, PATIENCE_SECONDS):
        raise EmbeddedError(
            f"Servers of an earlier run still use {data_dir}. Stop them, or choose another data "
            "directory."
        )
    return descriptor


def _open(stack: ExitStack, path: Path) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    stack.callback(os.close, descriptor)
    return descriptor


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
