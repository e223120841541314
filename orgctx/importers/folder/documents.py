"""Convert the documents of one import to records, with ids, parts, renames and deletions."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import InitVar, dataclass, field
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any

from orgctx.importers.existing import OLDER, Existing, StoredItem
from orgctx.importers.folder.conversion import Converted
from orgctx.importers.folder.renames import Renames, Words
from orgctx.importers.folder.titles import heading_starts
from orgctx.importers.records import Record, Target, not_later
from orgctx.importers.report import Report
from orgctx.schemas.formats import instant_text
from orgctx.schemas.text import utf16_length

# The highest offset that a client may request, in UTF-16 code units.
MAX_UNITS = 10_000_000
# The loader rejects the whole load if a title is longer.
LONGEST_TITLE = 512
DIGEST_BYTES = 16
MISSING = "suppressed document kept, although its file is missing"
# Former texts of a suppressed document that are stored beside it.
MOST_FORMER = 10
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


@dataclass(slots=True)
class DocumentSet:
    """The documents that one importer makes. It deletes no stored document of another importer.

    new_words: of the suppressed documents that this import changes, by id; filled by all importers.
    importer: its name.
    collected_at: when the folder or export was collected.
    paths: of the documents, which determine their ids.
    all_paths: of all files. What others read is stored and kept.
    """

    item_kind: ItemKind
    target: Target
    label: str  # of the source
    report: Report
    all_paths: InitVar[Iterable[str]]
    keeps_missing: bool
    new_words: InitVar[dict[str, Words]]
    importer: str
    collected_at: datetime
    paths: InitVar[AbstractSet[str]]
    # The ids of the stored documents that this importer may have made.
    own_ids: frozenset[str] = field(init=False)
    _kept: set[str] = field(default_factory=set)
    _carried: set[str] = field(default_factory=set)  # former ids
    _renames: Renames = field(init=False)
    _digests: set[bytes] = field(default_factory=set)  # of all texts so far
    # By path, whether a new document with the text of a file would be suppressed.
    _suppressed: dict[str, bool] = field(default_factory=dict)
    _copies: dict[str, None] = field(default_factory=dict)  # paths of texts that came before
    _changed: dict[str, None] = field(default_factory=dict)  # paths of suppressed documents

    def __post_init__(
        self,
        all_paths: Iterable[str],
        new_words: dict[str, Words],
        paths: AbstractSet[str],
    ) -> None:
        ids = {self.id(path) for path in paths}
        others = (path for path in all_paths if path not in paths) if self.existing.ids else ()
        other_ids = {id_ for path in others for id_ in self._ids(path)}
        # What nobody is known to have made is its own, unless others have read the file.
        makers = {id_: self._importer_of(id_) for id_ in self.existing.ids}
        own = (id_ for id_, by in makers.items() if (by or self.importer) == self.importer)
        self.own_ids = frozenset(id_ for id_ in own if makers[id_] or id_ not in other_ids)
        contents = ids | (self.existing.ids - self.own_ids)
        self._renames = Renames(self.existing, contents, new_words)

    @property
    def existing(self) -> Existing:
        return self.target.existing

    def id(self, path: str, part: int = 1) -> str:
        """Return the id of a document, or of one of its later parts."""
        return f"{self.item_kind.prefix}:{self.target.path_id(path, part)}"

    def may_include(self, page: str, path: str, text: str, inserted: str) -> bool:
        """Return whether a page may contain what it includes of a file with a text.

        No page includes a file whose document is suppressed, or would be if it were new. But a
        suppressed page stays whole, so that its text is recognized elsewhere, and other pages keep
        what their stored text has, so that nobody takes it away by a page that is suppressed.
        """
        if self.is_suppressed(page):
            return True
        if of_file := self._stored(path):
            return not any(item.is_suppressed for item in of_file)
        if path not in self._suppressed:
            former_id = self._renames.former_id(text, "")
            self._suppressed[path] = former_id in self._renames.suppressed
        is_kept = partial(self._renames.contains, inserted)
        return not self._suppressed[path] or any(map(is_kept, self._ids(page)))

    def is_suppressed(self, path: str) -> bool:
        """Return whether all stored parts of a document are suppressed."""
        stored = self._stored(path)
        return bool(stored) and all(item.is_suppressed for item in stored)

    def has_suppressed(self, path: str) -> bool:
        """Return whether a stored part of a document is suppressed."""
        return any(item.is_suppressed for item in self._stored(path))

    def keep(self, path: str) -> None:
        """Keep the stored version of a document that cannot be read."""
        for id_ in self._ids(path):
            self._kept.add(id_)

    def add(
        self, path: str, document: Converted, created_at: datetime, updated_at: datetime
    ) -> Iterator[Record]:
        """Yield the records of a document, one for each part. path: determines the id."""
        created_at, updated_at = not_later(created_at), not_later(updated_at)
        times = {"createdAt": instant_text(created_at), "updatedAt": instant_text(updated_at)}
        digest = sha256(document.content.strip().encode()).digest()[:DIGEST_BYTES]
        if digest in self._digests:
            self._copies[path] = None
        self._digests.add(digest)
        texts = parts(document.content)
        for number, text in enumerate(texts, 1):
            id_ = self.id(path, number)
            if self.target.holds("knowledge", id_, self.collected_at, is_state=True):
                self.report.skip(OLDER, path)
                self._kept.add(id_)
                continue
            if not self._may_load(id_, text, document.title, path):
                continue
            self._kept.add(id_)
            former_id = self._former_id(id_, path, number, text)
            if former_id and not self.existing.carry_suppression(id_, former_id):
                self.report.skip(SUPPRESSED, path)
                continue
            if self._importer_of(id_) != self.importer:
                self.existing.importers[id_] = self.importer
            if former_id:
                self.existing.importers[former_id] = self.importer
                former = self.existing.content(id_)
                title = self.existing.items[id_].title
                data = self._data(document, former_id, title, former) | times
                yield self.target.record("knowledge", data)
            title = document.title[:LONGEST_TITLE]
            if len(texts) > 1:
                title = f"{title[: LONGEST_TITLE - 20]} ({number} of {len(texts)})"
            data = self._data(document, id_, title, text) | times
            yield self.target.record("knowledge", data)

    def deletions(self) -> Iterator[Record]:
        """Yield deletions of the stored documents that are missing; call it after `add`."""
        for paths, state in (
            (self._copies, "have the text of another one"),
            (self._changed, "changed, but stay suppressed"),
        ):
            if paths:
                count = f"{len(paths):,}, such as {next(iter(paths))}"
                self.report.note(f"Documents that {state}: {count}")
        missing_ids = frozenset() if self.keeps_missing else self.own_ids - self._kept
        # A suppressed text is kept to recognize it in another source, unless it was renamed.
        for id_ in sorted(missing_ids - self._carried):
            item = self.existing.items.get(id_)
            if item and item.is_suppressed:
                self.report.skip(MISSING, f"{item.title} ({id_})")
                missing_ids -= {id_}
        yield from self.target.deletions("knowledge", missing_ids, self.collected_at, self.report)

    def _ids(self, path: str) -> Iterator[str]:
        """Yield the ids of a document and of its stored parts."""
        part = 1
        while (id_ := self.id(path, part)) in self.existing.ids or part == 1:
            yield id_
            part += 1

    def _stored(self, path: str) -> list[StoredItem]:
        items = map(self.existing.items.get, self._ids(path))
        return [item for item in items if item]

    def _importer_of(self, id_: str) -> str | None:
        item = self.existing.items.get(id_)
        return item.importer if item else None

    def _may_load(self, id_: str, content: str, title: str, path: str) -> bool:
        """Return whether to load a text. A renamed or moved document keeps its suppression."""
        stored = self.existing.items.get(id_)
        if stored and stored.digest == sha256(content.encode()).digest():
            return True
        former_id = self._renames.former_id(content, title, id_ if stored else None)
        # A document that has grown has a new part.
        first_id = self.id(path)
        first = self.existing.items.get(first_id) if stored is None else None
        if former_id is None and first and first.is_suppressed:
            former_id = first_id
        if former_id is None or former_id == id_:
            return True
        item = self._renames.items[former_id]
        # Even if the item is not suppressed yet: an operator may suppress it before the load ends.
        is_carried = self.existing.carry_suppression(former_id, id_)
        if item.is_suppressed and not is_carried:
            self.report.skip(SUPPRESSED, path)
            return False
        self._carried.add(former_id)
        state = ", suppressed" if item.is_suppressed else ""
        self.report.rename(f"{item.title} ({former_id}){state}", path)
        return True

    def _former_id(self, id_: str, path: str, part: int, text: str) -> str | None:
        """Return the id for the stored text of a suppressed document that gets another text.

        Both stay suppressed, so that each is recognized under another name or in a page.
        """
        stored = self.existing.items.get(id_)
        is_changed = stored and stored.digest != sha256(text.encode()).digest()
        if not (stored and stored.is_suppressed and is_changed):
            return None
        self._changed[path] = None
        if self._renames.add_text(id_, text):
            return None
        ids = [self.id(f"{path}\0{part}", number) for number in range(1, MOST_FORMER + 1)]
        former = {each: self.existing.items.get(each) for each in ids}
        if any(item and item.digest == stored.digest for item in former.values()):
            return None
        return next((each for each, item in former.items() if item is None), ids[-1])

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
            "sourceHref": None,
        }


def parts(text: str, limit: int = MAX_UNITS) -> list[str]:
    """Split a text into parts of at most `limit` UTF-16 code units; joined, they are the text.

    Each part ends before a heading, else after an empty line, a line or a character.
    """
    if utf16_length(text) <= limit:
        return [text]
    headings, found, start = heading_starts(text), list[str](), 0
    while start < len(text):
        end = min(start + limit, len(text))
        while (over := utf16_length(text[start:end]) - limit) > 0:
            end -= (over + 1) // 2
        if end < len(text):
            ends = [offset for offset in headings if start < offset <= end][-1:]
            for separator in ("\n\n", "\n"):
                position = text.rfind(separator, start, end)
                ends += [position + len(separator)] if position >= 0 else []
            end = next(iter(ends), end)
        found.append(text[start:end])
        start = end
    return found
