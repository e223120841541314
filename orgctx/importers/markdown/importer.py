"""Convert a folder of Markdown and other hand-written texts to documents or team notes.

A file's id is derived from its path, so that edits keep it. Texts are not changed, except that
the front matter of Markdown is removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from orgctx.importers.existing import Existing
from orgctx.importers.folder.git_dates import History, read_history
from orgctx.importers.folder.headings import first_heading, title_of
from orgctx.importers.folder.library import FORMS, Document, Library
from orgctx.importers.folder.walk import Entry, walk
from orgctx.importers.markdown import front_matter, notion, obsidian
from orgctx.importers.markdown.front_matter import BrokenFrontMatter, FrontMatter
from orgctx.importers.markdown.publishing import Publishing
from orgctx.importers.records import Progress, Record, Target, modified_at, no_progress
from orgctx.importers.report import Report

FORMATS = {
    **dict.fromkeys(
        (".md", ".markdown", ".mdown", ".mkdown", ".mkdn", ".mkd", ".mdwn", ".mdx"), "markdown"
    ),
    **dict.fromkeys((".txt", ".text", ".rst", ".adoc", ".asciidoc", ".org"), "plain_text"),
}
LONGEST = 64 * 1024 * 1024
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
# Members of front matter that a search should find although the page does not show them.
SEARCHED = ("description", "summary", "aliases", "tags", "keywords", "categories")


def records(
    path: Path,
    *,
    organization_id: str,
    source_id: str,
    report: Report,
    existing: Existing,
    library: str = "docs",
    history: Path | None = None,
    exclude: Sequence[str] = (),
    include_drafts: bool = False,
    allow_empty: bool = False,
    keep_missing: bool = False,
    stale_after_seconds: int | None = None,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """The source, the files by path, and deletions of stored items whose file is gone.

    path: a folder, or a Notion export as a .zip. library: docs or notes. history: a folder above
    with the repository that dates the files; without it, only one that begins in the folder is
    read. exclude: patterns as in .gitignore. include_drafts: load unpublished files as drafts for
    the team. allow_empty: let an empty folder delete everything; keep_missing: delete nothing.
    If a file is refused, its stored item stays. Raises ImportRefused.
    """
    form = FORMS[library]
    target = Target(organization_id, source_id, existing, stale_after_seconds)
    gone = {"allow_empty": allow_empty, "keep_missing": keep_missing}
    if path.is_file():
        yield from notion.records(path, form, target, report, **gone)
        return
    entries = [entry for entry in walk(path, report, exclude) if not entry.is_folder]
    texts = [entry for entry in entries if _format(entry)]
    past = read_history(path, [entry.path for entry in texts], report, history)
    times = [modified_at(entry.location) for entry in texts]
    collected_at = past.at or max(times, default=modified_at(path))
    source = target.source(form.kind, path.resolve().name or "/", form.description, collected_at)
    shelf = Library(form, target, source["data"]["label"], report, keep_missing)
    shelf.begin((entry.path for entry in texts), allow_empty=allow_empty)
    publishing = Publishing.of(path, entries, _front_matter)
    reader = _Reader(publishing, past, report, include_drafts, obsidian.is_vault(path))
    yield source
    for entry in entries:
        progress(entry.location.stat().st_size)
        if _format(entry) is None:
            suffix = entry.location.suffix.lower()
            report.skip(f"unsupported type: {suffix or 'no ending'}", entry.path)
            continue
        report.read += 1
        try:
            document = reader.document(entry)
        except (OSError, ValueError, BrokenFrontMatter) as error:
            report.refuse(entry.path, _reason(error))
            shelf.keep(entry.path)
            continue
        if document:
            yield from shelf.add(document)
    yield from shelf.deletions()


def _format(entry: Entry) -> str | None:
    return FORMATS.get(entry.location.suffix.lower())


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror}"
    return str(error)


@dataclass(frozen=True, slots=True)
class _Reader:
    publishing: Publishing
    history: History
    report: Report
    includes_drafts: bool
    is_vault: bool

    def document(self, entry: Entry) -> Document | None:
        """Read a file; None, with a report, if it is not published.

        Raises OSError, ValueError or BrokenFrontMatter naming the fault.
        """
        front, content = _read(entry)
        is_markdown = _format(entry) == "markdown"
        reason = self.publishing.reason(entry, front)
        if reason and not self.includes_drafts:
            self.report.skip(reason, entry.path)
            return None
        heading = first_heading(content) if is_markdown else None
        title = front.text("title") or heading or title_of(content, entry.location.suffix.lower())
        if self.is_vault and is_markdown:
            content = obsidian.plain(content)
        created_at, updated_at = self._times(entry, front)
        return Document(
            path=entry.path,
            title=title or entry.location.stem,
            content=content + _searched(front, content) if is_markdown else content,
            content_format=_format(entry) or "",
            created_at=created_at,
            updated_at=updated_at,
            visibility=front_matter.visibility_of(front, "") or None,
            is_archived=front.flag("archived") is True,
            is_draft=reason is not None,
        )

    def _times(self, entry: Entry, front: FrontMatter) -> tuple[datetime, datetime]:
        """The times from the front matter, else the history, else the file."""
        written_at = modified_at(entry.location)
        first, last = self.history.dates.get(entry.path, (written_at, written_at))
        updated_at = front.instant(*front_matter.UPDATED) or last
        created_at = front.instant(*front_matter.CREATED) or min(first, updated_at)
        return created_at, max(created_at, updated_at)


def _read(entry: Entry) -> tuple[FrontMatter, str]:
    """The front matter of a file, and its content without it.

    Other texts keep their header, which also says whether they are published.
    """
    text = _text(entry.location)
    if _format(entry) == "markdown":
        return front_matter.split(text)
    try:
        front, _ = front_matter.split(text)
    except BrokenFrontMatter:
        front = FrontMatter({})
    return FrontMatter({**front_matter.fields(text), **front.members}), text


def _front_matter(entry: Entry) -> FrontMatter | None:
    try:
        return _read(entry)[0] if _format(entry) else FrontMatter({})
    except (OSError, ValueError, BrokenFrontMatter):
        return None


def _text(location: Path) -> str:
    """The text of a file. Raises ValueError naming the fault, OSError."""
    with location.open("rb") as file:
        content = file.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise ValueError(f"is longer than {LONGEST >> 20} MiB")
    return decoded(content)


def decoded(content: bytes) -> str:
    """Decode bytes to text. Raises ValueError naming the fault."""
    try:
        text = content.decode().removeprefix(BOM)
    except UnicodeDecodeError as error:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise ValueError("is UTF-16: save it as UTF-8") from None
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"is not UTF-8: byte {error.start}, line {line}") from None
    if "\0" in text:
        raise ValueError(f"holds a NUL character: character {text.index(chr(0))}")
    return text


def _searched(front: FrontMatter, content: str) -> str:
    """Searchable members of the front matter, as a list to append to the text."""
    lines = []
    for name in SEARCHED:
        words = [word for word in front_matter.words_of(front.get(name)) if word not in content]
        if words:
            lines.append(f"- {name.capitalize()}: {', '.join(words)}\n")
    before = "\n" if content.endswith("\n") else "\n\n"
    return f"{before}---\n\n{''.join(lines)}" if lines else ""
