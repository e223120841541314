"""Read a Notion export: pages are Markdown, databases are CSV, and file names end in an id.

Nothing is unpacked to disk. Document ids are derived from Notion's ids, so that a page can be
renamed or moved.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path

from orgctx.importers.archive import DAMAGED, Member, members
from orgctx.importers.folder.document_set import Document, DocumentSet, ItemKind
from orgctx.importers.folder.headings import first_heading
from orgctx.importers.folder.inputs import Import, Input
from orgctx.importers.markdown.blocks import split
from orgctx.importers.markdown.front_matter import BrokenFrontMatter
from orgctx.importers.markdown.text_file import decoded
from orgctx.importers.records import Record, Target, modified_at
from orgctx.importers.report import Report
from orgctx.importers.time_limit import TookTooLong, time_limit

NAME = re.compile(r"(?P<title>.*?)[ _]?(?P<id>[0-9a-f]{32})(?P<all>_all)?\Z")
EXPECTED = "a folder, or a Notion export as a .zip"
ENDINGS = ("md", "csv")
UNFIT = (*DAMAGED, csv.Error, TookTooLong, BrokenFrontMatter)
# The maximum number of cells of a database. Short rows count as long as the first one.
MOST_CELLS = 10_000_000


@dataclass(frozen=True, slots=True)
class _Page:
    member: Member
    path: str  # determines the document's id
    title: str

    @property
    def is_database(self) -> bool:
        return self.member.info.filename.lower().endswith(".csv")


def records(
    path: Path,
    item_kind: ItemKind,
    target: Target,
    report: Report,
    *,
    allow_empty: bool,
    keep_missing: bool,
) -> Iterator[Record]:
    """Yield the source, the pages and databases, and deletions. Raises ImportRejected."""
    with ExitStack() as stack:
        pages = _pages(path, stack, report)
        times = [page.member.written_at for page in pages.values()]
        collected_at = max(times, default=modified_at(path))
        input_ = Input(
            "markdown", pages, collected_at, partial(_records, pages=pages.values(), report=report)
        )
        run = Import(
            item_kind,
            target,
            report,
            path.stem,
            "A Notion export.",
            allow_empty=allow_empty,
            keep_missing=keep_missing,
        )
        yield from run.records([input_], pages)


def _records(documents: DocumentSet, *, pages: Iterable[_Page], report: Report) -> Iterator[Record]:
    for page in pages:
        report.read += 1
        try:
            with time_limit():
                document = _document(page)
        except UNFIT as error:
            report.refuse(page.member.info.filename, str(error))
            documents.keep(page.path)
            continue
        yield from documents.add(document)


def _pages(path: Path, stack: ExitStack, report: Report) -> dict[str, _Page]:
    """Return the pages by path. Of the two files of a database, return the one with all rows."""
    pages: dict[str, _Page] = {}
    for member in members(path, stack, EXPECTED, _is_page, with_parts=True):
        filename = member.info.filename
        stem, _, ending = filename.rpartition("/")[2].rpartition(".")
        if not _is_page(filename):
            report.skip(f"unsupported type: .{ending.lower()}", filename)
            continue
        match = NAME.match(stem)
        key = match["id"] if match else filename
        page = _Page(member, f"notion:{key}", match["title"] if match else stem)
        if page.path not in pages or (match and match["all"]):
            pages[page.path] = page
    return dict(sorted(pages.items()))


def is_page_name(name: str) -> bool:
    """Return whether a file in an archive is a page that Notion exported as Markdown."""
    match = NAME.match(name.rpartition("/")[2].rpartition(".")[0])
    return match is not None and _is_page(name)


def _is_page(name: str) -> bool:
    return name.rpartition(".")[2].lower() in ENDINGS


def _document(page: _Page) -> Document:
    text = decoded(page.member.content())
    text = _markdown_table(page.title, text) if page.is_database else _page_text(text)
    written_at = page.member.written_at
    title = first_heading(text) or page.title or "Untitled"
    return Document(page.path, title, text, "markdown", written_at, written_at)


def _page_text(text: str) -> str:
    """Return the text of a page.

    Raises ValueError or BrokenFrontMatter if it has front matter, which only imports of folders
    support.
    """
    front, content = split(text)
    if front.members or content != text:
        raise ValueError("has front matter; unpack the archive and import the folder")
    return text


def _markdown_table(title: str, text: str) -> str:
    """Format a database as a heading and a table."""
    rows = [
        [" ".join(cell.split()).replace("|", "\\|") for cell in row]
        for row in csv.reader(StringIO(text, newline=""), strict=True)
    ]
    if not rows:
        return f"# {title}\n"
    width = len(rows[0])
    if width * len(rows) > MOST_CELLS:
        raise ValueError(f"exceeds {MOST_CELLS:,} cells")
    lines = [rows[0], ["---"] * width, *([*row, *[""] * width][:width] for row in rows[1:])]
    return f"# {title}\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)
