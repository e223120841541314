"""Convert files of word processors, browsers and e-book readers to documents in Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import NamedTemporaryFile
from time import monotonic

from pathspec import GitIgnoreSpec

from orgctx.importers.archive import DAMAGED, Member, members
from orgctx.importers.confined import Confined, Unfinished
from orgctx.importers.existing import Existing
from orgctx.importers.folder.headings import first_heading
from orgctx.importers.folder.library import FORMS, Document, Library
from orgctx.importers.folder.walk import walk
from orgctx.importers.records import Progress, Record, Target, modified_at, no_progress
from orgctx.importers.report import Report

CONVERSION = "orgctx.importers.documents.conversion:convert"
EXPECTED = "a folder, a document, or an export as a .zip"
PATIENCE_SECONDS = 60
MINUTES = 60
MEMORY = 1024 * 1024 * 1024
SUPPORTED = (".html", ".htm", ".xhtml", ".docx", ".pdf", ".pptx", ".epub")
INDEX = "index.html"
# On the page that lists a space of Confluence, within its first bytes; pages have other classes.
SPACE = re.compile(rb"""id=["']main-content["']\s+class=["']pageSection["']""")
FIRST_BYTES = 64 * 1024
# Documents in formats that cannot be converted.
OTHERS = {
    **dict.fromkeys((".doc", ".rtf", ".odt", ".pages"), "save it as .docx"),
    **dict.fromkeys((".ppt", ".odp", ".key"), "save it as .pptx"),
    **dict.fromkeys((".xls", ".xlsx", ".ods", ".numbers"), "save it as .html or .pdf"),
    ".mobi": "save it as .epub",
}


@dataclass(frozen=True, slots=True)
class _File:
    """A file that may be converted. placed: puts it where it can be opened by a path. Raises one
    of DAMAGED."""

    path: str
    size: int
    written_at: datetime
    placed: Callable[[], AbstractContextManager[Path]]

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.path).suffix.lower()


def records(
    path: Path,
    *,
    organization_id: str,
    source_id: str,
    report: Report,
    existing: Existing,
    library: str = "docs",
    minutes: int = MINUTES,
    exclude: Sequence[str] = (),
    allow_empty: bool = False,
    keep_missing: bool = False,
    stale_after_seconds: int | None = None,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """The source, the documents by path, and deletions of stored ones whose file is gone.

    path: a folder, an export as a .zip, or one file. minutes: for all conversions. Other arguments
    are as for Markdown. Raises ImportRefused.
    """
    form = FORMS[library]
    target = Target(organization_id, source_id, existing, stale_after_seconds)
    with ExitStack() as stack:
        found = list(_wanted(_files(path, stack, report, exclude), report))
        fit = [file for file in found if file.suffix in SUPPORTED]
        collected_at = max((file.written_at for file in fit), default=modified_at(path))
        name = path.resolve().name if path.is_dir() else path.stem
        source = target.source(form.kind, name or "/", form.description, collected_at)
        shelf = Library(form, target, source["data"]["label"], report, keep_missing)
        shelf.begin((file.path for file in fit), allow_empty=allow_empty)
        yield source
        convert = stack.enter_context(Confined(CONVERSION, seconds=PATIENCE_SECONDS, memory=MEMORY))
        deadline = monotonic() + 60 * minutes
        for file in found:
            progress(file.size)
            if not _is_converted(file, report):
                continue
            report.read += 1
            try:
                if monotonic() > deadline:
                    raise Unfinished(f"{minutes} minutes were over; allow more with --minutes")
                document = _document(file, convert)
            except (Unfinished, *DAMAGED) as error:
                report.refuse(file.path, f"cannot be converted: {error}")
                shelf.keep(file.path)
                continue
            yield from shelf.add(document)
        yield from shelf.deletions()


def _files(path: Path, stack: ExitStack, report: Report, exclude: Sequence[str]) -> Iterator[_File]:
    if path.is_file() and path.suffix.lower() == ".zip":
        yield from _members(path, stack, report, exclude)
    elif path.is_file():
        yield _on_disk(path, path.name)
    else:
        for entry in walk(path, report, exclude):
            if not entry.is_folder:
                yield _on_disk(entry.location, entry.path)


def _on_disk(location: Path, path: str) -> _File:
    size, at = location.stat().st_size, modified_at(location)
    return _File(path, size, at, lambda: nullcontext(location.resolve()))


def _members(
    path: Path, stack: ExitStack, report: Report, exclude: Sequence[str]
) -> Iterator[_File]:
    """The files of an export that is an archive."""
    ignored = GitIgnoreSpec.from_lines(exclude)
    seen = set()
    for member in members(path, stack, EXPECTED, _is_supported):
        parts = member.name.split("/")
        if ".." in parts or not parts[0]:
            report.refuse(member.name, "its name leads out of the archive")
        elif member.name in seen:
            report.refuse(member.name, "is in the archive twice")
        elif any(part.startswith(".") or part == "__MACOSX" for part in parts):
            report.skip("hidden file or folder", member.name)
        elif ignored.match_file(member.name):
            report.skip("excluded by --exclude", member.name)
        else:
            seen.add(member.name)
            placed = partial(_placed, member)
            yield _File(member.name, member.info.file_size, member.written_at, placed)


@contextmanager
def _placed(member: Member) -> Iterator[Path]:
    """A file with the content of a member, while the block runs."""
    with NamedTemporaryFile() as file:
        file.write(member.content())
        file.flush()
        yield Path(file.name)


def _wanted(files: Iterable[_File], report: Report) -> Iterator[_File]:
    """Files except attachments of a Confluence export, and the list of its pages."""
    found = sorted(files, key=lambda file: file.path)
    exports = {file.path.removesuffix(INDEX) for file in found if file.path.endswith(INDEX)}
    attachments = tuple(f"{folder}attachments/" for folder in exports if folder[-1:] in ("", "/"))
    for file in found:
        if file.path.startswith(attachments):
            report.skip("attachment of an export", file.path)
        elif _is_list_of_pages(file):
            report.skip("list of an export's pages", file.path)
        else:
            yield file


def _is_list_of_pages(file: _File) -> bool:
    if PurePosixPath(file.path).name != INDEX:
        return False
    try:
        with file.placed() as path, path.open("rb") as opened:
            return bool(SPACE.search(opened.read(FIRST_BYTES)))
    except DAMAGED:  # its conversion reports it
        return False


def _is_supported(name: str) -> bool:
    return name.lower().endswith(SUPPORTED)


def _is_converted(file: _File, report: Report) -> bool:
    """Whether to convert a file; others are reported."""
    if file.suffix in SUPPORTED:
        return True
    if file.suffix in OTHERS:
        report.refuse(file.path, f"cannot be converted: {OTHERS[file.suffix]}")
    else:
        report.skip(f"unsupported type: {file.suffix or 'no ending'}", file.path)
    return False


def _document(file: _File, convert: Confined) -> Document:
    with file.placed() as path:
        made = convert({"path": str(path), "suffix": file.suffix})
    updated_at = _at(made["updated"]) or _at(made["created"]) or file.written_at
    created_at = _at(made["created"]) or min(file.written_at, updated_at)
    content = made["content"]
    title = " ".join(made["title"].replace("\0", "").split()) or first_heading(content)
    return Document(
        path=file.path,
        title=title or PurePosixPath(file.path).stem,
        content=content,
        content_format="markdown",
        created_at=created_at,
        updated_at=max(created_at, updated_at),
    )


def _at(seconds: float | None) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(seconds), UTC) if seconds is not None else None
    except (ValueError, OverflowError, OSError):
        return None
