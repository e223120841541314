"""What a search that found little tells an agent: which of its words occur, and where."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from orgctx.errors import RequestTimeout
from orgctx.operations.exposure import Source
from orgctx.operations.operation import Reader, Result
from orgctx.operations.stored_text import Folded, TextWork, similar_words
from orgctx.resources.search.items import (
    ITEM_HREFS,
    WINDOWS,
    brief,
    is_short,
    item_of,
    long_previews,
    parts_of,
)
from orgctx.resources.search.ranking import MOST_POSTINGS, Term, ranked, weight_of
from orgctx.resources.search.schemas import SearchItem
from orgctx.resources.search.words import halves_of, is_single, runs_of, stem_of, words_of
from orgctx.schemas.fields import Boolean, Enum, Integer, List, Text
from orgctx.schemas.payload import Payload
from orgctx.schemas.text import PREVIEW_LENGTH, fold, preview
from orgctx.stores.db import Statement, statements

# A search is poor if it finds fewer items, and then looks for the words of q.
FEW_ITEMS = 3
MAX_WORDS, MAX_PARTIAL_ITEMS = 8, 8
FOLLOWING = 3  # messages after a message
ONE_WINDOW = (960,)  # for the preview of a long record that is the only one
# How many records of each kind are ranked; when a word is also looked for within the words of
# documents, and in how many chunks; how many chunks of a document are compared.
LIMITS = {
    "posting_limit": MOST_POSTINGS, "row_limit": 32, "few": 8, "loose_limit": 100,
    "chunk_limit": 40, "following_limit": FOLLOWING, "word_limit": MAX_WORDS,
}  # fmt: skip
# Records that score less than this part of the best one, and have fewer words, are not shown.
LEAST_RANK = 0.5
PARTIAL = "partialItems have some or all words of q, but not as one phrase."
ABSENT = "No record was found with {words}."
SUGGESTED = "These sources contain the suggestions."
ELSEWHERE = "Without source, after and before, q matches the records that elsewhere counts."
# Words of q that others may resemble, how much (difflib's ratio), and how many are repaired.
LEAST_SIMILAR, SIMILAR, MAX_SUGGESTIONS, MAX_REPAIRED = 5, 0.75, 3, 2


class WordCount(Payload):
    """How many records of a source contain a word."""

    kind = Enum(*ITEM_HREFS)
    source_id = Text(150)
    record_count = Integer(1)
    is_least = Boolean(optional=True, doc="There may be more.")


class Word(Payload):
    """A word of q, and how many records contain it."""

    word = Text(200)
    record_count = Integer(0)
    is_least = Boolean(optional=True, doc="There may be more.")


class PartialItem(SearchItem):
    """A record that contains some words of q."""

    preview = Text(*ONE_WINDOW)
    words = List(Text(200), maximum=MAX_WORDS)
    following = List(Text(PREVIEW_LENGTH), maximum=FOLLOWING, optional=True)


def partial_members(result: Result, reader: Reader, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return `words` and `partialItems` if a search found few records, else {}.

    `following` has what follows messages that are items, by id. If source or dates exclude what q
    matches, returns `elsewhere`. Reads only what the key may search. Returns {} too if it takes too
    long, because the result of the search is known already.
    """
    items, q = result.data["items"], arguments["q"]
    if not q or len(items) >= (1 if is_single(q) else min(FEW_ITEMS, arguments["limit"])):
        return {}
    is_narrow = not items and any(arguments[name] for name in ("source", "after", "before"))
    words = words_of(q)
    asked = _statements(reader, result.sources, words, arguments)
    everywhere = _statements(reader, reader.caller.exposed(), [q], {}) if is_narrow else []
    try:
        parts = [part.dicts() for part in reader.rows_of_all([*asked, *everywhere], **LIMITS)]
        rows = [row for part in parts[: len(asked)] for row in part]
        members = _members(reader, arguments, result, words, rows)
    except RequestTimeout:
        return {}
    counts = [row for part in parts[len(asked) :] for row in part if row["word_number"]]
    elsewhere = [WordCount.one(_count(row)) for row in counts]
    return members | ({"elsewhere": elsewhere} if elsewhere else {})


def _statements(
    reader: Reader, sources: Sequence[Source], words: Sequence[str], period: Mapping[str, Any]
) -> list[Statement]:
    """Return the statements that look for words in sources, with their own parameters."""
    if not words:
        return []
    common: dict[str, Any] = {name: period.get(name) for name in ("after", "before")}
    common |= {"words": words, "stems": [*map(stem_of, words)]}
    asked = (
        (f"search/rank_{find.removeprefix('search/find_')}", common | {"source_ids": ids})
        for find, ids in parts_of(reader.caller, sources)
    )
    # A source that is one record has none.
    return [(name, parameters) for name, parameters in asked if name in statements()]


def _members(
    reader: Reader,
    arguments: Mapping[str, Any],
    result: Result,
    words: Sequence[str],
    rows: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    items, q, work = result.data["items"], arguments["q"], TextWork(reader.deadline)
    totals = dict.fromkeys(range(1, len(words) + 1), 0)
    totals |= _totals(rows)
    rarest = sorted(sorted(totals, key=totals.__getitem__)[:MAX_WORDS])
    terms = [
        Term(n, fold(words[n - 1]), fold(stem_of(words[n - 1])), weight_of(totals[n]))
        for n in rarest
    ]
    runs = [*map(fold, runs_of(q))]
    found = ranked([row for row in rows if row["id"]], terms, runs, work)
    following = {row["id"]: _following(row) for row in found if row.get("following")}
    listed = {(item["kind"], item["id"]) for item in items}
    records = [row for row in _distinct(found) if (row["kind"], row["id"]) not in listed]
    least = LEAST_RANK * max((row["rank"] for row in records), default=0)
    most = max((len(row["numbers"]) for row in records), default=0)
    records = [row for row in records if row["rank"] >= least or len(row["numbers"]) == most]
    records = records[: min(MAX_PARTIAL_ITEMS, arguments["limit"])]
    if items and not records:
        return {"following": following}
    members = [_word(words[n - 1], n, rows) for n in rarest]
    absent = [] if is_single(q) else [words[n - 1] for n in rarest if not totals[n]]
    if is_single(q):
        # Parts of a word that do not occur say nothing.
        members = [word for word in members if word["recordCount"]]
    similar = [] if items else _similar(reader, arguments, result, absent, found, work)
    suggestions = {"suggestions": similar} if similar else {}
    if not members:
        return suggestions
    hints = [ABSENT.format(words=", ".join(absent))] * bool(absent)
    if similar and (absent or is_single(q)):
        hints.append(SUGGESTED)
    partial_items = _partial_items(records, words, result, work)
    return {
        "words": members, "partialItems": partial_items, **suggestions,
        "hints": hints, "following": following,
    }  # fmt: skip


def _totals(rows: Sequence[Mapping[str, Any]]) -> Counter[int]:
    """Return how many records each word has, by its number."""
    totals = Counter[int]()
    for row in rows:
        if row["word_number"]:
            totals[row["word_number"]] += row["record_count"]
    return totals


def _distinct(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out records whose passage another one has, such as copies of a footer."""
    first = dict[str, dict[str, Any]]()
    for row in records:
        start = row["passage"].start
        text = row["folded"][start : start + 200]
        # The ends of texts may be equal by chance.
        first.setdefault(text if len(text) >= 100 else f"{row['kind']} {row['id']}", row)
    return [*first.values()]


def _word(word: str, number: int, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how many records have a word."""
    counts = [row for row in rows if row["word_number"] == number]
    member: dict[str, Any] = {
        "word": word,
        "record_count": sum(row["record_count"] for row in counts),
    }
    if any(not row["is_exact"] for row in counts):
        member["is_least"] = True
    return Word.one(member)


def _count(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return row if row["is_exact"] else {**row, "is_least": True}


def _partial_items(
    records: Sequence[dict[str, Any]], words: Sequence[str], result: Result, work: TextWork
) -> list[dict[str, Any]]:
    placed = [row | _place(row, work) for row in records]
    is_alone = sum(not is_short(row) for row in placed) == 1
    windows = ONE_WINDOW if is_alone else WINDOWS[1:]
    previews = long_previews(((row, "") for row in placed), windows)
    most = max((len(row["numbers"]) for row in records), default=0)
    items = []
    for row, shown in zip(placed, previews, strict=True):
        contained = [words[number - 1] for number in sorted(row["numbers"])]
        item = item_of(row, "", result.sources) | {"words": contained, "preview": shown}
        if row.get("following") and len(row["numbers"]) == most:
            item["following"] = _following(row)
        items.append(brief(PartialItem.one(item)))
    return items


def _place(row: Mapping[str, Any], work: TextWork) -> dict[str, Any]:
    """Return where the passage is in the excerpt, as preview_of reads it."""
    text, wanted = (
        Folded(row["excerpt"], work),
        row["folded"][row["passage"].start : row["passage"].end],
    )
    match = next(text.find(wanted, 1), None) if wanted else None
    place = (match.start + 1, match.end) if match else (0, 0)
    whole = row["is_whole"]
    return {"match_at": place[0], "match_end": place[1], "starts": whole, "ends": whole}


def _following(row: Mapping[str, Any]) -> list[str]:
    return [preview(text) for text in row["following"]]


def _similar(
    reader: Reader,
    arguments: Mapping[str, Any],
    result: Result,
    absent: Sequence[str],
    found: Sequence[Mapping[str, Any]],
    work: TextWork,
) -> list[str]:
    """Return words of records that differ little from a word of q that none contains.

    Looks for records with its halves, unless some record has two words.
    """
    runs = runs_of(arguments["q"])
    wanted = [word for word in (runs if len(runs) == 1 else absent) if len(word) >= LEAST_SIMILAR]
    wanted = sorted(wanted, key=len, reverse=True)[:MAX_REPAIRED]
    if not wanted or (len(runs) > 1 and any(len(row["numbers"]) > 1 for row in found)):
        return []
    halves = [half for word in wanted for half in halves_of(word)]
    parts = reader.rows_of_all(_statements(reader, result.sources, halves, arguments), **LIMITS)
    texts = [row["folded"] for part in parts for row in part.dicts() if row["id"]]
    known = {fold(run) for run in runs}
    similar = [
        each
        for word in wanted
        for each in similar_words(fold(word), texts, MAX_SUGGESTIONS, SIMILAR, work)
        if each not in known
    ]
    return [*dict.fromkeys(similar)][:MAX_SUGGESTIONS]
