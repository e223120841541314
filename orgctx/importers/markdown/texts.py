"""Convert Markdown and other texts of a folder.

The id of a document is derived from its path, so that edits keep it. Texts stay as they are, except
that Markdown loses its front matter, and that includes and shortcodes are replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from orgctx.importers.folder.document_set import Document, DocumentSet
from orgctx.importers.folder.inputs import Input
from orgctx.importers.folder.walk import Entry
from orgctx.importers.markdown import front_matter, obsidian
from orgctx.importers.markdown.front_matter import BrokenFrontMatter, FrontMatter
from orgctx.importers.markdown.git_dates import History, read_history
from orgctx.importers.markdown.includes import Includes
from orgctx.importers.markdown.page_dates import page_dates
from orgctx.importers.markdown.publishing import Publishing
from orgctx.importers.markdown.text_file import format_of, read, read_front_matter
from orgctx.importers.markdown.titles import Titles
from orgctx.importers.records import Progress, Record, modified_at, written_at
from orgctx.importers.report import Report
from orgctx.importers.time_limit import TookTooLong, time_limit

# Front matter to append to the text, so that a search finds it.
SEARCHABLE = ("description", "summary", "aliases", "tags", "keywords", "categories")


class Texts:
    """The texts of a folder.

    entries: all files of the folder; those of other formats may hold configuration. The other
    arguments are those of `formats.importer.records`.
    """

    def __init__(
        self,
        path: Path,
        entries: Sequence[Entry],
        report: Report,
        history: Path | None,
        include_drafts: bool,
        progress: Progress,
    ) -> None:
        self._path, self._report, self._progress = path, report, progress
        self._includes_drafts = include_drafts
        self._texts = [entry for entry in entries if format_of(entry)]
        self._history = read_history(path, [entry.path for entry in self._texts], report, history)
        self.publishing = Publishing.of(path, entries, read_front_matter, report)
        self._includes = Includes(path.resolve().name, entries, self.publishing, report)

    def input(self) -> Input:
        times = [written_at(entry.status()) for entry in self._texts]
        collected_at = self._history.committed_at or max(times, default=modified_at(self._path))
        paths = [entry.path for entry in self._texts]
        return Input("markdown", paths, collected_at, self._records)

    def _records(self, documents: DocumentSet) -> Iterator[Record]:
        is_vault = obsidian.is_vault(self._path)
        reader = _Reader(
            self.publishing,
            self._history,
            self._report,
            self._includes_drafts,
            is_vault,
            self._includes,
            Titles(documents.label, [entry.path for entry in self._texts], is_vault=is_vault),
        )
        for entry in self._texts:
            self._report.read += 1
            try:
                self._progress(entry.status().st_size)
                with time_limit():
                    document = reader.document(entry)
            except (OSError, ValueError, BrokenFrontMatter, TookTooLong) as error:
                self._report.refuse(entry.path, _reason(error))
                documents.keep(entry.path)
                continue
            if document:
                yield from documents.add(document)


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
    includes: Includes
    titles: Titles

    def document(self, entry: Entry) -> Document | None:
        """Read a file. Returns None, after reporting why, if it is not published.

        Raises OSError, BrokenFrontMatter, and ValueError with the reason.
        """
        reason = self.publishing.path_reason(entry)
        if reason and not self.includes_drafts:  # also if its front matter is broken
            self.report.skip(reason, entry.path)
            return None
        front, content = read(entry)
        is_markdown = format_of(entry) == "markdown"
        reason = self.publishing.reason(entry, front)
        if reason and not self.includes_drafts:
            self.report.skip(reason, entry.path)
            return None
        if is_markdown:
            content = self.includes.expand(entry, front, content)
        if self.is_vault and is_markdown:
            content = obsidian.plain(content)
        committed = self.history.dates.get(entry.path)
        created_at, updated_at = page_dates(entry, front, committed, self.report)
        return Document(
            path=entry.path,
            title=self.titles.title(entry, front, content),
            content=content + _searchable(front, content) if is_markdown else content,
            content_format=format_of(entry) or "",
            created_at=created_at,
            updated_at=updated_at,
            visibility=front_matter.visibility_of(front, "") or None,
            is_archived=front.flag("archived") is True,
            is_draft=reason is not None,
        )


def _searchable(front: FrontMatter, content: str) -> str:
    """Format the searchable front matter as a list to append to the text."""
    lines = []
    for name in SEARCHABLE:
        words = [word for word in front_matter.texts_of(front.get(name)) if word not in content]
        if words:
            lines.append(f"- {name.capitalize()}: {', '.join(words)}\n")
    before = "\n" if content.endswith("\n") else "\n\n"
    return f"{before}---\n\n{''.join(lines)}" if lines else ""
