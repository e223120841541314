"""What a search that found nothing tells an agent: which of its words occur, and where."""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import islice
from string import punctuation
from typing import Any
from unicodedata import combining, normalize

from orgctx.errors import RequestTimeout
from orgctx.operations.exposure import Source
from orgctx.operations.operation import Reader, Result, ToolCall
from orgctx.resources.search.items import (
    ITEM_HREFS,
    PARTS,
    WHOLE_LENGTH,
    brief,
    item_of,
    long_previews,
    parts_of,
)
from orgctx.resources.search.schemas import SearchItem
from orgctx.schemas.fields import Enum, Integer, List, Nested, Text
from orgctx.schemas.payload import Payload
from orgctx.schemas.text import PREVIEW_LENGTH, RUN, normal_form, preview, term_pattern

# A search is poor if it finds fewer items, and then looks for the longest words of q.
FEW_ITEMS = 3
MAX_WORDS, MAX_PARTIAL_ITEMS = 4, 5
FOLLOWING = 3  # messages after a message
# A preview shows a passage of this length; so many places of each word are compared.
PASSAGE, MAX_PLACES = 400, 50
# What is examined: the newest messages; then for each word and kind, candidates of the index and
# records with the word. The help takes less than three times the search (bench.statements), unless
# the key reads few of the newest messages.
RECENT_MESSAGES, EXAMINED_LIMIT, HIT_LIMIT = 500, 100, 12
PARTIAL = (
    "partialItems contain only some words of q. words says where the newest matches are; others "
    "may be elsewhere. Search again for one word."
)
ELSEWHERE = "Without source, after and before, q matches the records that elsewhere counts."

HAN, HIRAGANA, KATAKANA = "\u3005\u3400-\u9fff", "\u3041-\u309f", "\u30a0-\u30ff"
LONG_HAN = re.compile(f"[{HAN}]{{3,}}")
# Words within a word: of these scripts, and letters and digits of others.
SCRIPT = re.compile(rf"[{HAN}]+|[{HIRAGANA}]+|[{KATAKANA}]+|[^\W_{HAN}{HIRAGANA}{KATAKANA}]+")
LEAST_COMPOUND = 8
# So that "invoices" also finds "invoice".
ENDING = re.compile(r"(?<=\w{4})(?:ies|ing|ed|es|(?<![sui])s)$")
WORD = re.compile(r"\w{4,40}")
# Words of q that others may resemble, and how much (difflib's ratio).
LEAST_SIMILAR, SIMILAR, MAX_SUGGESTIONS = 5, 0.75, 3


# Returns the rows of search/find_partial for sources, arguments and words.
Find = Callable[[Sequence[Source], Mapping[str, Any], Sequence[str]], list[dict[str, Any]]]


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

    preview = Text(WHOLE_LENGTH)
    words = List(Text(200), maximum=MAX_WORDS)
    following = List(Text(PREVIEW_LENGTH), maximum=FOLLOWING, optional=True)


def words_of(q: str) -> list[str]:
    """Return the longest different words of q, without punctuation and endings, in order.

    Words that are joined in q by hyphens, by scripts or in a compound count too if q is only one.
    """
    words = [word.strip(punctuation) for word in _split(q)]
    different = list({word.lower(): word for word in words if len(word) > 1}.values())
    if len(different) > 1:
        longest = sorted(different, key=len, reverse=True)[:MAX_WORDS]
        stems = [ENDING.sub("", word) for word in different if word in longest]
        return list({stem.lower(): stem for stem in stems}.values())
    pieces = _pieces(words[0]) if len(words) == 1 else []
    return [word for word in dict.fromkeys(pieces) if len(word) > 1][:MAX_WORDS]


def _split(q: str) -> list[str]:
    return RUN.split(normal_form(q).strip())


def _pieces(word: str) -> list[str]:
    """Split a word at hyphens and between scripts, else into the likely parts of a compound."""
    pieces = SCRIPT.findall(word)
    if len(pieces) != 1:
        return pieces
    (piece,) = pieces
    if LONG_HAN.fullmatch(piece):
        return [piece[place : place + 2] for place in range(0, len(piece), 2)]
    half = len(piece) // 2
    return [piece[:-2], piece[:half], piece[-half:]] if len(piece) >= LEAST_COMPOUND else []


def partial_members(result: Result, call: ToolCall) -> dict[str, Any]:
    """Return `words` and `partialItems` if a search found few records, else {}.

    Beside items, only records with all words are shown. If source or dates exclude what q matches,
    returns `elsewhere`. Reads only what the key may search. Returns {} too if it takes too long,
    because the result of the search is known already.
    """
    reader, arguments = call
    items, q = result.data["items"], arguments["q"]
    is_single = len(_split(q or "")) == 1
    if not q or len(items) >= (1 if is_single else min(FEW_ITEMS, arguments["limit"])):
        return {}
    find = partial(_rows, reader)
    try:
        members = _partial(find, result, arguments)
        is_narrow = any(arguments[name] for name in ("source", "after", "before"))
        if not items and is_narrow:
            # The records that match q in all sources at all times.
            rows = find(reader.caller.exposed(), {"q": q, "after": None, "before": None}, [q])
            counts = [WordCount.one(row) for row in rows if row["word_number"]]
            members |= {"elsewhere": counts} if counts else {}
    except RequestTimeout:
        return {}
    return members


def _partial(find: Find, result: Result, arguments: Mapping[str, Any]) -> dict[str, Any]:
    items, words = result.data["items"], words_of(arguments["q"])
    rows = find(result.sources, arguments, words) if words else []
    listed = {(item["kind"], item["id"]) for item in items}
    records = [
        row
        for row in rows
        if row["id"]
        and (row["kind"], row["id"]) not in listed
        and (not items or len(row["word_numbers"]) == len(words))
    ][:MAX_PARTIAL_ITEMS]
    records = [
        row
        for place, row in enumerate(records)
        if place < FEW_ITEMS or len(row["word_numbers"]) >= len(records[0]["word_numbers"])
    ]
    counts = _words(words, rows)
    if len(_split(arguments["q"])) == 1:
        # Parts of a word that do not occur say nothing.
        counts = [word for word in counts if word["found"]]
    if items and not records:
        return {}
    similar = [] if items else _similar(find, result, arguments, records)
    suggestions = {"suggestions": similar} if similar else {}
    if not counts:
        return suggestions
    placed = [_placed(row, words) for row in records]
    previews = long_previews((row, "") for row in placed)
    items = [
        _partial_item(row, words, result) | {"preview": shown}
        for row, shown in zip(placed, previews, strict=True)
    ]
    return {"words": counts, "partialItems": items, **suggestions}


def _similar(
    find: Find, result: Result, arguments: Mapping[str, Any], records: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Return words of records that differ little from a word of q, the most similar first.

    If nothing contains a word of q, looks for records with a half of one of the longest.
    """
    words = [word for word in _split(arguments["q"]) if len(word) >= LEAST_SIMILAR]
    words = sorted(words, key=len, reverse=True)[: MAX_WORDS // 2]
    if words and not records:
        halves = [
            half for word in words for half in (word[: len(word) // 2], word[len(word) // 2 :])
        ]
        rows = find(result.sources, arguments, halves)
        records = [row for row in rows if row["id"]]
    known = {word.casefold() for word in WORD.findall(arguments["q"])}
    stored = {word for row in records for word in WORD.findall(f"{row['title']} {row['excerpt']}")}
    plain = {_plain(word): word for word in sorted(stored) if word.casefold() not in known}
    similar: list[str] = []
    for wanted in map(_plain, words):
        alike = [each for each in plain if each[:2] == wanted[:2] or each[-3:] == wanted[-3:]]
        similar += get_close_matches(wanted, alike, MAX_SUGGESTIONS, cutoff=SIMILAR)
    return [plain[word] for word in dict.fromkeys(similar)][:MAX_SUGGESTIONS]


def _plain(word: str) -> str:
    """Return a word without case and accents."""
    return "".join(char for char in normalize("NFKD", word.casefold()) if not combining(char))


def _rows(
    reader: Reader,
    sources: Sequence[Source],
    arguments: Mapping[str, Any],
    words: Sequence[str],
) -> list[dict[str, Any]]:
    """Return where words occur, then the records with most of them."""
    source_ids: dict[str, list[str]] = {_source_parameter(name): [] for name in PARTS} | {
        _source_parameter(name): ids for name, ids in parts_of(reader.caller, sources)
    }
    return reader.rows(
        "search/find_partial",
        **{name: arguments[name] for name in ("q", "after", "before")},
        words=words,
        examined_limit=EXAMINED_LIMIT,
        hit_limit=HIT_LIMIT,
        recent_limit=RECENT_MESSAGES,
        row_limit=MAX_PARTIAL_ITEMS + FEW_ITEMS,
        following_limit=FOLLOWING,
        **source_ids,
    ).dicts()


def _source_parameter(statement: str) -> str:
    """Return the name of a statement's parameter with the source ids, like people_source_ids."""
    return statement.removeprefix("search/find_") + "_source_ids"


def _placed(row: dict[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """Return a row with the passage that has most of its words, and of these the rarest."""
    # The rarest word comes first.
    weights = {number: 1 + 2.0**-rank for rank, number in enumerate(row["word_numbers"])}
    places = sorted(
        (match.start(), match.end(), number)
        for number in weights
        for match in islice(term_pattern(words[number - 1]).finditer(row["excerpt"]), MAX_PLACES)
    )
    best, passage = 0.0, (-1, 0)
    for start, _, _ in places:
        near = [place for place in places if start <= place[0] and place[1] <= start + PASSAGE]
        score = sum(weights[number] for number in {number for _, _, number in near})
        if score > best:
            best, passage = score, (start, max(end for _, end, _ in near))
    whole = row["is_whole"]
    place = {"match_at": passage[0] + 1, "match_end": passage[1], "starts": whole, "ends": whole}
    return row | place


def _partial_item(row: Mapping[str, Any], words: Sequence[str], result: Result) -> dict[str, Any]:
    contained = [words[number - 1] for number in sorted(row["word_numbers"])]
    item = item_of(row, "", result.sources) | {"words": contained}
    if row["following"]:
        item["following"] = [preview(text) for text in row["following"]]
    return brief(PartialItem.one(item))


def _words(words: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return where each word occurs: for each kind, the source with most records."""
    found: dict[int, dict[str, Any]] = {number: {} for number in range(1, len(words) + 1)}
    for row in sorted(
        (row for row in rows if row["word_number"]),
        key=lambda row: (row["record_count"], row["kind"], row["source_id"]),
    ):
        found[row["word_number"]][row["kind"]] = row
    return [
        Word.one({"word": word, "found": [of_kinds[kind] for kind in sorted(of_kinds)]})
        for word, of_kinds in zip(words, found.values(), strict=True)
    ]
