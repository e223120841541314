"""What a search that found little tells an agent: which of its words occur, and where."""

from collections.abc import Mapping, Sequence
from typing import Any

from orgctx.errors import RequestTimeout
from orgctx.operations.operation import Reader, Result
from orgctx.operations.stored_text import Folded, TextWork
from orgctx.resources.search.items import LONG_PREVIEW, brief, item_of, parts_of
from orgctx.resources.search.ranking import MAX_WORDS, ranked, terms_of
from orgctx.resources.search.schemas import SearchItem
from orgctx.resources.search.words import is_single, stem_of, words_of
from orgctx.schemas.fields import Boolean, Integer, List, Text
from orgctx.schemas.payload import Payload
from orgctx.schemas.text import PREVIEW_LENGTH, preview
from orgctx.stores.db import statements

# A search is poor if it finds fewer items, and then looks for the words of q.
FEW_ITEMS = 3
MAX_PARTIAL_ITEMS = 8
FOLLOWING = 3  # messages after a message
LIMITS = {
    # Of so many documents with a word, those where it counts most are read: of 100,000, .74 of the
    # queries are answered, .60 with 2,000. A word of more records weighs as one of so many.
    "posting_limit": 10_000,
    "rare_limit": 2_000,
    "following_limit": FOLLOWING,
    # Newest records that tell which words are common. Among 200,000 messages, 500 and 1,000 answer
    # the same queries.
    "sample_limit": 500,
    # Records of each kind that are ranked. Of 562 queries among 7,693 documents, 32 answer .87 and
    # 24 .86, in two thirds of the time.
    "row_limit": 32,
    # A word that fewer documents have than are shown is also looked for within their words, which
    # compounds and scripts without spaces need, in so many chunks. English queries need neither.
    "few": MAX_PARTIAL_ITEMS,
    "loose_limit": 100,
    # Chunks of a document that are compared to find the one to show. Of 10, 16 and 40, the same
    # queries are answered, but 10 lose a question of bench.agents.
    "chunk_limit": 16,
}
# Records that score less than this part of the best one are not shown. Recall is the same with half
# as many bytes, but with .7 an agent searches more often.
LEAST_RANK = 0.65


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
    try:
        return _members(reader, arguments, result)
    except RequestTimeout:
        return {}


def _rows(
    reader: Reader, result: Result, words: Sequence[str], arguments: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the rows of the statements that look for words, in one round trip."""
    ranks = [
        (name, {"source_ids": ids})
        for find, ids in parts_of(reader.caller, result.sources)
        # A source that is one record has none.
        if words and (name := f"search/rank_{find.removeprefix('search/find_')}") in statements()
    ]
    period = {name: arguments[name] for name in ("after", "before")}
    stems = [*map(stem_of, words)]
    parts = reader.rows_of_all(ranks, words=words, stems=stems, **period, **LIMITS)
    return [row for part in parts for row in part.dicts()]


def _members(reader: Reader, arguments: Mapping[str, Any], result: Result) -> dict[str, Any]:
    items, q, work = result.data["items"], arguments["q"], TextWork(reader.deadline)
    words = words_of(q)
    rows = _rows(reader, result, words, arguments)
    terms, records = terms_of(words, rows), [row for row in rows if row["id"]]
    if is_single(q):
        # Parts of a word that do not occur say nothing.
        terms = [term for term in terms if term.record_count]
    following = {row["id"]: _following(row) for row in records}
    listed = {(item["kind"], item["id"]) for item in items}
    found = [
        row for row in ranked(records, terms, q, work) if (row["kind"], row["id"]) not in listed
    ]
    if not terms or (items and not found):
        return {"following": following}
    shown = [row for row in found if row["rank"] >= LEAST_RANK * found[0]["rank"]]
    return {
        "words": [
            Word.one(term._asdict() | ({} if term.is_exact else {"is_least": True}))
            for term in terms
        ],
        "following": following,
        "partialItems": [
            _partial_item(row, words, result, work)
            for row in shown[: min(MAX_PARTIAL_ITEMS, arguments["limit"])]
        ],
    }


def _partial_item(
    row: Mapping[str, Any], words: Sequence[str], result: Result, work: TextWork
) -> dict[str, Any]:
    passage = row["folded"][row["start"] : row["end"]]
    match = next(Folded(row["excerpt"], work).find(passage, 1), None)
    place = {
        "match_at": match.start + 1 if match else 0,
        "match_end": match.end if match else 0,
        "starts": row["is_whole"],
        "ends": row["is_whole"],
    }
    item = item_of({**row, **place}, "", result.sources, LONG_PREVIEW)
    item |= {"words": [words[number - 1] for number in sorted(row["numbers"])]}
    # A message with one word of several is seldom a part of the conversation.
    if len(row["numbers"]) >= min(2, len(words)):
        item |= _following(row)
    return brief(PartialItem.one(item))


def _following(row: Mapping[str, Any]) -> dict[str, Any]:
    texts = row["following"]
    return {"following": [*map(preview, texts)]} if texts else {}
