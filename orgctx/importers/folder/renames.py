"""Recognize renamed documents, and suppressed ones that have another name, by their words."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from collections.abc import Set as AbstractSet
from functools import cache
from hashlib import sha256
from itertools import chain, islice, pairwise
from typing import NamedTuple
from unicodedata import combining, normalize

from orgctx.importers.existing import Existing
from orgctx.schemas.text import CJK

# Two texts are versions of one document if at least this share of their words is equal, whatever
# their lines, case, spaces and marks, and half as large a share of the pairs of words, or if nearly
# all words are equal.
MIN_SIMILARITY = 0.5
# A text of another source under another title is the same at this share of equal words.
MIN_EQUALITY = 0.9
# Thai, Lao, Tibetan, Burmese and Khmer, which also write no spaces between words.
JOINED = "\u0e00-\u109f\u1780-\u17ff"
# White space and the marks of Markdown, within a run of these letters.
BETWEEN = re.compile(rf"(?<=[{JOINED}])[\s\\*_`~\[\]]+(?=[{JOINED}])")
# What copies in other formats add: headings, the headers of mails, numbers and times of lines,
# addresses and footnotes.
ADDED = re.compile(
    r"^(?:[ ]{0,3}\#{1,6}[ ].* | [^\w\n]*(?:(?:from|to|cc|date|sent|subject):|\d[\d:.,]*[ ]-->).*"
    r" | [^\w\n]*\d+(?:[:.,]\d+)*[ ]?[.)\]|:][^\w\n]*(?=[^\W\d_]))"
    r" | \]\([^()\s]*\) | \[\[[^][|\n]{,200}\| | \[\^[^][\s]{,40}\] | https?://\S+",
    re.MULTILINE | re.VERBOSE,
)
# A character of Chinese or Japanese counts as a word, and one of the others with the next three.
WORD = re.compile(f"[{CJK}]|(?=([{JOINED}]{{1,4}}))[{JOINED}]|[^\\W_{CJK}{JOINED}]+")
# What a title does not need: the number of a part, and prefixes of replies and forwards.
NOT_IN_TITLE = re.compile(r"\A(?:(?:re|fwd?|aw|wg|sv|tr|rv)\s*:\s*)+| \(\d+ of \d+\)\Z")
WITHOUT_WIDTH = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
# How many words of a text, and pairs of words, are compared.
MOST_COUNTED = 4_000


class Sample(NamedTuple):
    """How often a text has something, by hash; of much, only what has a hash without these bits."""

    counts: Counter[int]
    bits: int = 0


class Words(NamedTuple):
    """How often a text has each word, and each pair of words that follow each other."""

    words: Sample
    pairs: Sample


NO_WORDS = Words(Sample(Counter()), Sample(Counter()))


class Renames:
    """The stored documents whose names no longer exist, and all suppressed ones.

    A suppressed document is detected even if it was edited when it was renamed.
    """

    def __init__(
        self, existing: Existing, contents: AbstractSet[str], new_words: dict[str, Words]
    ) -> None:
        self.items = {**existing.items, **existing.suppressed}
        self.suppressed = {id_ for id_, item in self.items.items() if item.is_suppressed}
        missing = existing.items.keys() - contents
        self._missing = missing & self.suppressed
        # Suppressed documents whose file is still there, or that another importer made.
        others = sorted((self.suppressed & existing.items.keys()) - missing)
        ids = (*sorted(self._missing), *sorted(existing.suppressed), *others)
        self._titles = {id_: _title(self.items[id_].title) for id_ in ids}
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

        For a new text, that is a stored document with the same text whose name no longer exists.
        Otherwise it is a suppressed document with nearly all of its words, alone or with others,
        or with half of them if the titles are equal or, for a new text, if its name no longer
        exists. None if the text tells little beyond what was readable under its name, or under
        one that is gone.

        Args:
            stored_id: of the stored document whose text changes.
        """
        is_new = stored_id is None and bool(content.strip())
        if is_new and (former_id := self._by_digest.get(sha256(content.encode()).digest())):
            return former_id
        text = _words(content) if self._titles else NO_WORDS
        readable = [stored_id] if stored_id else self._gone
        title = _title(title)
        contained: dict[str, Words] = {}

        def tells(suppressed: Words, its_title: str = "") -> bool:
            words = _words(its_title)
            return all(_tells(text, suppressed, words, self._words(each)) for each in readable)

        for id_, its_title in self._titles.items():
            is_renamed = its_title == title or (is_new and id_ in self._missing)
            share = MIN_SIMILARITY if is_renamed else MIN_EQUALITY
            for words in filter(None, (self._words(id_), self._new_words.get(id_))):
                if _are_similar(text, words, share) and tells(words, its_title):
                    return id_
                if all(part >= MIN_EQUALITY for part in map(_part, text, words)):
                    contained[id_] = words
        if not contained:
            return None
        merged = Words(*map(_sum, zip(*contained.values(), strict=True)))
        is_merged = _part(merged.words, text.words) >= MIN_EQUALITY and tells(merged)
        return next(iter(contained)) if is_merged else None

    def add_text(self, id_: str, text: str) -> bool:
        """Recognize the new text of a suppressed document, too.

        Returns whether it is a version of the stored text, if there is one.
        """
        stored, words = self._words(id_), _words(text)
        self._new_words[id_] = words
        return stored == NO_WORDS or _are_similar(words, stored)

    def contains(self, text: str, id_: str) -> bool:
        """Return whether a stored document has at least half of the words of a text, in order."""
        stored, words = self._words(id_), _words(text)
        return _part(stored.words, words.words) >= MIN_SIMILARITY and (
            not words.pairs.counts or _part(stored.pairs, words.pairs) >= MIN_SIMILARITY / 2
        )


def _words(text: str) -> Words:
    if not text.strip():
        return NO_WORDS
    plain = _plain(text)
    text = BETWEEN.sub("", ADDED.sub(" ", plain))
    text = text if text.strip() else plain
    words, pairs = ((match[1] or match[0] for match in WORD.finditer(text)) for _ in range(2))
    first = next(words, text.strip())
    return Words(_sample(chain([first], words)), _sample(pairwise(pairs)))


def _plain(text: str) -> str:
    """Return a text without case, accents, widths of letters, and characters without width."""
    text = WITHOUT_WIDTH.sub("", text)
    if not text.isascii():
        text = "".join(each for each in normalize("NFKD", text) if not combining(each))
    return text.casefold()


def _title(title: str) -> str:
    return NOT_IN_TITLE.sub("", _plain(title))


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


def _sum(samples: Iterable[Sample]) -> Sample:
    """Return how often texts together have something."""
    whole = Sample(Counter())
    for counts, bits in samples:
        bits |= whole.bits
        whole = Sample(_with(whole.counts, bits) + _with(counts, bits), bits)
    return whole


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
    words = _share(left.words, right.words)
    return words >= share and (
        words >= MIN_EQUALITY
        or not right.pairs.counts
        or _share(left.pairs, right.pairs) >= share / 2
    )
