"""Rank the records that have some words, and choose the passage to show of each."""

from bisect import bisect
from collections.abc import Mapping, Sequence
from itertools import islice
from math import log
from typing import Any, NamedTuple

from orgctx.operations.stored_text import Occurrence, TextWork, occurrences

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
# Of so many documents with a word, those where it counts most are read; half as many lose 3 of 100
# answers among 9,000. A word of more records weighs as one of so many.
MOST_POSTINGS = 2_000


class Term(NamedTuple):
    """A word of q, what its forms begin with, and how much it tells."""

    number: int
    word: str
    stem: str
    weight: float


def weight_of(count: int) -> float:
    """Return how much a word tells that so many records have, as the statements weigh it."""
    return log(1 + 20_000 / (1 + min(count, MOST_POSTINGS)))


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
    placed = [row | _placed(row, terms, weights, work) for row in rows]
    for row in placed:
        title = row["title"].lower()
        row["rank"] += TITLE * sum(run in title for run in runs)
    return sorted(
        (row for row in placed if row["numbers"]),
        key=lambda row: (-row["rank"], row["kind"], row["id"]),
    )


def _placed(
    row: Mapping[str, Any], terms: Sequence[Term], weights: Mapping[int, float], work: TextWork
) -> dict[str, Any]:
    places = sorted(
        (place, term.number)
        for term in terms
        for place in islice(
            occurrences(row["folded"], term.word, term.stem, work), MOST_OCCURRENCES
        )
    )
    passage = _best_passage(places, weights)
    score = sum(weights.get(int(number), 0) * impact for number, impact in row["impacts"].items())
    return {
        "numbers": {number for _, number in places},
        "passage": passage,
        "rank": score / SCALE + passage.score,
    }


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
