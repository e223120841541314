"""Rank the records that have some words, and choose the passage to show of each."""

from bisect import bisect
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from orgctx.operations.stored_text import TextWork, occurrences
from orgctx.resources.search.words import runs_of, stem_of
from orgctx.schemas.text import fold

# How many words of q count, the rarest.
MAX_WORDS = 8
# A preview shows a passage of this length, and words in it are near each other.
PASSAGE = 400
# Occurrences of each word that are compared; more tell nothing.
MOST_OCCURRENCES = 50
# What each word of the passage adds to the score of the search/rank statements, and what a form of
# it or a longer word does. Among 1,245 documents, MRR is .85; with 9,600, it is .83.
NEAR, NEAR_FORM = 16_000, 8_000
# What each run of q adds that the title has, such as a version, of which no word is stored. It
# answers .91 of the questions about titles among 9,309 documents; without, .73 are.
TITLE = 800


class Term(NamedTuple):
    """A word of q, and how many records have it."""

    number: int  # of the word in q, from 1
    word: str  # as in q
    record_count: int
    is_exact: bool  # whether no more records have it


def terms_of(words: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> list[Term]:
    """Return the rarest of the words, in order. rows: of the search/rank statements."""
    terms = []
    for number, word in enumerate(words, 1):
        counts = [row for row in rows if row["word_number"] == number]
        record_count = sum(row["record_count"] for row in counts)
        is_exact = all(row["is_exact"] for row in counts)
        # No word has a larger weight than one without records.
        weight = min((row["weight"] for row in counts), default=1_000)
        terms.append((-weight, Term(number, word, record_count, is_exact)))
    return sorted(term for _, term in sorted(terms)[:MAX_WORDS])


def ranked(
    rows: Sequence[dict[str, Any]], terms: Sequence[Term], q: str, work: TextWork
) -> list[dict[str, Any]]:
    """Return the rows with any of the words, the best first, one of those with the same passage.

    Adds to each `numbers`, those of its words, `start` and `end` of the best passage in `folded`,
    and `rank`. The first line of `folded` is the title of a document.
    """
    forms = [(term.number, fold(term.word), fold(stem_of(term.word))) for term in terms]
    runs, found = runs_of(q), []
    for row in rows:
        places = sorted(
            (place.start, place.end, NEAR if place.kind == "word" else NEAR_FORM, number)
            for number, word, stem in forms
            for place in islice(occurrences(row["folded"], word, stem, work), MOST_OCCURRENCES)
        )
        score, start, end = _best_passage(places)
        title = row["title"].lower()
        rank = row["score"] + score + TITLE * sum(run in title for run in runs)
        numbers = {number for *_, number in places}
        if numbers:
            found.append(row | {"numbers": numbers, "start": start, "end": end, "rank": rank})
    distinct = dict[str, dict[str, Any]]()
    for row in sorted(found, key=lambda row: (-row["rank"], row["kind"], row["id"])):
        text = row["folded"][row["start"] : row["start"] + 200]
        # The ends of texts may be equal by chance.
        distinct.setdefault(text if len(text) >= 100 else f"{row['kind']} {row['id']}", row)
    return [*distinct.values()]


def _best_passage(places: Sequence[tuple[int, int, int, int]]) -> tuple[float, int, int]:
    """Return score, start and end of the passage with most words, near each other.

    places: start and end of each word in order, what it adds to the score, and its number.
    """
    best = (0.0, 0, 0)
    for index, (start, *_) in enumerate(places):
        worth, end = dict[int, int](), start
        for _, place_end, each, number in places[index : bisect(places, (start + PASSAGE,))]:
            if each > worth.get(number, 0):
                worth[number], end = each, max(end, place_end)
        score = sum(worth.values()) * (1 - (end - start) / (2 * PASSAGE))
        if score > best[0]:
            best = (score, start, end)
    return best
