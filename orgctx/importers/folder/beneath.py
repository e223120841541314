"""Read below a folder without following a symbolic link, even if a file is replaced meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EINVAL, ENAMETOOLONG
from io import BufferedReader
from pathlib import Path
from stat import S_ISREG

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# A pipe that replaces a file does not block.
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

# In bytes, as Linux limits it. It bounds the folders that are opened for each file.
LONGEST_PATH = 4096


def opened(root: Path, path: str) -> BufferedReader:
    """Open a regular file for reading.

    Args:
        root: a folder, or a symbolic link to one.
        path: the path of the file from the root, with `/` and without `..`.

    Raises:
        OSError: the file is missing, unreadable or not regular, or a part of the path is a link.
    """
    folder, _, name = path.rpartition("/")
    with folder_opened(root, folder) as parent:
        descriptor = os.open(name, FILE, dir_fd=parent)
    file = os.fdopen(descriptor, "rb")
    if not S_ISREG(os.fstat(descriptor).st_mode):
        file.close()
        raise OSError(EINVAL, "Not a regular file", path)
    return file


def status(root: Path, path: str) -> os.stat_result:
    """Return the status of a file or folder without following a link. Raises OSError."""
    folder, _, name = path.rpartition("/")
    with folder_opened(root, folder) as parent:
        return os.stat(name, dir_fd=parent, follow_symlinks=False)


@contextmanager
def folder_opened(root: Path, path: str) -> Iterator[int]:
    """Open a folder while the block runs. Yields its descriptor. Raises OSError.

    path: relative to the root; empty for the root itself.
    """
    if len(os.fsencode(root / path)) >= LONGEST_PATH:
        raise OSError(ENAMETOOLONG, os.strerror(ENAMETOOLONG), path)
    descriptor = os.open(root, FOLDER)
    try:
        for name in filter(None, path.split("/")):
            inner = os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)
