"""Convert the files of a folder, or one file, to documents or team notes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from orgctx.importers.folder import generators
from orgctx.importers.folder.files import File, named, walk
from orgctx.importers.folder.history import History, read_history
from orgctx.importers.folder.reading import MINUTES, Reading
from orgctx.importers.folder.titles import first_heading, label_of
from orgctx.importers.formats import Converted, by_suffix
from orgctx.importers.lockdown import lacking
from orgctx.importers.records import Record, Target, modified_at, not_later
from orgctx.importers.report import Report
from orgctx.schemas.fields import MAX_NAME
from orgctx.schemas.formats import instant_text

# A title that says nothing: of a new file, also if it is printed to PDF, or the name of the
# page of a folder, which may contain a language: `README.de.md`.
INDEX = re.compile(
    r"(?:_?index|readme)(?:[._-][a-z]{2}(?:[-_][a-z]{2,4})?)?|PowerPoint Presentation|untitled",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Kind:
    """What the records of a source of this kind share."""

    prefix: str  # of an id
    source: str
    visibility: str
    description: str


KINDS = {
    "docs": Kind("docs", "docs", "public", "Documents from a folder."),
    "notes": Kind("note", "team", "team", "Team notes from a folder."),
}


def records(
    path: Path,
    *,
    target: Target,
    report: Report,
    library: str = "docs",
    minutes: int = MINUTES,
    exclude: Sequence[str] = (),
    include_drafts: bool = False,
    source_files: bool = False,
    all_versions: bool = False,
    keep_missing: bool = False,
) -> Iterator[Record]:
    """Yield the source, the documents, and deletions of those whose file is missing.

    The stored document of a file that cannot be read is kept. The catalog describes the options.
    Raises ImportRejected.
    """
    kind, committed = KINDS[library], History()
    if path.is_file():
        files, label = [named(path)], path.stem
    else:
        walked = walk(path, report, exclude)
        files = [file for file in walked if not file.is_folder and _is_published(file, report)]
        if not source_files:
            generators.check(path, files)
        committed = read_history(path, report)
        files = [replace(file, committed=committed.of(file.path)) for file in files]
        label = label_of(path)
    known = [file for file in files if file.suffix in by_suffix()]
    newest = max((file.written_at for file in known), default=modified_at(path))
    is_dated = committed.committed_at is not None
    time = committed.committed_at or newest
    source = target.source(library, label, kind.description, time, is_exact=is_dated)
    label = source["data"]["label"]
    yield source
    if (means := lacking()) and any(by_suffix()[file.suffix].is_sandboxed for file in known):
        report.note(f"converters are not bound: the system lacks {' and '.join(means)}")
    reading = Reading(report, committed, minutes, include_drafts, all_versions)
    kept = set()
    for file, document in reading.documents(files):
        created_at, updated_at = map(not_later, _times(document, file))
        data = {
            "id": f"{kind.prefix}:{target.path_id(file.document_path)}",
            "source": kind.source,
            "title": _title(file, document, label)[:MAX_NAME],
            "content": document.content,
            "contentFormat": document.content_format,
            "visibility": "team" if document.reason else document.visibility or kind.visibility,
            "archived": document.is_archived,
            "sourceStatus": "draft" if document.reason else "current",
            "sourceLabel": label,
            "sourceHref": document.href,
            "createdAt": instant_text(created_at),
            "updatedAt": instant_text(updated_at),
        }
        kept.add(data["id"])
        yield target.record("knowledge", data)
    kept.update(f"{kind.prefix}:{target.path_id(path)}" for path in reading.unread)
    if not keep_missing:
        yield from target.deletions("knowledge", kept, report, is_empty=not known)


def _is_published(file: File, report: Report) -> bool:
    """Return whether a file is published; a leading `_` in its path holds it back."""
    *folders, name = file.path.split("/")
    is_held_back = any(part.startswith("_") and part != "_posts" for part in folders)
    is_held_back |= name.startswith("_") and not name.startswith("_index.")
    if is_held_back:
        report.skip("not published: a name that begins with _", file.path)
    return not is_held_back


def _title(file: File, document: Converted, label: str) -> str:
    """Return the title that a document states, its first heading, or a name."""
    is_markdown = document.content_format == "markdown"
    heading = first_heading(document.content) if is_markdown else None
    for stated in filter(None, (document.title, heading)):
        if not INDEX.fullmatch(stated):
            return stated
    if not INDEX.fullmatch(file.title):
        return file.title
    return file.parent.rpartition("/")[2] or label


def _times(document: Converted, file: File) -> tuple[datetime, datetime]:
    """Return when a document was created and updated, as it states, else by commits or its file."""
    stated, updated = _time(document.created), _time(document.updated)
    first, last = file.committed or (None, None)
    updated = updated or last or stated or file.written_at
    created = stated or min(first or file.written_at, updated)
    return created, max(created, updated)


def _time(seconds: float | None) -> datetime | None:
    """Return a time that a document states; None if it is in the future, or the 0 of a program."""
    try:
        time = datetime.fromtimestamp(int(seconds), UTC) if seconds else None
    except (ValueError, OverflowError, OSError):
        return None
    return time if time and time <= datetime.now(UTC) else None
