"""Rank the records that have some words, and choose the passage to show of each."""

from bisect import bisect
from collections.abc import Mapping, Sequence
from itertools import islice
from math import log
from operator import attrgetter
from typing import Any, NamedTuple

from orgctx.operations.stored_text import Occurrence, TextWork, occurrences
from orgctx.resources.search.words import stem_of
from orgctx.schemas.text import fold

# A preview shows a passage of this length, and words in it are near each other.
PASSAGE = 400
# Occurrences of each word that are compared; more tell nothing.
MOST_OCCURRENCES = 50
# What an occurrence counts: of the word, of a form of it, and inside a longer word.
SHARES = {"word": 1.0, "form": 0.6, "inside": 0.3}
# What each run of q adds that the title has, such as a version, of which no word is stored. It
# answers .91 of the questions about titles among 9,309 documents; without, .73 are.
TITLE = 0.5
# The search/rank statements multiply a word's share by this.
SCALE = 16
# Of so many documents with a word, those where it counts most are read. Among 100,000 documents,
# .74 of the queries are answered, .60 with 2,000; among 8,657, .01 more. A word of more records
# weighs as one of so many.
MOST_POSTINGS = 10_000
# How many words of q count, the rarest.
MAX_WORDS = 8


class Term(NamedTuple):
    """A word of q, and how many records have it."""

    number: int  # of the word in q, from 1
    word: str  # as in q
    folded: str
    stem: str  # what its forms begin with, folded
    record_count: int
    is_exact: bool  # whether no more records have it
    frequency: int  # record_count, or an estimate if that is not exact

    @property
    def weight(self) -> float:
        """Return how much the word tells, as the search/rank statements weigh it."""
        return log(1 + 20_000 / (1 + min(self.frequency, MOST_POSTINGS)))


def terms_of(words: Sequence[str], counts: Sequence[Mapping[str, Any]]) -> list[Term]:
    """Return the rarest of the words, in order. counts: rows of the search/rank statements."""
    terms = []
    for number, word in enumerate(words, 1):
        rows = [row for row in counts if row["word_number"] == number]
        record_count, frequency = (
            sum(row[name] for row in rows) for name in ("record_count", "frequency")
        )
        is_exact = all(row["is_exact"] for row in rows)
        folded, stem = fold(word), fold(stem_of(word))
        terms.append(Term(number, word, folded, stem, record_count, is_exact, frequency))
    return sorted(sorted(terms, key=attrgetter("frequency"))[:MAX_WORDS])


class Passage(NamedTuple):
    """A part of a folded text, the numbers of its words, and their score."""

    start: int = 0
    end: int = 0
    numbers: frozenset[int] = frozenset()
    score: float = 0.0


def ranked(
    rows: Sequence[dict[str, Any]], terms: Sequence[Term], runs: Sequence[str], work: TextWork
) -> list[dict[str, Any]]:
    """Return the rows with any of the words, the best first.

    Adds to each `numbers`, those of its words, `passage`, the best one, and `rank`, its score. The
    first line of `folded` is the title of a document.
    """
    weights = {term.number: term.weight for term in terms}
    found = []
    for row in rows:
        places = _places(row["folded"], terms, work)
        passage = _best_passage(places, weights)
        impact = sum(weights.get(int(number), 0) * each for number, each in row["impacts"].items())
        title = row["title"].lower()
        rank = impact / SCALE + passage.score + TITLE * sum(run in title for run in runs)
        numbers = {number for _, number in places}
        found.append(row | {"numbers": numbers, "passage": passage, "rank": rank})
    return sorted(
        (row for row in found if row["numbers"]),
        key=lambda row: (-row["rank"], row["kind"], row["id"]),
    )


def _places(text: str, terms: Sequence[Term], work: TextWork) -> list[tuple[Occurrence, int]]:
    """Return where a folded text has the words, each with the number of its word, in order."""
    return sorted(
        (place, term.number)
        for term in terms
        for place in islice(occurrences(text, term.folded, term.stem, work), MOST_OCCURRENCES)
    )


def _best_passage(
    places: Sequence[tuple[Occurrence, int]], weights: Mapping[int, float]
) -> Passage:
    """Return the passage whose words tell most; it scores only if they are several."""
    best = Passage()
    starts = [place.start for place, _ in places]
    for index, start in enumerate(starts):
        shares, end = dict[int, float](), start
        for place, number in places[index : bisect(starts, start + PASSAGE)]:
            if SHARES[place.kind] > shares.get(number, 0):
                shares[number], end = SHARES[place.kind], max(end, place.end)
        worth = sum(weights[number] * share for number, share in shares.items())
        score = worth * (1 - (end - start) / (2 * PASSAGE))
        if score > best.score:
            best = Passage(start, end, frozenset(shares), score)
    return best if len(best.numbers) > 1 else best._replace(score=0.0)
