"""Convert the documents of one import to records, with ids, parts and deletions."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from orgctx.importers.folder.conversion import Converted
from orgctx.importers.records import Record, Target, not_later
from orgctx.importers.report import Report
from orgctx.schemas.formats import instant_text
from orgctx.schemas.text import utf16_length

# The highest offset that a client may request, in UTF-16 code units.
MAX_UNITS = 10_000_000
# The loader rejects the whole load if a title is longer.
LONGEST_TITLE = 512


@dataclass(frozen=True, slots=True)
class ItemKind:
    """What the files of a folder become: documents or team notes."""

    kind: str
    prefix: str
    source: str
    visibility: str
    description: str


ITEM_KINDS = {
    "docs": ItemKind("docs", "docs", "docs", "public", "Documents from a folder."),
    "notes": ItemKind("notes", "note", "team", "team", "Team notes from a folder."),
}


@dataclass(slots=True)
class DocumentSet:
    """The documents of one import. Stored ones of the source that it lacks are deleted."""

    item_kind: ItemKind
    target: Target
    label: str  # of the source
    report: Report
    keeps_missing: bool
    _kept: set[str] = field(default_factory=set)

    def id(self, path: str, part: int = 1) -> str:
        """Return the id of a document, or of one of its later parts."""
        return f"{self.item_kind.prefix}:{self.target.path_id(path, part)}"

    def keep(self, path: str) -> None:
        """Keep the stored version of a document that cannot be read."""
        self._kept.update(self._ids(path))

    def add(
        self, path: str, document: Converted, created_at: datetime, updated_at: datetime
    ) -> Iterator[Record]:
        """Yield the records of a document, one for each part. path: determines the id."""
        created_at, updated_at = not_later(created_at), not_later(updated_at)
        times = {"createdAt": instant_text(created_at), "updatedAt": instant_text(updated_at)}
        texts = parts(document.content)
        for number, text in enumerate(texts, 1):
            id_ = self.id(path, number)
            self._kept.add(id_)
            title = document.title[:LONGEST_TITLE]
            if len(texts) > 1:
                title = f"{title[: LONGEST_TITLE - 20]} ({number} of {len(texts)})"
            data = self._data(document, id_, title, text) | times
            yield self.target.record("knowledge", data)

    def deletions(self) -> Iterator[Record]:
        """Yield deletions of the stored documents that are missing; call it after `add`."""
        ids = self.target.existing.ids
        missing_ids = frozenset() if self.keeps_missing else ids - self._kept
        yield from self.target.deletions("knowledge", missing_ids, self.report)

    def _ids(self, path: str) -> Iterator[str]:
        """Yield the ids of a document and of its stored parts."""
        part = 1
        while (id_ := self.id(path, part)) in self.target.existing.ids or part == 1:
            yield id_
            part += 1

    def _data(self, document: Converted, id_: str, title: str, content: str) -> dict[str, Any]:
        visibility = document.visibility or self.item_kind.visibility
        return {
            "id": id_,
            "source": self.item_kind.source,
            "title": title,
            "content": content,
            "contentFormat": document.content_format,
            "visibility": "team" if document.is_draft else visibility,
            "archived": document.is_archived,
            "sourceStatus": "draft" if document.is_draft else "current",
            "sourceLabel": self.label,
            "sourceHref": document.href,
        }


def parts(text: str, limit: int = MAX_UNITS) -> list[str]:
    """Split a text into parts of at most `limit` UTF-16 code units; joined, they are the text.

    Each part ends after a line, or a character if a line is longer.
    """
    found, start = list[str](), 0
    while start < len(text):
        end = min(start + limit, len(text))
        while (over := utf16_length(text[start:end]) - limit) > 0:
            end -= (over + 1) // 2
        if end < len(text):
            end = text.rfind("\n", start, end) + 1 or end
        found.append(text[start:end])
        start = end
    return found
