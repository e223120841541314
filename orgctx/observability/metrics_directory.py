"""The directory of the workers' numbers, which is in memory and ends with its server.

A server that is killed cannot remove its directory, so the next one that starts does. The
directory is locked for as long as its master or one of its workers lives.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

# prometheus_client reads it on import.
VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
PREFIX = "orgctx-metrics-"


def current() -> Path:
    """The directory of this server."""
    return Path(os.environ[VARIABLE])


def make(parent: str | None) -> str:
    """Make and lock a directory. parent: by default the system's one for temporary files."""
    parent = parent or tempfile.gettempdir()
    for old in Path(parent).glob(f"{PREFIX}*"):
        # It belongs to another server, or another server has just removed it.
        with suppress(OSError):
            _remove_stale(old)
    while True:
        path = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        # Until it is locked, another server that starts may take it for a stale one.
        with suppress(BlockingIOError, FileNotFoundError):
            # The descriptor stays open in forked processes, too.
            opened = _locked(path)
            if Path(path).is_dir():
                return path
            os.close(opened)


def _remove_stale(path: Path) -> None:
    if path.lstat().st_uid != os.geteuid():
        return
    opened = _locked(path)
    try:
        shutil.rmtree(path)
    finally:
        os.close(opened)


def _locked(path: str | Path) -> int:
    """Lock it. Raises BlockingIOError if somebody else has."""
    opened = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        raise
    return opened
