"""What a search that found nothing tells an agent: which of its words occur, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from string import punctuation
from typing import Any

from orgctx.errors import RequestTimeout
from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Reader, Result
from orgctx.resources.search.items import brief, item_of
from orgctx.resources.search.parts import ITEM_HREFS, PARTS, parts_of
from orgctx.resources.search.schemas import SearchItem
from orgctx.schemas.fields import Enum, Integer, List, Nested, Text
from orgctx.schemas.payload import Payload
from orgctx.schemas.white_space import RUN

# A search is poor if it finds fewer items, and then looks for the longest words of q.
FEW_ITEMS = 3
MAX_WORDS, MAX_PARTIAL_ITEMS = 4, 5
# What is examined: the newest messages; then for each word and kind, candidates of the index and
# records with the word. The help takes less than three times the search (bench.statements), unless
# the key reads few of the newest messages.
RECENT_MESSAGES, EXAMINED_LIMIT, HIT_LIMIT = 500, 100, 12
PARTIAL = (
    "partialItems contain only some words of q. words says where the newest matches are; others "
    "may be elsewhere. Search again for one word."
)


class WordCount(Payload):
    """How many records of a source contain a word, as far as they were examined."""

    kind = Enum(*ITEM_HREFS)
    source_id = Text(150)
    record_count = Integer(1, HIT_LIMIT)


class Word(Payload):
    """A word of q, and where it occurs."""

    word = Text(200)
    found = List(Nested(WordCount), maximum=len(ITEM_HREFS))


class PartialItem(SearchItem):
    """A record that contains some words of q."""

    words = List(Text(200), maximum=MAX_WORDS)


def words_of(q: str | None) -> list[str]:
    """Return the longest different words of q, without punctuation around them, in order."""
    words = [word.strip(punctuation) for word in RUN.split(q or "")]
    different = list({word.lower(): word for word in words if len(word) > 1}.values())
    longest = sorted(different, key=len, reverse=True)[:MAX_WORDS]
    return [word for word in different if word in longest]


def partial_members(
    caller: Caller, reader: Reader, result: Result, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Return `words` and `partialItems` if a search for several words found few records, else {}.

    Reads only what the search may find. Returns {} too if it takes too long, because the result of
    the search is known already.
    """
    items, words = result.data["items"], words_of(arguments["q"])
    if len(words) < 2 or len(items) >= min(FEW_ITEMS, arguments["limit"]):
        return {}
    source_ids: dict[str, list[str]] = {_source_parameter(name): [] for name in PARTS} | {
        _source_parameter(name): ids for name, ids in parts_of(caller, result.sources)
    }
    try:
        rows = reader.rows(
            "search/find_partial",
            q=arguments["q"],
            words=words,
            after=arguments["after"],
            before=arguments["before"],
            examined_limit=EXAMINED_LIMIT,
            hit_limit=HIT_LIMIT,
            recent_limit=RECENT_MESSAGES,
            row_limit=MAX_PARTIAL_ITEMS + FEW_ITEMS,
            **source_ids,
        ).dicts()
    except RequestTimeout:
        return {}
    listed = {(item["kind"], item["id"]) for item in items}
    records = [row for row in rows if row["id"] and (row["kind"], row["id"]) not in listed]
    partial = [_partial_item(row, words, result) for row in records[:MAX_PARTIAL_ITEMS]]
    return {"words": _words(words, rows), "partialItems": partial}


def _source_parameter(statement: str) -> str:
    """Return the name of a statement's parameter with the source ids, like people_source_ids."""
    return statement.removeprefix("search/find_") + "_source_ids"


def _partial_item(row: Mapping[str, Any], words: Sequence[str], result: Result) -> dict[str, Any]:
    contained = [words[number - 1] for number in sorted(row["word_numbers"])]
    rarest = words[row["word_numbers"][0] - 1]
    item = PartialItem.one(item_of(row, rarest, result.sources) | {"words": contained})
    return brief(item)


def _words(words: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return where each word occurs: for each kind, the source with most records."""
    counts = sorted(
        (row for row in rows if row["word_number"]),
        key=lambda row: (row["record_count"], row["kind"], row["source_id"]),
    )
    return [
        Word.one({"word": word, "found": _of_kinds(counts, number)})
        for number, word in enumerate(words, 1)
    ]


def _of_kinds(counts: Sequence[Mapping[str, Any]], number: int) -> list[Mapping[str, Any]]:
    of_kinds = {row["kind"]: row for row in counts if row["word_number"] == number}
    return sorted(of_kinds.values(), key=itemgetter("kind"))
