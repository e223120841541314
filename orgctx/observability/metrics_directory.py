"""The directory in shared memory in which the processes of a server keep their metrics.

The server removes it when it stops. A server that is killed cannot, so the next one that starts
does. The directory is locked for as long as its master or one of its workers lives.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

# prometheus_client reads it when a metric is created.
VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
PREFIX = "orgctx-metrics-"


def current() -> Path:
    """Return the directory of this server."""
    return Path(os.environ[VARIABLE])


def create(parent: str) -> str:
    """Create and lock a directory in `parent`."""
    for path in Path(parent).glob(f"{PREFIX}*"):
        # It belongs to a running server, or another server has just removed it.
        with suppress(OSError):
            _remove_stale(path)
    while True:
        directory = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        # Before it is locked, another server that starts may take it for a stale one.
        with suppress(BlockingIOError, FileNotFoundError):
            # The descriptor stays open, even in forked processes.
            descriptor = _lock(directory)
            if Path(directory).is_dir():
                return directory
            os.close(descriptor)


def add_worker(pid: int) -> None:
    """Record that a worker runs."""
    _worker(pid).touch()


def remove_worker(pid: int) -> bool:
    """Record that a worker has ended. Returns whether it was recorded as running."""
    try:
        _worker(pid).unlink()
    except FileNotFoundError:
        return False
    return True


def workers() -> list[int]:
    """Return the process ids of the workers that run."""
    return [int(path.name.rpartition("-")[2]) for path in current().glob("worker-*")]


def remove_files(pids: Iterable[int]) -> None:
    """Remove the counters and histograms of ended workers."""
    for pid in pids:
        for path in current().glob(f"*_{pid}.db"):
            path.unlink(missing_ok=True)


def _worker(pid: int) -> Path:
    return current() / f"worker-{pid}"


def _remove_stale(path: Path) -> None:
    if path.lstat().st_uid != os.geteuid():
        return
    descriptor = _lock(path)
    try:
        shutil.rmtree(path)
    finally:
        os.close(descriptor)


def _lock(path: str | Path) -> int:
    """Lock a directory. Raises BlockingIOError if another process holds the lock."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
