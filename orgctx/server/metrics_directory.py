"""The directory of the workers' numbers: in memory, and gone with the server that made it.

A server that is killed cannot remove its own; the next one that starts does. Each is locked for as
long as its master or one of its workers lives, whatever their process ids.
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
    """That of this server."""
    return Path(os.environ[VARIABLE])


def make(parent: str | None) -> str:
    """Make and lock one. parent: default the system's directory for temporary files."""
    parent = parent or tempfile.gettempdir()
    for old in Path(parent).glob(f"{PREFIX}*"):
        # Another's, or one that another server has just removed.
        with suppress(OSError):
            _remove_stale(old)
    while True:
        path = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        # Another server that starts may take it for a stale one until it is locked.
        with suppress(BlockingIOError, FileNotFoundError):
            # Open in the processes that are forked from this one, too.
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
    """Raises BlockingIOError if somebody else has locked it."""
    opened = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        raise
    return opened
