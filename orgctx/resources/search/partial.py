"""What a search that found nothing tells an agent: which of its words occur, and where."""

import re
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence, Set
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
    WINDOWS,
    brief,
    is_short,
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
ONE_WINDOW = (960,)  # for the preview of a long record that is the only one
FOLLOWING = 3  # messages after a message
# A preview shows a passage of this length; so many places of each word are compared.
PASSAGE, MAX_PLACES = 400, 50
# What is examined: the newest messages; then for each word and kind, candidates of the index and
# records with the word. The help takes less than three times the search (bench.statements), unless
# the key reads few of the newest messages.
RECENT_MESSAGES, EXAMINED_LIMIT, HIT_LIMIT = 500, 100, 12
PARTIAL = "partialItems have some words of q; for others, search for one word."
ABSENT = "No record was found with {words}."
SUGGESTED = "These sources contain the suggestions."
APART = (
    "No two words of q are near each other, so read partialItems with care. If they do not answer, "
    "nor a synonym, these sources do not have the answer."
)
ELSEWHERE = "Without source, after and before, q matches the records that elsewhere counts."

HAN, HIRAGANA, KATAKANA = "\u3005\u3400-\u9fff", "\u3041-\u309f", "\u30a0-\u30ff"
LONG_HAN = re.compile(f"[{HAN}]{{3,}}")
# Words within a word: of these scripts, and letters and digits of others.
SCRIPT = re.compile(rf"[{HAN}]+|[{HIRAGANA}]+|[{KATAKANA}]+|[^\W_{HAN}{HIRAGANA}{KATAKANA}]+")
LEAST_COMPOUND = 8
# Endings to leave out, so that "invoices" also finds "invoice".
ENDING = re.compile(r"(?<=\w{4})(?:ies|ing|ed|es|(?<![sui])s)$")
WORD = re.compile(r"\w{4,40}")
# Words of questions that say nothing about the answer.
COMMON = frozenset((
    "about", "after", "anybody", "anyone", "anything", "before", "could", "does", "from",
    "have", "into", "many", "much", "should", "some", "somebody", "someone", "something",
    "than", "that", "their", "them", "then", "there", "these", "they", "this", "were", "what",
    "when", "where", "whether", "which", "whom", "whose", "will", "with", "would", "your",
    "how", "who", "why", "did", "has", "had", "are", "was", "can",
))  # fmt: skip
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
    """A word of q, how many records contain it, and where if none of them is shown."""

    word = Text(200)
    record_count = Integer(0)
    found = List(Nested(WordCount), maximum=len(ITEM_HREFS), optional=True)


class PartialItem(SearchItem):
    """A record that contains some words of q."""

    preview = Text(*ONE_WINDOW)
    words = List(Text(200), maximum=MAX_WORDS)
    following = List(Text(PREVIEW_LENGTH), maximum=FOLLOWING, optional=True)


def words_of(q: str) -> list[str]:
    """Return the longest different words of q, without punctuation and endings, in order.

    Common words count only if there are no others, or as names in capitals, such as WHO. Words that
    are joined in q by hyphens, by scripts or in a compound count too if q is only one.
    """
    words = [word.strip(punctuation) for word in _split(q)]
    different = list({word.lower(): word for word in words if len(word) > 1}.values())
    if len(different) > 1:
        telling = [word for word in different if word.isupper() or word.lower() not in COMMON]
        telling = telling or different
        longest = sorted(telling, key=len, reverse=True)[:MAX_WORDS]
        stems = [ENDING.sub("", word) for word in telling if word in longest]
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
    half = max(LEAST_SIMILAR, len(piece) // 2)
    return [piece[:-2], piece[:half], piece[-half:]] if len(piece) >= LEAST_COMPOUND else []


def partial_members(result: Result, call: ToolCall) -> dict[str, Any]:
    """Return `words` and `partialItems` if a search found few records, else {}.

    Beside items, only records with all words near each other are shown; `following` has what
    follows messages that are items, by id. If source or dates exclude what q matches, returns
    `elsewhere`. Reads only what the key may search. Returns {} too if it takes too long,
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
    placed = [_placed(row, words) for row in rows if row["id"]]
    records = [row for row in placed if (row["kind"], row["id"]) not in listed]
    if items:
        records = [row for row in records if row["near_count"] == len(words)]
    records = sorted(records, key=lambda row: -row["near_count"])
    records = records[: FEW_ITEMS - len(items) if items else MAX_PARTIAL_ITEMS]
    following = {row["id"]: _following(row) for row in placed if row["following"]}
    if items and not records:
        return {"following": following}
    most = len(records[0]["word_numbers"]) if records else 0
    nearest = max((row["near_count"] for row in records), default=0)
    is_single = len(_split(arguments["q"])) == 1
    is_apart = not items and not is_single and nearest < 2 <= len(words)
    if nearest == len(words):
        records = [row for row in records if row["near_count"] == nearest]
    else:
        # Records with as many words as the first and, if these are few, one with fewer.
        count = sum(len(row["word_numbers"]) == most for row in records)
        count += most > 1 and count < FEW_ITEMS
        records = records[: count if most > 1 else MAX_PARTIAL_ITEMS - 1]
    counts = _words(words, rows, {number for row in records for number in row["word_numbers"]})
    absent = [] if is_single else [word["word"] for word in counts if not word["recordCount"]]
    if is_single:
        # Parts of a word that do not occur say nothing.
        counts = [word for word in counts if word["recordCount"]]
    similar = [] if items else _similar(find, result, arguments, records, absent)
    suggestions = {"suggestions": similar} if similar else {}
    if not counts:
        return suggestions
    is_alone = sum(not is_short(row) for row in records) == 1
    windows = ONE_WINDOW if is_alone else WINDOWS[1:]
    previews = long_previews(((row, "") for row in records), windows)
    partial_items = [
        _partial_item(row, words, result, has_following=len(row["word_numbers"]) == most)
        | {"preview": shown}
        for row, shown in zip(records, previews, strict=True)
    ]
    hints = [ABSENT.format(words=", ".join(absent))] * bool(absent)
    hints += [SUGGESTED] if similar and (absent or is_single) else [APART] * is_apart
    members = {"words": counts, "partialItems": partial_items, **suggestions, "hints": hints}
    return members | {"following": following}


def _similar(
    find: Find,
    result: Result,
    arguments: Mapping[str, Any],
    records: Sequence[Mapping[str, Any]],
    absent: Sequence[str],
) -> list[str]:
    """Return words of records that differ little from a word of q, the most similar first.

    If no record has two words, looks for records with a part of those words that none contains. If
    there are none, only suggests longer forms of others.

    absent: words without endings; of a single word, that is known.
    """
    words = [word.strip(punctuation) for word in _split(arguments["q"])]
    is_absent = {word: len(words) == 1 or ENDING.sub("", word) in absent for word in words}
    words = [word for word in is_absent if len(word) >= LEAST_SIMILAR]
    words = [word for word in words if is_absent[word]] or words
    words = sorted(words, key=len, reverse=True)[: MAX_WORDS // 2]
    known = {word.casefold() for word in WORD.findall(arguments["q"])}
    stored = _by_plain_form(records, known)
    similar = {word: _alike(word, stored) for word in words}
    for word in words:
        if not is_absent[word]:
            similar[word] = [each for each in similar[word] if _plain(word) in _plain(each)]
    missing = [word for word in words if is_absent[word] and not similar[word]]
    if missing and all(row["near_count"] < 2 for row in records):
        parts = [part for word in missing for part in _parts(word, MAX_WORDS // len(missing))]
        try:
            rows = find(result.sources, arguments, parts)
        except RequestTimeout:
            rows = []
        stored = _by_plain_form([row for row in rows if row["id"]], known)
        similar |= {word: _alike(word, stored) for word in missing}
    return [*dict.fromkeys(each for found in similar.values() for each in found)][:MAX_SUGGESTIONS]


def _parts(word: str, count: int) -> list[str]:
    """Return both halves of a word, one of which a typo leaves whole, and longer parts."""
    half, long = len(word) // 2, 5 * len(word) // 8
    return [word[:half], word[half:], word[:long], word[-long:]][:count]


def _by_plain_form(records: Sequence[Mapping[str, Any]], known: set[str]) -> dict[str, str]:
    """Return the words of records by their plain form, without known ones."""
    stored = {word for row in records for word in WORD.findall(f"{row['title']} {row['excerpt']}")}
    return {_plain(each): each for each in sorted(stored) if each.casefold() not in known}


def _alike(word: str, stored: Mapping[str, str]) -> list[str]:
    """Return the words that resemble a word. stored: by their plain form."""
    wanted = _plain(word)
    alike = [each for each in stored if each[:2] == wanted[:2] or each[-3:] == wanted[-3:]]
    matches = get_close_matches(wanted, alike, MAX_SUGGESTIONS, cutoff=SIMILAR)
    return [stored[each] for each in matches]


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
    """Return a row with the passage that has most of its words, and of these the rarest.

    near_count: how many words the passage and the title have.
    """
    # The rarest word comes first.
    weights = {number: 1 + 2.0**-rank for rank, number in enumerate(row["word_numbers"])}
    places = sorted(
        (match.start(), match.end(), number)
        for number in weights
        for match in islice(term_pattern(words[number - 1]).finditer(row["excerpt"]), MAX_PLACES)
    )
    best, passage, numbers = 0.0, (-1, 0), set[int]()
    for number, (start, _, _) in enumerate(places):
        following = islice(places, number, bisect(places, (start + PASSAGE,)))
        near = [place for place in following if place[1] <= start + PASSAGE]
        near_numbers = {number for _, _, number in near}
        score = sum(weights[number] for number in near_numbers)
        if score > best:
            best, passage, numbers = score, (start, max(end for _, end, _ in near)), near_numbers
    numbers |= {n for n in weights if term_pattern(words[n - 1]).search(row["title"])}
    whole = row["is_whole"]
    place = {"match_at": passage[0] + 1, "match_end": passage[1], "starts": whole, "ends": whole}
    return row | place | {"near_count": len(numbers)}


def _partial_item(
    row: Mapping[str, Any], words: Sequence[str], result: Result, *, has_following: bool
) -> dict[str, Any]:
    contained = [words[number - 1] for number in sorted(row["word_numbers"])]
    item = item_of(row, "", result.sources) | {"words": contained}
    if row["following"] and has_following:
        item["following"] = _following(row)
    return brief(PartialItem.one(item))


def _following(row: Mapping[str, Any]) -> list[str]:
    return [preview(text) for text in row["following"]]


def _words(
    words: Sequence[str], rows: Sequence[Mapping[str, Any]], shown: Set[int]
) -> list[dict[str, Any]]:
    """Return how often each word occurs, and unless its number is shown, where.

    That is for each kind the source with most records.
    """
    counted = sorted(
        (row for row in rows if row["word_number"]),
        key=lambda row: (row["kind"], row["record_count"], row["source_id"]),
    )
    result = []
    for number, word in enumerate(words, 1):
        found = [row for row in counted if row["word_number"] == number]
        places = {row["kind"]: row for row in found}
        count = sum(row["record_count"] for row in found)
        is_described = places and number not in shown
        member = {"found": [*places.values()]} if is_described else {}
        result.append(Word.one({"word": word, "record_count": count, **member}))
    return result
