"""The files that may be converted, on disk or in an archive."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import NamedTemporaryFile

from orgctx.importers.archive import DAMAGED, Member, members
from orgctx.importers.documents.formats import BY_SUFFIX, is_supported, suffix_of
from orgctx.importers.folder import beneath
from orgctx.importers.folder.ignore import is_excluded, parse
from orgctx.importers.folder.walk import Entry, named
from orgctx.importers.records import written_at
from orgctx.importers.report import Report

EXPECTED = "a folder, a document, or an export as a .zip"
INDEX = "index.html"
# Occurs near the start of the page that lists a Confluence space, and in no other page.
SPACE = re.compile(rb"""id=["']main-content["']\s+class=["']pageSection["']""")
FIRST_BYTES = 64 * 1024
ATTACHMENTS = re.compile(r"(?:^|(?<=/))attachments/")
# Notion's HTML export names a page by its title and id.
NOTION = re.compile(r"(?:\A|/)([^/]*?) ?([0-9a-f]{32})\.html\Z")
BUNDLE = re.compile(r"(?:\A|/)([^/]+)\.textbundle/", re.IGNORECASE)


# A folder, and the path of a file below it, as in beneath.opened.
Place = tuple[Path, str]


@dataclass(frozen=True, slots=True)
class File:
    """A file that may be converted."""

    path: str
    size: int
    written_at: datetime
    # Make the file available while the block runs. Raises one of DAMAGED.
    place: Callable[[], AbstractContextManager[Place]]

    @property
    def suffix(self) -> str:
        return suffix_of(self.path)

    @property
    def holds_several(self) -> bool:
        return self.suffix in BY_SUFFIX and BY_SUFFIX[self.suffix].holds_several

    @property
    def document_path(self) -> str:
        """What determines the id: the path, or the id of a Notion page, which may move."""
        match = NOTION.search(self.path)
        return match[2] if match else self.path

    @property
    def title(self) -> str:
        """The title of a document that states none."""
        if match := NOTION.search(self.path) or BUNDLE.search(self.path):
            return match[1]
        return PurePosixPath(self.path).stem


def list_files(
    path: Path, stack: ExitStack, report: Report, exclude: Sequence[str]
) -> Iterator[File]:
    """Yield the files of an archive, or one file. Raises ImportRejected."""
    if path.suffix.lower() == ".zip":
        yield from _members(path, stack, report, exclude)
    else:
        yield on_disk(named(path))


def on_disk(entry: Entry) -> File:
    """Return a file that is not in an archive. Raises OSError."""
    status, (root, path) = entry.status(), entry.place()
    place = root.resolve(), path
    return File(entry.path, status.st_size, written_at(status), lambda: nullcontext(place))


def _members(
    path: Path, stack: ExitStack, report: Report, exclude: Sequence[str]
) -> Iterator[File]:
    """Yield the files of an export that is a zip archive."""
    ignored = parse(exclude, "--exclude")
    seen = set()
    for member in members(path, stack, EXPECTED, is_supported, with_parts=_holds_parts(path)):
        parts = member.name.split("/")
        if ".." in parts or not parts[0]:
            report.refuse(member.name, "the name points outside the archive")
        elif member.name in seen:
            report.refuse(member.name, "occurs twice in the archive")
        elif any(part.startswith(".") or part == "__MACOSX" for part in parts):
            report.skip("hidden file or folder", member.name)
        elif is_excluded(ignored, member.name):
            report.skip("excluded by --exclude", member.name)
        else:
            seen.add(member.name)
            place = partial(_extracted, member)
            yield File(member.name, member.info.file_size, member.written_at, place)


def _holds_parts(path: Path) -> bool:
    """Return whether an archive holds only archives, as large Notion exports do."""
    with ExitStack() as stack:
        names = [member.name.lower() for member in members(path, stack, EXPECTED, lambda _: False)]
    return bool(names) and all(name.endswith(".zip") for name in names)


@contextmanager
def _extracted(member: Member) -> Iterator[Place]:
    """Copy a member to a temporary file while the block runs."""
    with NamedTemporaryFile() as file:
        file.write(member.content())
        file.flush()
        yield Path(file.name).parent, Path(file.name).name


def skip_attachments(files: Iterable[File], report: Report) -> Iterator[File]:
    """Skip the attachments of exports and text bundles, and the list of an export's pages."""
    files = sorted(files, key=lambda file: file.path)
    exports = {file.path.removesuffix(INDEX) for file in files if file.path.endswith(INDEX)}
    for file in files:
        if any(file.path[: match.start()] in exports for match in ATTACHMENTS.finditer(file.path)):
            report.skip("attachment of an export", file.path)
        elif BUNDLE.search(file.path) and file.suffix != ".textbundle":
            report.skip("attachment of a text bundle", file.path)
        elif _is_list_of_pages(file):
            report.skip("list of an export's pages", file.path)
        else:
            yield file


def _is_list_of_pages(file: File) -> bool:
    if PurePosixPath(file.path).name != INDEX:
        return False
    try:
        with file.place() as place, beneath.opened(*place) as opened:
            return bool(SPACE.search(opened.read(FIRST_BYTES)))
    except DAMAGED:  # the conversion reports it
        return False
