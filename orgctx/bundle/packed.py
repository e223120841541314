"""Read files that may be compressed with gzip or zstd, detected by their first bytes.

Files are decompressed as a stream; the reader limits the size.
"""

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
# Base-2 logarithm of the largest window of a zstd stream in bytes, which bounds the memory; the
# default of the `zstd` program.
LONGEST_WINDOW_LOG = 27
SUFFIXES = (".gz", ".zst")
# Readers skip at most this many bytes of blank lines, because a small compressed file can contain
# any number of them.
MOST_BLANK = 16 * 1024 * 1024


class PackedError(Exception):
    """A compressed file that is truncated or damaged; the message begins with its name."""


class _Readable(Protocol):
    def readinto(self, buffer: memoryview, /) -> int | None: ...


class _Source(RawIOBase):
    """A file that reports progress while it is read. start: its first bytes."""

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


class _Decompressed(RawIOBase):
    """The content of a compressed stream. Reading raises PackedError if the stream is damaged."""

    def __init__(self, stream: _Readable, name: str, format_: str) -> None:
        self._stream, self._name, self._format = stream, name, format_

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        try:
            return self._stream.readinto(buffer) or 0
        except EOFError:
            reason = f"its {self._format} stream is truncated; copy or download the file again"
        except (zlib.error, BadGzipFile, zstd.ZstdError) as error:
            reason = f"its {self._format} stream is damaged ({error})"
        raise PackedError(f"{self._name}: {reason}") from None


def unpacked(
    file: IO[bytes], name: str, progress: Callable[[int], object] = lambda _: None
) -> BufferedReader:
    """Return the decompressed content of a file. Reading it may raise PackedError.

    Args:
        name: the name of the file in messages.
        progress: called with the number of compressed bytes read.
    """
    source = _Source(file, progress)
    raw: RawIOBase = source
    if source.start.startswith(GZIP):
        raw = _Decompressed(GzipFile(fileobj=BufferedReader(source, CHUNK)), name, "gzip")
    elif source.start == ZSTD:
        options = {int(zstd.DecompressionParameter.window_log_max): LONGEST_WINDOW_LOG}
        stream = zstd.ZstdFile(BufferedReader(source, CHUNK), options=options)
        raw = _Decompressed(stream, name, "zstd")
    return BufferedReader(raw, CHUNK)


@contextmanager
def opened(
    path: Path, progress: Callable[[int], object] = lambda _: None
) -> Iterator[BufferedReader]:
    """Open a file and decompress it while the block runs. Raises OSError."""
    with path.open("rb") as file:
        yield unpacked(file, path.name, progress)
