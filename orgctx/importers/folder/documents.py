"""Convert the documents of one import to records, with ids, parts, renames and deletions."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import InitVar, dataclass, field
from datetime import datetime
from functools import cache, partial
from hashlib import sha256
from itertools import chain, islice, pairwise
from typing import Any, NamedTuple

from orgctx.importers.existing import OLDER, Existing, StoredItem
from orgctx.importers.folder.conversion import Converted
from orgctx.importers.folder.titles import heading_starts
from orgctx.importers.records import Record, Target, not_later
from orgctx.importers.report import Report
from orgctx.schemas.formats import instant_text
from orgctx.schemas.text import CJK, fold, utf16_length

# The highest offset that a client may request, in UTF-16 code units.
MAX_UNITS = 10_000_000
# Two texts are versions of one document if at least this share of their words is equal, whatever
# their lines, case, spaces and marks, and half as large a share of the pairs of words, or if nearly
# all words are equal.
MIN_SIMILARITY = 0.5
# A text of another source under another title is the same at this share of equal words.
MIN_EQUALITY = 0.9
# Thai, Lao, Tibetan, Burmese and Khmer, which also write no spaces between words.
JOINED = "\u0e00-\u109f\u1780-\u17ff"
SPACE = re.compile(f"(?<=[{JOINED}])\\s+(?=[{JOINED}])")
# A character of Chinese or Japanese counts as a word, and one of the others with the next three.
WORD = re.compile(f"[{CJK}]|(?=([{JOINED}]{{1,4}}))[{JOINED}]|[^\\W_{CJK}{JOINED}]+")
PART = re.compile(r" \(\d+ of \d+\)\Z")
WITHOUT_WIDTH = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
# The loader rejects the whole load if a title is longer.
LONGEST_TITLE = 512
DIGEST_BYTES = 16
# Of the words of a text, and of their pairs, so many are compared.
MOST_COUNTED = 4_000
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
    new_words: InitVar[dict[str, "Words"]]
    importer: str
    collected_at: datetime
    paths: InitVar[AbstractSet[str]]
    # The ids of the stored documents that this importer may have made.
    own_ids: frozenset[str] = field(init=False)
    _kept: set[str] = field(default_factory=set)
    _carried: set[str] = field(default_factory=set)  # former ids
    _renames: "Renames" = field(init=False)
    _digests: set[bytes] = field(default_factory=set)  # of all texts so far
    # By path, whether a new document with the text of a file would be suppressed.
    _suppressed: dict[str, bool] = field(default_factory=dict)
    _copies: int = 0  # texts that are equal to an earlier one
    _copy: str = ""  # the path of the first copy

    def __post_init__(
        self,
        all_paths: Iterable[str],
        new_words: dict[str, "Words"],
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
            self._copies += 1
            self._copy = self._copy or path
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
        if self._copies:
            self.report.note(
                f"{self._copies:,} documents have the text of another one, such as {self._copy}"
            )
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
        # Also if the item is not suppressed: an operator may suppress it before the load ends.
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


class Renames:
    """The stored documents whose names no longer exist, and all suppressed ones.

    A suppressed document is detected even if it was edited when it was renamed.
    """

    def __init__(
        self, existing: Existing, contents: AbstractSet[str], new_words: dict[str, "Words"]
    ) -> None:
        self.items = {**existing.items, **existing.suppressed}
        self.suppressed = {id_ for id_, item in self.items.items() if item.is_suppressed}
        missing = existing.items.keys() - contents
        self._missing = missing & self.suppressed
        # Those whose file is still there, or that another importer made.
        others = sorted((self.suppressed & existing.items.keys()) - missing)
        ids = (*sorted(self._missing), *sorted(existing.suppressed), *others)
        self._titles = {id_: PART.sub("", self.items[id_].title) for id_ in ids}
        # If several stored texts are equal, prefer a readable one whose name no longer exists: who
        # reads the source has read it, and nobody hides it by a suppressed file with its text.
        self._gone = sorted(missing - self.suppressed)
        equal = (*others, *sorted(self._missing), *self._gone)
        self._by_digest = {self.items[id_].digest: id_ for id_ in equal}
        # Computed for the first text that is new or has changed.
        self._words = cache(lambda id_: _words(existing.content(id_)))
        self._new_words = new_words

    def former_id(self, content: str, title: str, stored_id: str | None = None) -> str | None:
        """Return the former id of a text, or None.

        If it is new in its source, that is a stored document with the same text whose name no
        longer exists. Else it is a suppressed one with nearly all of its words, or with half of
        them if it has the same title or, for a new text, if its name no longer exists. A text is no
        suppressed one if it tells little of what was not readable under its name, or one that is
        gone.

        Args:
            stored_id: of the stored document whose text changes.
        """
        is_new = stored_id is None and bool(content.strip())
        if is_new and (former_id := self._by_digest.get(sha256(content.encode()).digest())):
            return former_id
        text = _words(content) if self._titles else NO_WORDS
        readable = [stored_id] if stored_id else self._gone
        for id_, its_title in self._titles.items():
            is_renamed = its_title == title or (is_new and id_ in self._missing)
            share = MIN_SIMILARITY if is_renamed else MIN_EQUALITY
            for words in filter(None, (self._words(id_), self._new_words.get(id_))):
                if _are_similar(text, words, share) and all(
                    _tells(text, words, _words(its_title), self._words(each)) for each in readable
                ):
                    return id_
        return None

    def add_text(self, id_: str, text: str) -> bool:
        """Recognize the new text of a suppressed document, too.

        Returns whether it is a version of the stored text, if there is one.
        """
        stored, words = self._words(id_), _words(text)
        self._new_words[id_] = words
        return stored == NO_WORDS or _are_similar(words, stored)

    def contains(self, text: str, id_: str) -> bool:
        """Return whether a stored document has at least half of the words of a text, in order."""
        words, pairs = zip(self._words(id_), _words(text), strict=True)
        is_in_order = _part(*pairs) >= MIN_SIMILARITY / 2 or not pairs[1].counts
        return is_in_order and _part(*words) >= MIN_SIMILARITY


class Sample(NamedTuple):
    """How often a text has something, by hash; of much, only what has a hash without these bits."""

    counts: Counter[int]
    bits: int = 0


class Words(NamedTuple):
    """How often a text has each word, and each pair of words that follow each other."""

    words: Sample
    pairs: Sample


NO_WORDS = Words(Sample(Counter()), Sample(Counter()))


def _words(text: str) -> Words:
    if not text.strip():
        return NO_WORDS
    text = SPACE.sub("", fold(WITHOUT_WIDTH.sub("", text)))
    words, pairs = ((match[1] or match[0] for match in WORD.finditer(text)) for _ in range(2))
    first = next(words, text.strip())
    return Words(_sample(chain([first], words)), _sample(pairwise(pairs)))


def _sample(values: Iterable[Hashable]) -> Sample:
    """Count values, in memory for a bounded number of them."""
    counts, bits = Counter[int](), 0
    hashes = map(hash, values)
    while batch := [*islice(hashes, MOST_COUNTED)]:
        counts.update(each for each in batch if not each & bits)
        while len(counts) > MOST_COUNTED:
            bits = bits << 1 | 1
            counts = _with(counts, bits)
    return Sample(counts, bits)


def _with(counts: Counter[int], bits: int) -> Counter[int]:
    return Counter({each: count for each, count in counts.items() if not each & bits})


def _share(left: Sample, right: Sample) -> float:
    """Return the share of the longer text that both have."""
    return min(_part(left, right), _part(right, left))


def _part(whole: Sample, text: Sample) -> float:
    """Return the share of a text that another one has, too."""
    others, counts = (_with(each.counts, whole.bits | text.bits) for each in (whole, text))
    return (counts & others).total() / max(counts.total(), 1)


def _tells(text: Words, suppressed: Words, title: Words, readable: Words) -> bool:
    """Return whether a text has most of what a suppressed one has and a readable one lacks.

    Its title does not count. Words alone may be common ones: they have to be in the same order, or
    half of what the text newly has.
    """
    kept = Words(*map(_without, suppressed, title))
    lacking = Words(*map(_without, kept, readable))
    tells_pairs = _part(text.pairs, lacking.pairs) > MIN_SIMILARITY
    if not lacking.words.counts:
        return tells_pairs and _part(readable.pairs, suppressed.pairs) < MIN_EQUALITY
    new = _without(text.words, readable.words)
    is_in_order = tells_pairs or _part(lacking.words, new) >= MIN_SIMILARITY
    return is_in_order and _part(text.words, lacking.words) > MIN_SIMILARITY


def _without(left: Sample, right: Sample) -> Sample:
    """Return what the left text has more often than the right one."""
    bits = left.bits | right.bits
    return Sample(_with(left.counts, bits) - _with(right.counts, bits), bits)


def _are_similar(left: Words, right: Words, share: float = MIN_SIMILARITY) -> bool:
    words, pairs = (_share(*samples) for samples in zip(left, right, strict=True))
    is_in_order = pairs >= share / 2 or not right.pairs.counts
    return words >= share and (is_in_order or words >= MIN_EQUALITY)


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
