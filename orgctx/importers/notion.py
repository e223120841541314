"""Read a Notion export: pages are Markdown, databases are CSV, and names end in an id.

Nothing is unpacked to disk. Ids are derived from Notion's ids, so that a renamed or moved page
stays the same document.
"""

from __future__ import annotations

import csv
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO

from orgctx.importers.headings import first_heading
from orgctx.importers.library import Document, Form, Library
from orgctx.importers.records import Record, Target, modified_at
from orgctx.importers.report import ImportRefused, Report

NAME = re.compile(r"(?P<title>.*?)[ _]?(?P<id>[0-9a-f]{32})(?P<all>_all)?\Z")
LONGEST_MEMBER = 64 * 1024 * 1024
LONGEST_WHOLE = 1024 * 1024 * 1024
MOST_MEMBERS = 100_000
MOST_PARTS = 100
# Python unpacks the others without a bound, whatever size the archive states.
BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DAMAGED = (
    *(OSError, ValueError, RuntimeError, EOFError),
    *(zipfile.BadZipFile, zlib.error, csv.Error),
)
# Of a database: what its rows lack is filled up to the width of its head.
MOST_CELLS = 10_000_000


@dataclass(frozen=True, slots=True)
class _Page:
    """path: its id is derived from it."""

    archive: zipfile.ZipFile
    member: zipfile.ZipInfo
    path: str
    title: str

    @property
    def is_database(self) -> bool:
        return self.member.filename.lower().endswith(".csv")


def records(
    path: Path,
    form: Form,
    target: Target,
    report: Report,
    *,
    allow_empty: bool,
    keep_missing: bool,
) -> Iterator[Record]:
    """The source, the pages and databases, and deletions. Raises ImportRefused."""
    with ExitStack() as stack:
        pages = _pages(path, stack, report)
        times = [_at(page.member) for page in pages.values()]
        collected_at = max(times, default=modified_at(path))
        source = target.source(form.kind, path.stem, "A Notion export.", collected_at)
        library = Library(form, target, source["data"]["label"], report, keep_missing)
        library.begin(pages, allow_empty=allow_empty)
        yield source
        for page in pages.values():
            report.read += 1
            try:
                document = _document(page)
            except DAMAGED as error:
                report.refuse(page.member.filename, str(error))
                library.keep(page.path)
                continue
            yield from library.add(document)
        yield from library.deletions()


def _pages(path: Path, stack: ExitStack, report: Report) -> dict[str, _Page]:
    """Pages by path, each once; for a database, the file with all of its rows."""
    pages: dict[str, _Page] = {}
    size = 0
    for archive, member in _members(path, stack):
        size += member.file_size
        if size > LONGEST_WHOLE:
            raise ImportRefused(path.name, f"unpacks to more than {LONGEST_WHOLE >> 30} GiB")
        name = member.filename.rpartition("/")[2]
        stem, _, ending = name.rpartition(".")
        if ending.lower() not in ("md", "csv"):
            report.skip(f"unsupported type: .{ending.lower()}", member.filename)
            continue
        known = NAME.match(stem)
        key = known["id"] if known else member.filename
        page = _Page(archive, member, f"notion:{key}", known["title"] if known else stem)
        if page.path not in pages or (known and known["all"]):
            pages[page.path] = page
    return dict(sorted(pages.items()))


def _members(path: Path, stack: ExitStack) -> Iterator[tuple[zipfile.ZipFile, zipfile.ZipInfo]]:
    """The files of an archive, and of archives inside it, as in large exports."""
    archive = _open(path, path.name, stack)
    parts = 0
    left = LONGEST_WHOLE
    for member in _files(archive, path.name):
        if not member.filename.lower().endswith(".zip"):
            yield archive, member
            continue
        # All of them lie on the disk at once.
        parts += 1
        left -= member.file_size
        if parts > MOST_PARTS or left < 0:
            raise ImportRefused(
                path.name,
                f"holds more than {MOST_PARTS} archives, or archives that unpack to more than "
                f"{LONGEST_WHOLE >> 30} GiB",
            )
        inner = _open(_unpacked(archive, member, stack), member.filename, stack)
        yield from ((inner, one) for one in _files(inner, member.filename))


def _open(file: Path | IO[bytes], name: str, stack: ExitStack) -> zipfile.ZipFile:
    try:
        return stack.enter_context(zipfile.ZipFile(file))
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise ImportRefused(
            name, f"must be a folder, or a Notion export as a .zip: {error}"
        ) from None


def _files(archive: zipfile.ZipFile, name: str) -> list[zipfile.ZipInfo]:
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > MOST_MEMBERS:
        raise ImportRefused(name, f"holds more than {MOST_MEMBERS:,} files")
    return members


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, stack: ExitStack) -> IO[bytes]:
    """A file of the size that the member states, at most."""
    file = stack.enter_context(TemporaryFile())  # noqa: SIM115 - the stack closes it
    try:
        with _reading(archive, member) as packed:
            copyfileobj(packed, file)
    except DAMAGED as error:
        raise ImportRefused(member.filename, str(error)) from None
    file.seek(0)
    return file


def _reading(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
    """Raises ValueError where it is packed as no export is."""
    if member.compress_type not in BOUNDED:
        raise ValueError("is packed with another method than deflate")
    return archive.open(member)


def _document(page: _Page) -> Document:
    from orgctx.importers.markdown import decoded

    with _reading(page.archive, page.member) as file:
        content = file.read(LONGEST_MEMBER + 1)
    if len(content) > LONGEST_MEMBER:
        raise ValueError(f"is longer than {LONGEST_MEMBER >> 20} MiB")
    text = decoded(content)
    text = _table(page.title, text) if page.is_database else text
    at = _at(page.member)
    title = first_heading(text) or page.title or "Untitled"
    return Document(page.path, title, text, "markdown", at, at)


def _table(title: str, text: str) -> str:
    """A database as a heading and a table."""
    rows = [
        [" ".join(cell.split()).replace("|", "\\|") for cell in row]
        for row in csv.reader(StringIO(text, newline=""), strict=True)
    ]
    if not rows:
        return f"# {title}\n"
    width = len(rows[0])
    if width * len(rows) > MOST_CELLS:
        raise ValueError(f"is a table of more than {MOST_CELLS:,} cells")
    lines = [rows[0], ["---"] * width, *([*row, *[""] * width][:width] for row in rows[1:])]
    return f"# {title}\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _at(member: zipfile.ZipInfo) -> datetime:
    """Convert an archive's time, which has no zone and may be invalid."""
    try:
        return datetime(*member.date_time, tzinfo=UTC)
    except ValueError:
        return datetime(1980, 1, 1, tzinfo=UTC)
