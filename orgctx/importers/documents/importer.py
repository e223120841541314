"""Convert HTML, Word, PowerPoint, PDF and EPUB files to documents in Markdown."""

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

from orgctx.importers.archive import DAMAGED, Member, members
from orgctx.importers.documents.formats import BY_SUFFIX, UNSUPPORTED
from orgctx.importers.folder.document_set import ITEM_KINDS, Document, DocumentSet
from orgctx.importers.folder.headings import first_heading
from orgctx.importers.folder.ignore import is_excluded, parse
from orgctx.importers.folder.inputs import Import, Input
from orgctx.importers.folder.label import label_of
from orgctx.importers.folder.walk import walk
from orgctx.importers.records import Progress, Record, Target, modified_at, no_progress
from orgctx.importers.report import Report
from orgctx.importers.sandbox import Sandbox, SandboxError

CONVERSION = "orgctx.importers.documents.conversion:convert"
EXPECTED = "a folder, a document, or an export as a .zip"
PATIENCE_SECONDS = 60
MINUTES = 60
MEMORY = 1024 * 1024 * 1024
SUPPORTED = tuple(BY_SUFFIX)
INDEX = "index.html"
# Occurs near the start of the page that lists a Confluence space, and in no other page.
SPACE = re.compile(rb"""id=["']main-content["']\s+class=["']pageSection["']""")
FIRST_BYTES = 64 * 1024
ATTACHMENTS = re.compile(r"(?:^|(?<=/))attachments/")


@dataclass(frozen=True, slots=True)
class File:
    """A file that may be converted."""

    path: str
    size: int
    written_at: datetime
    # Make the file available at a path while the block runs. Raises one of DAMAGED.
    place: Callable[[], AbstractContextManager[Path]]

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.path).suffix.lower()


def records(
    path: Path,
    *,
    target: Target,
    report: Report,
    library: str = "docs",
    minutes: int = MINUTES,
    exclude: Sequence[str] = (),
    allow_empty: bool = False,
    keep_missing: bool = False,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """Yield the source, the documents by path, and deletions of documents whose file is missing.

    Args:
        path: a folder, an export as a .zip, or one file.
        minutes: the time limit of all conversions together.

    Other arguments are those of the Markdown importer. Raises ImportRejected.
    """
    item_kind = ITEM_KINDS[library]
    with ExitStack() as stack:
        files = list(_files(path, stack, report, exclude))
        name = label_of(path) if path.is_dir() else path.stem
        run = Import(
            item_kind,
            target,
            report,
            name,
            item_kind.description,
            allow_empty=allow_empty,
            keep_missing=keep_missing,
        )
        conversions = input_of(path, files, report, minutes, progress)
        yield from run.records([conversions], [file.path for file in files])


def input_of(
    path: Path, files: Iterable[File], report: Report, minutes: int, progress: Progress
) -> Input:
    """Return the files to convert. Reports the others.

    path: the folder or export that contains them.
    """
    chosen = list(_skip_attachments(files, report))
    supported = [file for file in chosen if file.suffix in SUPPORTED]
    collected_at = max((file.written_at for file in supported), default=modified_at(path))
    records = partial(_records, files=chosen, report=report, minutes=minutes, progress=progress)
    return Input("documents", [file.path for file in supported], collected_at, records)


def _records(
    documents: DocumentSet,
    *,
    files: Sequence[File],
    report: Report,
    minutes: int,
    progress: Progress,
) -> Iterator[Record]:
    deadline = monotonic() + 60 * minutes
    with Sandbox(CONVERSION, seconds=PATIENCE_SECONDS, memory=MEMORY) as convert:
        for file in files:
            progress(file.size)
            if not _is_converted(file, report):
                continue
            report.read += 1
            try:
                if monotonic() > deadline:
                    raise SandboxError(
                        f"the limit of {minutes} minutes is reached; raise it with --minutes"
                    )
                document = _document(file, convert)
            except (SandboxError, *DAMAGED) as error:
                report.refuse(file.path, f"cannot be converted: {error}")
                documents.keep(file.path)
                continue
            yield from documents.add(document)


def _files(path: Path, stack: ExitStack, report: Report, exclude: Sequence[str]) -> Iterator[File]:
    if path.is_file() and path.suffix.lower() == ".zip":
        yield from _members(path, stack, report, exclude)
    elif path.is_file():
        yield on_disk(path, path.name)
    else:
        for entry in walk(path, report, exclude):
            if not entry.is_folder:
                yield on_disk(entry.location, entry.path)


def on_disk(location: Path, path: str) -> File:
    """Return a file that is not in an archive. path: relative to the folder."""
    size, written_at = location.stat().st_size, modified_at(location)
    return File(path, size, written_at, lambda: nullcontext(location.resolve()))


def _members(
    path: Path, stack: ExitStack, report: Report, exclude: Sequence[str]
) -> Iterator[File]:
    """Yield the files of an export that is a zip archive."""
    ignored = parse(exclude, "--exclude")
    seen = set()
    for member in members(path, stack, EXPECTED, _is_supported):
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


@contextmanager
def _extracted(member: Member) -> Iterator[Path]:
    """Copy a member to a temporary file while the block runs."""
    with NamedTemporaryFile() as file:
        file.write(member.content())
        file.flush()
        yield Path(file.name)


def _skip_attachments(files: Iterable[File], report: Report) -> Iterator[File]:
    """Skip the attachments of a Confluence export and the list of its pages."""
    files = sorted(files, key=lambda file: file.path)
    exports = {file.path.removesuffix(INDEX) for file in files if file.path.endswith(INDEX)}
    for file in files:
        if any(file.path[: match.start()] in exports for match in ATTACHMENTS.finditer(file.path)):
            report.skip("attachment of an export", file.path)
        elif _is_list_of_pages(file):
            report.skip("list of an export's pages", file.path)
        else:
            yield file


def _is_list_of_pages(file: File) -> bool:
    if PurePosixPath(file.path).name != INDEX:
        return False
    try:
        with file.place() as path, path.open("rb") as opened:
            return bool(SPACE.search(opened.read(FIRST_BYTES)))
    except DAMAGED:  # the conversion reports it
        return False


def _is_supported(name: str) -> bool:
    return name.lower().endswith(SUPPORTED)


def _is_converted(file: File, report: Report) -> bool:
    """Return whether to convert a file; report it if not."""
    if file.suffix in SUPPORTED:
        return True
    if file.suffix in UNSUPPORTED:
        report.refuse(file.path, f"cannot be converted: {UNSUPPORTED[file.suffix]}")
    else:
        report.skip(f"unsupported type: {file.suffix or 'no extension'}", file.path)
    return False


def _document(file: File, convert: Sandbox) -> Document:
    with file.place() as path:
        converted = convert({"path": str(path), "suffix": file.suffix})
    updated_at = _time(converted["updated"]) or _time(converted["created"]) or file.written_at
    created_at = _time(converted["created"]) or min(file.written_at, updated_at)
    content = converted["content"]
    title = " ".join(converted["title"].replace("\0", "").split()) or first_heading(content)
    return Document(
        path=file.path,
        title=title or PurePosixPath(file.path).stem,
        content=content,
        content_format="markdown",
        created_at=created_at,
        updated_at=max(created_at, updated_at),
    )


def _time(seconds: float | None) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(seconds), UTC) if seconds is not None else None
    except (ValueError, OverflowError, OSError):
        return None
