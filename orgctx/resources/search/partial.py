"""What a search that found little tells an agent: which of its words occur, and where."""

from collections.abc import Mapping, Sequence
from typing import Any

from orgctx.errors import RequestTimeout
from orgctx.operations.exposure import Source
from orgctx.operations.operation import Reader, Result
from orgctx.operations.stored_text import Folded, TextWork
from orgctx.resources.search.items import (
    LONG_PREVIEW,
    brief,
    item_of,
    parts_of,
)
from orgctx.resources.search.ranking import MAX_WORDS, MOST_POSTINGS, Term, ranked, terms_of
from orgctx.resources.search.schemas import SearchItem
from orgctx.resources.search.words import is_single, runs_of, stem_of, words_of
from orgctx.schemas.fields import Boolean, Integer, List, Text
from orgctx.schemas.payload import Payload
from orgctx.schemas.text import PREVIEW_LENGTH, preview
from orgctx.stores.db import statements

# A search is poor if it finds fewer items, and then looks for the words of q.
FEW_ITEMS = 3
MAX_PARTIAL_ITEMS = 8
FOLLOWING = 3  # messages after a message
LIMITS = {
    "word_limit": MAX_WORDS,
    "posting_limit": MOST_POSTINGS,
    "rare_limit": 2_000,
    "following_limit": FOLLOWING,
    # Newest records that tell which words are common. Among 1,000,000 messages, it takes a fifth of
    # the time that counting takes.
    "sample_limit": 1_000,
    # Records of each kind that are ranked. Of 346 queries among 8,657 documents, 64 answer .85 and
    # 32 .81; of half of them, 96 answer .01 more.
    "row_limit": 64,
    # A word that fewer documents have than are shown is also looked for within their words, which
    # compounds and scripts without spaces need, in so many chunks. English queries need neither.
    "few": MAX_PARTIAL_ITEMS,
    "loose_limit": 100,
    # Chunks of a document that are compared to find the one to show, a third of the time. Of 10,
    # 16 and 40, the same queries are answered, but 10 lose a question of bench.agents.
    "chunk_limit": 16,
}
# Records that score less than this part of the best one, and have fewer words, are not shown. The
# answers of bench.agents take 4.9 KB, 5.7 with all records, and recall among 8,657 documents is the
# same.
LEAST_RANK = 0.5


class Word(Payload):
    """A word of q, and how many records contain it."""

    word = Text(200)
    record_count = Integer(0)
    is_least = Boolean(optional=True, doc="There may be more.")


class PartialItem(SearchItem):
    """A record that contains some words of q."""

    preview = Text(LONG_PREVIEW)
    words = List(Text(200), maximum=MAX_WORDS)
    following = List(Text(PREVIEW_LENGTH), maximum=FOLLOWING, optional=True)


def partial_members(result: Result, reader: Reader, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return `words` and `partialItems` if a search found few records, else {}.

    `following` has the member of that name for records that are items, by id. Reads only what the
    key may search. Returns {} too if it takes too long, because the items are known already.
    """
    items, q = result.data["items"], arguments["q"]
    if not q or len(items) >= (1 if is_single(q) else min(FEW_ITEMS, arguments["limit"])):
        return {}
    words = words_of(q)
    try:
        rows = _rows(reader, result.sources, words, arguments)
        return _members(reader, arguments, result, words, rows)
    except RequestTimeout:
        return {}


def _rows(
    reader: Reader, sources: Sequence[Source], words: Sequence[str], period: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the rows of the statements that look for words in sources, in one round trip."""
    common: dict[str, Any] = {name: period[name] for name in ("after", "before")}
    common |= {"words": words, "stems": [*map(stem_of, words)]}
    asked = [
        (f"search/rank_{find.removeprefix('search/find_')}", common | {"source_ids": ids})
        for find, ids in parts_of(reader.caller, sources)
    ]
    # A source that is one record has none.
    known = [(name, parameters) for name, parameters in asked if words and name in statements()]
    return [row for part in reader.rows_of_all(known, **LIMITS) for row in part.dicts()]


def _members(
    reader: Reader,
    arguments: Mapping[str, Any],
    result: Result,
    words: Sequence[str],
    rows: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    items, q, work = result.data["items"], arguments["q"], TextWork(reader.deadline)
    terms = terms_of(words, [row for row in rows if row["word_number"]])
    if is_single(q):
        # Parts of a word that do not occur say nothing.
        terms = [term for term in terms if term.record_count]
    found = ranked([row for row in rows if row["id"]], terms, runs_of(q), work)
    following = {row["id"]: _following(row) for row in found}
    records = _shown(found, items, arguments["limit"])
    if items and not records:
        return {"following": following}
    if not terms:
        return {}
    return {
        "words": [*map(_word, terms)],
        "following": following,
        "partialItems": _partial_items(records, words, result, work),
    }


def _word(term: Term) -> dict[str, Any]:
    is_least = {} if term.is_exact else {"is_least": True}
    return Word.one(term._asdict() | is_least)


def _shown(
    found: Sequence[dict[str, Any]], items: Sequence[Mapping[str, Any]], limit: int
) -> list[dict[str, Any]]:
    """Return the records to show beside the items, of those found, the best first."""
    listed = {(item["kind"], item["id"]) for item in items}
    records = [row for row in _distinct(found) if (row["kind"], row["id"]) not in listed]
    least = LEAST_RANK * max((row["rank"] for row in records), default=0)
    most = max((len(row["numbers"]) for row in records), default=0)
    near = [row for row in records if row["rank"] >= least or len(row["numbers"]) == most]
    return near[: min(MAX_PARTIAL_ITEMS, limit)]


def _distinct(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out records whose passage another one has, such as copies of a footer."""
    first = dict[str, dict[str, Any]]()
    for row in records:
        start = row["passage"].start
        text = row["folded"][start : start + 200]
        # The ends of texts may be equal by chance.
        first.setdefault(text if len(text) >= 100 else f"{row['kind']} {row['id']}", row)
    return [*first.values()]


def _partial_items(
    records: Sequence[dict[str, Any]], words: Sequence[str], result: Result, work: TextWork
) -> list[dict[str, Any]]:
    items = []
    for row in records:
        contained = [words[number - 1] for number in sorted(row["numbers"])]
        item = item_of(row | _place(row, work), "", result.sources, LONG_PREVIEW)
        item |= {"words": contained}
        # A message with one word of several is seldom a part of the conversation.
        if len(row["numbers"]) >= min(2, len(words)):
            item |= _following(row)
        items.append(brief(PartialItem.one(item)))
    return items


def _place(row: Mapping[str, Any], work: TextWork) -> dict[str, Any]:
    """Return where the passage is in the excerpt, as preview_of reads it."""
    passage = row["passage"]
    wanted = row["folded"][passage.start : passage.end]
    match = next(Folded(row["excerpt"], work).find(wanted, 1), None)
    return {
        "match_at": match.start + 1 if match else 0,
        "match_end": match.end if match else 0,
        "starts": row["is_whole"],
        "ends": row["is_whole"],
    }


def _following(row: Mapping[str, Any]) -> dict[str, Any]:
    texts = row["following"]
    return {"following": [*map(preview, texts)]} if texts else {}
