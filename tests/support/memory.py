"""Create a folder in memory, for servers whose data is deleted after the run."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SHARED = Path("/dev/shm")
NAME = "orgctx-tests-"
# More bytes than the databases of a test run use.
NEEDED = 4 * 1024**3


@contextmanager
def folder() -> Iterator[Path | None]:
    """Create a folder for this process and delete it at the end. Yields None if memory is short."""
    if not SHARED.is_dir() or shutil.disk_usage(SHARED).free < NEEDED:
        yield None
        return
    for left in SHARED.glob(f"{NAME}*"):
        # A process that was killed could not delete its folder.
        if not Path(f"/proc/{left.name.removeprefix(NAME)}").exists():
            shutil.rmtree(left, ignore_errors=True)
    directory = SHARED / f"{NAME}{os.getpid()}"
    directory.mkdir(mode=0o700)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)
