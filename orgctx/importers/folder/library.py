"""Convert documents to records: ids, parts, renames and deletions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from orgctx.importers.existing import Existing
from orgctx.importers.folder.parts import parts
from orgctx.importers.folder.renames import Renames
from orgctx.importers.records import Record, Target
from orgctx.importers.report import ImportRefused, Report
from orgctx.schemas.formats import instant_text

# The loader refuses longer titles, and with them the whole load.
LONGEST_TITLE = 512
HELD_BACK = "suppressed under another name; load it without --as-bundle"


@dataclass(frozen=True, slots=True)
class Form:
    """The kind of item that a folder is converted to."""

    kind: str
    prefix: str
    source: str
    visibility: str
    description: str


FORMS = {
    "docs": Form("docs", "docs", "docs", "public", "Documents from a folder."),
    "notes": Form("notes", "note", "team", "team", "Team notes from a folder."),
}


@dataclass(frozen=True, slots=True)
class Document:
    """path: its id is derived from it. visibility: None for that of its library."""

    path: str
    title: str
    content: str
    content_format: str
    created_at: datetime
    updated_at: datetime
    visibility: str | None = None
    is_archived: bool = False
    is_draft: bool = False


@dataclass(slots=True)
class Library:
    """The documents of one import. label: of their source."""

    form: Form
    target: Target
    label: str
    report: Report
    keeps_missing: bool = False
    _kept: set[str] = field(default_factory=set)
    _renames: Renames = field(init=False)

    def begin(self, paths: Iterable[str], *, allow_empty: bool) -> None:
        """Set the paths before any of them is read. Raises ImportRefused if there are none and
        all stored documents would be deleted."""
        ids = {self.id(path) for path in paths}
        if not ids and self.existing.ids and not (allow_empty or self.keeps_missing):
            raise ImportRefused(
                self.label,
                f"holds no document, and {len(self.existing.ids):,} are stored: check the path, "
                "or give --allow-empty to delete them",
            )
        self._renames = Renames(self.existing, ids)

    @property
    def existing(self) -> Existing:
        return self.target.existing

    def id(self, path: str, part: int = 1) -> str:
        """The id of a document or of one of its further parts."""
        name = f"{self.target.source_id}:{path}" + (f"\0{part}" if part > 1 else "")
        return f"{self.form.prefix}:{uuid5(UUID(self.target.organization_id), name)}"

    def keep(self, path: str) -> None:
        """Keep the stored version of a document that could not be read."""
        part = 1
        while (id_ := self.id(path, part)) in self.existing.ids or part == 1:
            self._kept.add(id_)
            part += 1

    def add(self, document: Document) -> Iterator[Record]:
        """The records of a document, one for each part."""
        pieces = parts(document.content)
        for number, piece in enumerate(pieces, 1):
            id_ = self.id(document.path, number)
            if not self._is_let_in(id_, piece, document.path):
                continue
            self._kept.add(id_)
            title = document.title[:LONGEST_TITLE]
            if len(pieces) > 1:
                title = f"{title[: LONGEST_TITLE - 20]} ({number} of {len(pieces)})"
            yield self.target.record("knowledge", self._data(document, id_, title, piece))

    def deletions(self) -> Iterator[Record]:
        """Deletions of stored documents that were not found."""
        gone = () if self.keeps_missing else self.existing.ids - self._kept
        yield from self.target.deletions("knowledge", gone, self.report)

    def _is_let_in(self, id_: str, content: str, path: str) -> bool:
        """Whether a text may be loaded: suppressed texts stay suppressed under a new name."""
        if id_ in self.existing.ids or (before := self._renames.before(content)) is None:
            return True
        item = self.existing.items[before]
        # Of any renamed item, because somebody may suppress it before the load.
        is_carried = self.existing.carry_suppression(before, id_)
        if item.suppressed is not None and not is_carried:
            self.report.skip(HELD_BACK, path)
            return False
        self.report.rename(f"{item.title} ({before})", path)
        return True

    def _data(self, document: Document, id_: str, title: str, content: str) -> dict[str, Any]:
        visibility = document.visibility or self.form.visibility
        return {
            "id": id_,
            "source": self.form.source,
            "title": title,
            "content": content,
            "contentFormat": document.content_format,
            "visibility": "team" if document.is_draft else visibility,
            "archived": document.is_archived,
            "sourceStatus": "draft" if document.is_draft else "current",
            "sourceLabel": self.label,
            "sourceHref": None,
            "createdAt": instant_text(document.created_at),
            "updatedAt": instant_text(document.updated_at),
        }
