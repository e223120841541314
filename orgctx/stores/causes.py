"""Follow an error to its causes, and recognize a process or a host that can open no more files."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

OUT_OF_FILES = "out of file descriptors"
CODES = (errno.EMFILE, errno.ENFILE)
# libpq reports a text only.
TEXTS = tuple(map(os.strerror, CODES))


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes, the last cause at the end."""
    while error:
        yield error
        error = error.__cause__ or error.__context__


def lacks_files(error: BaseException) -> bool:
    """Return whether the error occurred because no more files, and so sockets, can be opened."""
    return any(
        getattr(cause, "errno", None) in CODES or any(text in str(cause) for text in TEXTS)
        for cause in causes(error)
    )


def reason_of(error: BaseException) -> str:
    """Return the reason in words if this module knows it, else an empty text."""
    return OUT_OF_FILES if lacks_files(error) else ""
