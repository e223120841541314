"""Read exports that are zip archives, within limits and without unpacking them to disk.

Member names are never used as paths on disk.
"""

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO

from orgctx.importers.report import ImportRejected

LONGEST_MEMBER = 64 * 1024 * 1024
# Limits the members that are read, and separately the archives inside the archive.
LONGEST_WHOLE = 1024 * 1024 * 1024
MOST_MEMBERS = 100_000
# Files and folders of an archive and of the archives inside it: each takes about 600 bytes.
MOST_ENTRIES = 200_000
MAX_DIRECTORY_BYTES = 32 * 1024 * 1024
# What the entry of a file or folder begins with in the directory of an archive.
ENTRY = b"PK\x01\x02"
MOST_PARTS = 100
# Compressions for which Python stops at the size that the archive states.
BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DAMAGED = (
    OSError, ValueError, RuntimeError, EOFError, zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip


@dataclass(slots=True)
class _Directories:
    """Limits what is read to list the files of an archive and of the archives inside it."""

    remaining_entries: int = MOST_ENTRIES
    remaining_bytes: int = MAX_DIRECTORY_BYTES

    def count(self, content: bytes) -> bytes:
        """Count what was read of a directory. Raises ValueError if it exceeds a limit."""
        self.remaining_bytes -= len(content)
        self.remaining_entries -= content.count(ENTRY)
        if self.remaining_entries < 0:
            raise ValueError(f"lists more than {MOST_ENTRIES:,} files and folders")
        if self.remaining_bytes < 0:
            raise ValueError(f"needs more than {MAX_DIRECTORY_BYTES >> 20} MiB to list its files")
        return content


class _File:
    """A file of an archive, which counts what is read of it until the archive is open."""

    def __init__(self, file: IO[bytes], directories: _Directories) -> None:
        self._file, self._directories = file, directories
        self.is_open = False
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if self.is_open:
            return self._file.read(size)
        most = self._directories.remaining_bytes + 1
        return self._directories.count(self._file.read(min(size, most) if size >= 0 else most))


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive."""

    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    @property
    def name(self) -> str:
        """The path in the archive, with `/`. It may point outside the archive."""
        return self.info.filename.replace("\\", "/")

    @property
    def written_at(self) -> datetime:
        """The modification time, read as UTC; 1980 if it is invalid."""
        try:
            return datetime(*self.info.date_time, tzinfo=UTC)
        except ValueError:
            return datetime(1980, 1, 1, tzinfo=UTC)

    def open(self) -> IO[bytes]:
        """Open the member, which holds at most its stated size. Raises one of DAMAGED."""
        if self.info.compress_type not in BOUNDED:
            raise ValueError("uses a compression other than deflate; pack it again")
        return self.archive.open(self.info)

    def content(self) -> bytes:
        """Read the member. Raises one of DAMAGED, or ValueError if it exceeds LONGEST_MEMBER."""
        with self.open() as file:
            content = file.read(LONGEST_MEMBER + 1)
        if len(content) > LONGEST_MEMBER:
            raise ValueError(f"exceeds {LONGEST_MEMBER >> 20} MiB")
        return content


def members(
    path: Path,
    stack: ExitStack,
    expected: str,
    is_read: Callable[[str], bool],
    *,
    with_parts: bool = False,
) -> Iterator[Member]:
    """Yield the files of an archive. Raises ImportRejected.

    Args:
        expected: what the path should be, for messages.
        is_read: whether a file of that name counts toward LONGEST_WHOLE.
        with_parts: also yield the files of archives inside the archive, as in large exports.
    """
    remaining = LONGEST_WHOLE
    directories = _Directories()
    files_of = partial(_files, expected=expected, stack=stack, directories=directories)
    files = files_of(path, path.name)
    for member in _unfolded(files, path.name, files_of, stack) if with_parts else files:
        remaining -= member.info.file_size if is_read(member.name) else 0
        if remaining < 0:
            raise ImportRejected(path.name, f"unpacks to more than {LONGEST_WHOLE >> 30} GiB")
        yield member


def _unfolded(
    files: Iterable[Member], name: str, files_of: Callable[..., Iterable[Member]], stack: ExitStack
) -> Iterator[Member]:
    """Yield the files, replacing each archive by the files inside it."""
    parts = 0
    remaining = LONGEST_WHOLE
    for member in files:
        if not member.name.lower().endswith(".zip"):
            yield member
            continue
        # All inner archives are on disk at the same time.
        parts += 1
        remaining -= member.info.file_size
        if parts > MOST_PARTS or remaining < 0:
            raise ImportRejected(
                name,
                f"contains more than {MOST_PARTS} archives, or archives that unpack to more than "
                f"{LONGEST_WHOLE >> 30} GiB",
            )
        file = stack.enter_context(TemporaryFile())  # noqa: SIM115 - the stack closes it
        try:
            with member.open() as packed:
                copyfileobj(packed, file)
        except DAMAGED as error:
            raise ImportRejected(member.info.filename, str(error)) from None
        file.seek(0)
        yield from files_of(file, member.name)


def opened(file: IO[bytes], directories: _Directories | None = None) -> zipfile.ZipFile:
    """Open an archive. Raises one of DAMAGED, before it takes more memory than the limits allow.

    ZipFile reads the whole directory, and the numbers in the file about it may be wrong.
    """
    bounded = _File(file, directories or _Directories())
    archive = zipfile.ZipFile(bounded)
    bounded.is_open = True
    return archive


def _files(
    file: IO[bytes] | Path, name: str, expected: str, stack: ExitStack, directories: _Directories
) -> Iterable[Member]:
    try:
        if isinstance(file, Path):
            file = stack.enter_context(file.open("rb"))
        archive = stack.enter_context(opened(file, directories))
    except DAMAGED as error:
        raise ImportRejected(name, f"must be {expected}: {error}") from None
    files = [info for info in archive.infolist() if not info.is_dir()]
    if len(files) > MOST_MEMBERS:
        raise ImportRejected(name, f"contains more than {MOST_MEMBERS:,} files")
    return (Member(archive, info) for info in files)
