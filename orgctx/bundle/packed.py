"""Read the content of files that may be packed with gzip or zstd, as their first bytes say.

What comes out is never held as a whole: its size is bounded by the budgets of whoever reads it.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from gzip import BadGzipFile, GzipFile
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import IO, Protocol

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CHUNK = 256 * 1024
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
# How far a zstd stream may refer back, and so the memory that it takes: what `zstd` itself accepts.
LONGEST_WINDOW_LOG = 27
SUFFIXES = (".gz", ".zst")
# Bytes of blank lines that a reader passes over: a packed stream holds any number of them in a few.
MOST_BLANK = 16 * 1024 * 1024


class PackedError(Exception):
    """A packed file that is cut off or damaged; the message begins with its name."""


class _Reads(Protocol):
    def readinto(self, buffer: memoryview, /) -> int | None: ...


class _Counted(RawIOBase):
    """A file and how much of it was read, able to look at its first bytes."""

    def __init__(self, file: IO[bytes], progress: Callable[[int], object]) -> None:
        self._file, self._progress = file, progress
        self.start = self._waiting = file.read(len(ZSTD))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        chunk = self._waiting[: len(buffer)] or self._file.read(len(buffer))
        self._waiting = self._waiting[len(chunk) :]
        buffer[: len(chunk)] = chunk
        self._progress(len(chunk))
        return len(chunk)


class _Unpacked(RawIOBase):
    """What a packed stream holds; a fault of the stream is a PackedError."""

    def __init__(self, stream: _Reads, name: str, form: str) -> None:
        self._stream, self._name, self._form = stream, name, form

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        try:
            return self._stream.readinto(buffer) or 0
        except EOFError:
            reason = f"its {self._form} stream is cut off: copy or download the file again"
        except (zlib.error, BadGzipFile, zstd.ZstdError) as error:
            reason = f"its {self._form} stream is damaged ({error})"
        raise PackedError(f"{self._name}: {reason}") from None


def unpacked(
    file: IO[bytes], name: str, progress: Callable[[int], object] = lambda _: None
) -> BufferedReader:
    """The content of a file, read forward. progress: called with the bytes read of the file itself.

    name: for messages. Reading raises PackedError where a packed stream is cut off or damaged.
    """
    counted = _Counted(file, progress)
    raw: RawIOBase = counted
    if counted.start.startswith(GZIP):
        raw = _Unpacked(GzipFile(fileobj=BufferedReader(counted, CHUNK)), name, "gzip")
    elif counted.start == ZSTD:
        options = {int(zstd.DecompressionParameter.window_log_max): LONGEST_WINDOW_LOG}
        stream = zstd.ZstdFile(BufferedReader(counted, CHUNK), options=options)
        raw = _Unpacked(stream, name, "zstd")
    return BufferedReader(raw, CHUNK)


@contextmanager
def opened(
    path: Path, progress: Callable[[int], object] = lambda _: None
) -> Iterator[BufferedReader]:
    """The file at the path, unpacked, while the block runs. Raises OSError."""
    with path.open("rb") as file:
        yield unpacked(file, path.name, progress)


def unpacked_name(path: Path) -> Path:
    """`data.csv` of `data.csv.gz`."""
    return path.with_suffix("") if path.suffix.lower() in SUFFIXES else path
