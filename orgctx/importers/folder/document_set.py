"""Convert the documents of one import to records, with ids, parts, renames and deletions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid5

from orgctx.importers.deletions import OLDER
from orgctx.importers.existing import Existing
from orgctx.importers.folder.parts import parts
from orgctx.importers.folder.renames import Renames
from orgctx.importers.records import Record, Target
from orgctx.importers.report import Report
from orgctx.schemas.formats import instant_text

# The loader rejects the whole load if a title is longer.
LONGEST_TITLE = 512
DIGEST_BYTES = 16
SUPPRESSED = "suppressed under a former name; import it without --as-bundle"


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


@dataclass(frozen=True, slots=True)
class Document:
    """A document of the import."""

    path: str  # determines the id
    title: str
    content: str
    content_format: str
    created_at: datetime
    updated_at: datetime
    visibility: str | None = None  # None: the default of its kind
    is_archived: bool = False
    is_draft: bool = False


@dataclass(slots=True)
class DocumentSet:
    """The documents that one importer makes. It deletes no stored document of another importer.

    importer: its name, a package of orgctx.importers.
    collected_at: when the folder or export was collected.
    """

    item_kind: ItemKind
    target: Target
    label: str  # of the source
    report: Report
    keeps_missing: bool = False
    importer: str = field(kw_only=True)
    collected_at: datetime = field(kw_only=True)
    _own_ids: frozenset[str] = field(init=False)
    _kept: set[str] = field(default_factory=set)
    _renames: Renames = field(init=False)
    _digests: set[bytes] = field(default_factory=set)  # of all texts so far
    _copies: int = 0  # texts that are equal to an earlier one
    _copy: str = ""  # the path of the first copy

    def begin(self, paths: Iterable[str], other_paths: Iterable[str]) -> AbstractSet[str]:
        """Register the paths of all documents; call it before `add`.

        Args:
            other_paths: files that other importers read. Their stored documents are kept.

        Returns:
            The ids of the stored documents that this importer may have made.
        """
        ids = {self.id(path) for path in paths}
        other_ids = {id_ for path in other_paths for id_ in self._ids(path)}
        self._own_ids = frozenset(id_ for id_ in self.existing.ids if self._is_own(id_, other_ids))
        self._renames = Renames(self.existing, ids | (self.existing.ids - self._own_ids))
        return self._own_ids

    @property
    def existing(self) -> Existing:
        return self.target.existing

    def id(self, path: str, part: int = 1) -> str:
        """Return the id of a document, or of one of its later parts."""
        name = f"{self.target.source_id}:{path}" + (f"\0{part}" if part > 1 else "")
        return f"{self.item_kind.prefix}:{uuid5(UUID(self.target.organization_id), name)}"

    def keep(self, path: str) -> None:
        """Keep the stored version of a document that cannot be read."""
        for id_ in self._ids(path):
            self._kept.add(id_)

    def add(self, document: Document) -> Iterator[Record]:
        """Yield the records of a document, one for each part; none for an empty one."""
        if not document.content.strip():
            self.report.skip("empty page", document.path)
            return
        self._count_copy(document)
        texts = parts(document.content)
        for number, text in enumerate(texts, 1):
            id_ = self.id(document.path, number)
            if self.target.holds("knowledge", id_, self.collected_at, is_state=True):
                self.report.skip(OLDER, document.path)
                self._kept.add(id_)
                continue
            if not self._may_load(id_, text, document.path):
                continue
            self._keep(id_)
            title = document.title[:LONGEST_TITLE]
            if len(texts) > 1:
                title = f"{title[: LONGEST_TITLE - 20]} ({number} of {len(texts)})"
            yield self.target.record("knowledge", self._data(document, id_, title, text))

    def deletions(self) -> Iterator[Record]:
        """Yield deletions of the stored documents that are missing; call it after `add`."""
        if self._copies:
            self.report.note(
                f"{self._copies:,} documents have the text of another one, such as {self._copy}"
            )
        missing_ids = () if self.keeps_missing else self._own_ids - self._kept
        yield from self.target.deletions("knowledge", missing_ids, self.collected_at, self.report)

    def _ids(self, path: str) -> Iterator[str]:
        """Yield the ids of a document and of its stored parts."""
        part = 1
        while (id_ := self.id(path, part)) in self.existing.ids or part == 1:
            yield id_
            part += 1

    def _is_own(self, id_: str, other_ids: AbstractSet[str]) -> bool:
        """Return whether this importer may have made a stored document."""
        importer = self._importer_of(id_)
        return importer == self.importer or (importer is None and id_ not in other_ids)

    def _importer_of(self, id_: str) -> str | None:
        item = self.existing.items.get(id_)
        return item.importer if item else None

    def _keep(self, id_: str) -> None:
        self._kept.add(id_)
        if self._importer_of(id_) != self.importer:
            self.existing.importers[id_] = self.importer

    def _count_copy(self, document: Document) -> None:
        digest = sha256(document.content.strip().encode()).digest()[:DIGEST_BYTES]
        if digest in self._digests:
            self._copies += 1
            self._copy = self._copy or document.path
        self._digests.add(digest)

    def _may_load(self, id_: str, content: str, path: str) -> bool:
        """Return whether to load a text. A renamed document keeps its suppression."""
        if id_ in self.existing.ids or (former_id := self._renames.former_id(content)) is None:
            return True
        item = self.existing.items[former_id]
        # Also if the item is not suppressed: an operator may suppress it before the load ends.
        is_carried = self.existing.carry_suppression(former_id, id_)
        if item.suppressed is not None and not is_carried:
            self.report.skip(SUPPRESSED, path)
            return False
        self.report.rename(f"{item.title} ({former_id})", path)
        return True

    def _data(self, document: Document, id_: str, title: str, content: str) -> dict[str, Any]:
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
            "sourceHref": None,
            "createdAt": instant_text(document.created_at),
            "updatedAt": instant_text(document.updated_at),
        }
