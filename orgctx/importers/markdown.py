"""A folder of .md, .mdx and .txt files as documents or team notes.

A file's id follows from its path, so that it stays the same item while it is edited.
Texts are left as they are, save the front matter, which is taken off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from orgctx.importers import front_matter
from orgctx.importers.existing import Existing
from orgctx.importers.folder import Entry, walk
from orgctx.importers.front_matter import BrokenFrontMatter, FrontMatter
from orgctx.importers.git_dates import commit_dates
from orgctx.importers.headings import first_heading
from orgctx.importers.records import Progress, Record, Target, modified_at, no_progress
from orgctx.importers.report import Report
from orgctx.shapes.fields import instant_text

FORMATS = {".md": "markdown", ".mdx": "markdown", ".txt": "plain_text"}
LONGEST = 16 * 1024 * 1024
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Library:
    """What a folder becomes."""

    kind: str
    prefix: str
    source: str
    visibility: str
    description: str


LIBRARIES = {
    "docs": Library("docs", "docs", "docs", "public", "Documents from a folder."),
    "notes": Library("notes", "note", "team", "team", "Team notes from a folder."),
}


def records(
    path: Path,
    *,
    organization_id: str,
    source_id: str,
    report: Report,
    existing: Existing,
    library: str = "docs",
    stale_after_seconds: int | None = None,
    history: Path | None = None,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """The source, the files by path, and deletions of stored items whose file is gone.

    library: docs or notes. history: a folder above with the repository that dates the
    files; without it, only one that begins in the folder is read. Where a file is refused,
    nothing is deleted. Raises ImportRefused where path is no folder.
    """
    what = LIBRARIES[library]
    target = Target(organization_id, source_id, existing, stale_after_seconds)
    entries = [entry for entry in walk(path, report) if not entry.is_folder]
    times = [modified_at(entry.location) for entry in entries if _format(entry)]
    updated_at = max(times, default=modified_at(path))
    source = target.source(what.kind, path.resolve().name or "/", what.description, updated_at)
    yield source
    paths = [entry.path for entry in entries if _format(entry)]
    dates = commit_dates(path, paths, report, history)
    folder = _Folder(what, target, source["data"]["label"], dates, report)
    for entry in entries:
        progress(entry.location.stat().st_size)
        if data := folder.item(entry):
            yield target.record("knowledge", data)
    yield from target.deletions("knowledge", existing.ids - folder.kept, report)


def _format(entry: Entry) -> str | None:
    return FORMATS.get(entry.location.suffix.lower())


@dataclass(slots=True)
class _Folder:
    library: Library
    target: Target
    label: str
    dates: dict[str, tuple[datetime, datetime]]
    report: Report
    kept: set[str] = field(default_factory=set)

    def item(self, entry: Entry) -> dict[str, Any] | None:
        """The `data` of a file; None, and reported, where it is none of the library."""
        content_format = _format(entry)
        if content_format is None:
            self.report.skip(f"not {', '.join(FORMATS)}", entry.path)
            return None
        self.report.read += 1
        is_markdown = content_format == "markdown"
        name = f"{self.target.source_id}:{entry.path}"
        id_ = f"{self.library.prefix}:{uuid5(UUID(self.target.organization_id), name)}"
        self.kept.add(id_)
        try:
            text = _text(entry.location)
            members, content = front_matter.split(text) if is_markdown else (FrontMatter({}), text)
            visibility = front_matter.visibility_of(members, self.library.visibility)
        except (OSError, ValueError, BrokenFrontMatter) as error:
            self.report.refuse(entry.path, str(error))
            return None
        if _is_unpublished(members):
            self.kept.discard(id_)
            self.report.skip("publish: false or draft: true", entry.path)
            return None
        created_at, updated_at = self._times(entry, members)
        return {
            "id": id_,
            "source": self.library.source,
            "title": _title(members, content, entry),
            "content": content,
            "contentFormat": content_format,
            "visibility": visibility,
            "archived": members.flag("archived") is True,
            "sourceStatus": "current",
            "sourceLabel": self.label,
            "sourceHref": None,
            "createdAt": instant_text(created_at),
            "updatedAt": instant_text(updated_at),
        }

    def _times(self, entry: Entry, members: FrontMatter) -> tuple[datetime, datetime]:
        """Front matter first, then the history, then the file."""
        written_at = modified_at(entry.location)
        first, last = self.dates.get(entry.path, (written_at, written_at))
        created_at = members.instant(*front_matter.CREATED)
        updated_at = members.instant(*front_matter.UPDATED) or last
        created_at = created_at or min(first, updated_at)
        return created_at, max(created_at, updated_at)


def _text(location: Path) -> str:
    """The text of a file. Raises ValueError saying what is wrong with it, OSError."""
    with location.open("rb") as file:
        content = file.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise ValueError(f"is longer than {LONGEST >> 20} MiB")
    try:
        text = content.decode().removeprefix(BOM)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"is not UTF-8: byte {error.start}, line {line}") from None
    if "\0" in text:
        raise ValueError(f"holds a NUL character: character {text.index(chr(0))}")
    return text


def _title(members: FrontMatter, content: str, entry: Entry) -> str:
    heading = first_heading(content) if _format(entry) == "markdown" else None
    return members.text("title") or heading or entry.location.stem


def _is_unpublished(members: FrontMatter) -> bool:
    return members.flag("publish") is False or members.flag("draft") is True
