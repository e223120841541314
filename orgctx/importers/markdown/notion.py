"""Read a Notion export: pages are Markdown, databases are CSV, and names end in an id.

Nothing is unpacked to disk. Ids are derived from Notion's ids, so that a renamed or moved page
stays the same document.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from orgctx.importers.archive import DAMAGED, Member, members
from orgctx.importers.folder.headings import first_heading
from orgctx.importers.folder.library import Document, Form, Library
from orgctx.importers.records import Record, Target, modified_at
from orgctx.importers.report import Report

NAME = re.compile(r"(?P<title>.*?)[ _]?(?P<id>[0-9a-f]{32})(?P<all>_all)?\Z")
EXPECTED = "a folder, or a Notion export as a .zip"
ENDINGS = ("md", "csv")
UNFIT = (*DAMAGED, csv.Error)
# The most cells of a database. Short rows are filled up to the width of its head.
MOST_CELLS = 10_000_000


@dataclass(frozen=True, slots=True)
class _Page:
    """path: its id is derived from it."""

    member: Member
    path: str
    title: str

    @property
    def is_database(self) -> bool:
        return self.member.info.filename.lower().endswith(".csv")


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
        times = [page.member.written_at for page in pages.values()]
        collected_at = max(times, default=modified_at(path))
        source = target.source(form.kind, path.stem, "A Notion export.", collected_at)
        library = Library(form, target, source["data"]["label"], report, keep_missing)
        library.begin(pages, allow_empty=allow_empty)
        yield source
        for page in pages.values():
            report.read += 1
            try:
                document = _document(page)
            except UNFIT as error:
                report.refuse(page.member.info.filename, str(error))
                library.keep(page.path)
                continue
            yield from library.add(document)
        yield from library.deletions()


def _pages(path: Path, stack: ExitStack, report: Report) -> dict[str, _Page]:
    """Pages by path, each once; for a database, the file with all of its rows."""
    pages: dict[str, _Page] = {}
    for member in members(path, stack, EXPECTED, _is_page, with_parts=True):
        filename = member.info.filename
        stem, _, ending = filename.rpartition("/")[2].rpartition(".")
        if not _is_page(filename):
            report.skip(f"unsupported type: .{ending.lower()}", filename)
            continue
        known = NAME.match(stem)
        key = known["id"] if known else filename
        page = _Page(member, f"notion:{key}", known["title"] if known else stem)
        if page.path not in pages or (known and known["all"]):
            pages[page.path] = page
    return dict(sorted(pages.items()))


def _is_page(name: str) -> bool:
    return name.rpartition(".")[2].lower() in ENDINGS


def _document(page: _Page) -> Document:
    from orgctx.importers.markdown.importer import decoded

    text = decoded(page.member.content())
    text = _table(page.title, text) if page.is_database else text
    at = page.member.written_at
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
