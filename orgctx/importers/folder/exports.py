"""Files of exports that are zip archives, and files that are only attachments of others."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from orgctx.importers.archive import DAMAGED, members
from orgctx.importers.folder.files import BUNDLED, File, opened
from orgctx.importers.folder.ignore import Patterns, parse
from orgctx.importers.formats import DOCUMENTS, NOTION, Format
from orgctx.importers.report import ImportRejected, Report

EXPECTED = "a folder, a document, or an export as a .zip"
EXPECTED_NOTION = "a folder, or a Notion export as a .zip"
# The name of a page that Notion exported as Markdown. A database has a file with all rows too.
PAGE = re.compile(r"(?P<title>.*?)[ _]?(?P<id>[0-9a-f]{32})(?P<all>_all)?\Z")
INDEX = "index.html"
# Occurs near the start of the page that lists a Confluence space, and in no other page.
SPACE = re.compile(rb"""id=["']main-content["']\s+class=["']pageSection["']""")
FIRST_BYTES = 64 * 1024
ATTACHMENTS = re.compile(r"(?:^|(?<=/))attachments/")


def is_notion(path: Path) -> bool:
    """Return whether a file is a Notion export in Markdown, or a part of one.

    An export in HTML holds databases as CSV too, and is read as documents.
    """
    names = _names(path, with_parts=True)
    stems = [name.rpartition("/")[2].rpartition(".")[0] for name in names if _has(NOTION)(name)]
    return any(map(PAGE.match, stems)) and not any(name.endswith(".html") for name in names)


def archived(
    path: Path, stack: ExitStack, report: Report, exclude: Sequence[str], *, is_notion: bool = False
) -> Iterator[File]:
    """Yield the files of an archive. Raises ImportRejected.

    is_notion: read the pages of a Notion export in Markdown.
    """
    ignored = Patterns(parse(exclude, "--exclude"))
    seen = set()
    names = () if is_notion else _names(path, with_parts=False)
    # Large exports hold only archives.
    with_parts = is_notion or (bool(names) and all(name.endswith(".zip") for name in names))
    expected, suffixes = (EXPECTED_NOTION, NOTION) if is_notion else (EXPECTED, DOCUMENTS)
    for member in members(path, stack, expected, _has(suffixes), with_parts=with_parts):
        name = member.name
        parts = name.split("/")
        # The title of a page may begin with a dot.
        hidden = ("._" if is_notion else ".", "__MACOSX")
        if ".." in parts or not parts[0]:
            report.refuse(name, "the name points outside the archive")
        elif name in seen:
            report.refuse(name, "occurs twice in the archive")
        elif any(part.startswith(hidden) for part in parts):
            report.skip("hidden file or folder", name)
        elif ignored.excludes(name):
            report.skip("excluded by --exclude", name)
        else:
            seen.add(name)
            yield File(path, name, is_file=True, member=member)


def notion_pages(files: Iterable[File], report: Report) -> list[tuple[File, Format]]:
    """Return the pages of a Notion export in Markdown by id, so that they can be renamed or moved.

    Of the two files of a database, returns the one with all rows.
    """
    pages: dict[str, tuple[File, Format]] = {}
    for file in files:
        stem, _, ending = file.name.rpartition(".")
        format_ = NOTION.get(f".{ending.lower()}")
        if format_ is None:
            report.skip(f"unsupported type: {file.suffix or 'no extension'}", file.path)
            continue
        match = PAGE.match(stem)
        key = f"notion:{match['id'] if match else file.path}"
        if key not in pages or (match and match["all"]):
            title = match["title"] if match else stem
            pages[key] = replace(file, page=(key, title or "Untitled")), format_
    return [page for _, page in sorted(pages.items())]


def without_attachments(files: Iterable[File], report: Report) -> Iterator[File]:
    """Skip the attachments of exports and text bundles, and the list of an export's pages."""
    files = sorted(files, key=lambda file: file.path)
    exports = {file.path.removesuffix(INDEX) for file in files if file.path.endswith(INDEX)}
    for file in files:
        if any(file.path[: match.start()] in exports for match in ATTACHMENTS.finditer(file.path)):
            report.skip("attachment of an export", file.path)
        elif BUNDLED.search(file.path):
            report.skip("attachment of a text bundle", file.path)
        elif file.name == INDEX and _lists_pages(file):
            report.skip("list of an export's pages", file.path)
        else:
            yield file


def _lists_pages(file: File) -> bool:
    try:
        with file.place() as place, opened(*place) as content:
            return bool(SPACE.search(content.read(FIRST_BYTES)))
    except DAMAGED:  # the conversion reports it
        return False


def _has(suffixes: Iterable[str]) -> Callable[[str], bool]:
    return lambda name: name.lower().endswith(tuple(suffixes))


def _names(path: Path, *, with_parts: bool) -> list[str]:
    """Return the names of the files of an archive in lower case; none if it is no archive."""
    try:
        with ExitStack() as stack:
            files = members(path, stack, EXPECTED, lambda _: False, with_parts=with_parts)
            return [member.name.lower() for member in files]
    except ImportRejected:
        return []
