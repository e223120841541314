"""The tools of the knowledge library: where matches and headings are, and distinct titles."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from string import punctuation
from typing import Any

from orgctx.errors import RequestTimeout
from orgctx.operations import stored_text
from orgctx.operations.exposure import ids
from orgctx.operations.lookups import Titled, distinct_titles, matches_in
from orgctx.operations.operation import Reader, Result
from orgctx.operations.stored_text import Folded, TextWork
from orgctx.resources.knowledge.schemas import ContentRange, KnowledgeItem, KnowledgeSummary
from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS, cut
from orgctx.schemas.fields import Integer, List, Nested, Text
from orgctx.schemas.payload import Payload
from orgctx.schemas.text import preview, utf16_length

MAX_HEADINGS, MAX_TITLE = 50, 80
NOT_FRESHNESS = "sourceStatus is the state of a document in its source, not how fresh it is."
# How much of a document is read for its outline, and from a segment on for matches.
OUTLINED_UNITS, MATCHED_UNITS = 500_000, 100_000
MAX_MATCHES, MATCH_LENGTH = 10, 60
# How much of the text before a match a segment shows.
CONTEXT_UNITS = 200
# Words of q that are looked for if q does not occur.
MAX_WORDS = 20
MOST_PLACES = 100  # of each
LIMIT_FOR_Q = 3_000
PAST_END = "offset is past the end of the content; contentRange.total is its length."
BEFORE = "q occurs only before offset; pass a smaller offset."
NOWHERE = (
    "q does not occur in this content, and no word of it in the first 500,000 units. Read on from "
    "an offset of the outline, or without q."
)


class Heading(Payload):
    """A heading of a document."""

    level = Integer(1, 6)
    title = Text(MAX_TITLE)
    offset = Integer(0, doc="In UTF-16 code units.")


class Match(Payload):
    """A match of q."""

    offset = Integer(0, doc="In UTF-16 code units.")
    text = Text(MATCH_LENGTH)


class ReadKnowledgeTool(KnowledgeItem):
    """A segment of a document or note, with the headings or the matches in it."""

    matches = List(Nested(Match), maximum=MAX_MATCHES, optional=True)
    outline = List(Nested(Heading), maximum=MAX_HEADINGS, optional=True)


class ListKnowledgeTool(KnowledgeSummary):
    """A document or note, with where a long one matches."""

    match_offset = Integer(0, optional=True)


def with_outline(result: Result, reader: Reader, arguments: Mapping[str, Any]) -> Result:
    """Add matches of q, headings if they help to read on, hints and the notice of a document.

    Headings are added to the first segment of a long document, and to an empty one.
    """
    segment, q = result.data["contentRange"], arguments["q"]
    work = TextWork(reader.deadline)
    is_empty = not segment["length"] and bool(segment["total"])
    if q and not is_empty:
        result = _with_matches(result, reader, arguments, work)
    elif is_empty or (segment["offset"] == 0 and segment["nextOffset"]):
        _, content = _content(reader, result, 0, OUTLINED_UNITS)
        data = dict(result.data)
        if data["contentFormat"] == "markdown":
            data["outline"] = outline(content, work)
        result = replace(result, data=data)
        if is_empty:
            result = _with_passage(result, arguments, content, work)
    return with_source_notice(result)


def _with_matches(
    result: Result, reader: Reader, arguments: Mapping[str, Any], work: TextWork
) -> Result:
    """Add where q is, from the start of the segment on."""
    start, content = _content(reader, result, result.data["contentRange"]["offset"], MATCHED_UNITS)
    matches = _matches(start, content, arguments["q"], arguments["offset"], work)
    return replace(result, data={**result.data, "matches": matches})


def _with_passage(
    result: Result, arguments: Mapping[str, Any], content: str, work: TextWork
) -> Result:
    """Show the passage that has most words of q, or say why the segment is empty."""
    q, folded = arguments["q"], Folded(content, work)
    if not q or arguments["offset"]:
        hint = (BEFORE if q in folded else NOWHERE) if q else PAST_END
        return replace(result, hints=(*result.hints, hint))
    words = [*dict.fromkeys(word.strip(punctuation) for word in q.split())][:MAX_WORDS]
    places = sorted(
        (match.start, word)
        for word in words
        if len(word) > 1
        for match in folded.find(word, MOST_PLACES)
    )
    if not places:
        return replace(result, hints=(*result.hints, NOWHERE))
    first, last = _densest(places, arguments["limit"] // 2)
    found = {word for _, word in places[first : last + 1]}
    shown = ", ".join(word for word in words if word in found)
    hint = f"q does not occur as it is written. The segment has most words of it: {shown}."
    offset = max(0, utf16_length(content[: places[first][0]]) - CONTEXT_UNITS)
    total = result.data["contentRange"]["total"]
    text, content_range = cut([(0, content)], total, offset, arguments["limit"])
    data = {**result.data, "content": text, "contentRange": ContentRange.one(content_range)}
    data.pop("outline", None)
    return replace(result, data=data, hints=(*result.hints, hint))


def _densest(places: Sequence[tuple[int, str]], width: int) -> tuple[int, int]:
    """Return the first and last place of the shortest part with most different words.

    places: of words, ascending. width: the most characters between them.
    """
    counts: Counter[str] = Counter()
    best, first = (0, 0, 0, 0), 0
    for last, (place, word) in enumerate(places):
        counts[word] += 1
        while place - places[first][0] > width or counts[places[first][1]] > 1:
            counts[places[first][1]] -= 1
            first += 1
        best = max(best, (len(+counts), places[first][0] - place, -first, -last))
    return -best[2], -best[3]


def _content(reader: Reader, result: Result, start: int, unit_count: int) -> tuple[int, str]:
    """Return a part of the content, in whole chunks, after its offset. Both are in UTF-16 units."""
    _, chunks = reader.rows(
        "knowledge/read_knowledge",
        id=result.data["id"],
        source_ids=ids(result.sources),
        segment_start=start,
        segment_end=start + unit_count,
        first_chunk=start - MAX_CHUNK_UNITS,
    ).split("first_unit")
    first_unit = chunks.rows[0][0] if chunks.rows else start
    return first_unit, "".join(text for _, text in chunks.rows)


def _matches(
    offset: int, content: str, q: str, least_offset: int, work: TextWork
) -> list[dict[str, Any]]:
    """Return where q is at or after `least_offset`, with the text around it.

    offset: that of the content.
    """
    before = content.encode("utf-16-le")[: 2 * max(0, least_offset - offset)]
    start, at, matches = len(before.decode("utf-16-le", "ignore")), 0, []
    for match in Folded(content, work).find(q, MAX_MATCHES, start):
        offset, at = offset + utf16_length(content[at : match.start]), match.start
        text = content[max(0, at - MATCH_LENGTH // 3) :][: 2 * MATCH_LENGTH]
        matches.append({"offset": offset, "text": preview(text, MATCH_LENGTH)})
    return matches


def with_source_notice(result: Result) -> Result:
    """Keep sourceStatus apart from freshness where a source is not current."""
    is_current = all(source.status == "current" for source in result.sources)
    return result if is_current else replace(result, notices=(NOT_FRESHNESS,))


def with_places(result: Result, reader: Reader, arguments: Mapping[str, Any]) -> Result:
    """Add where matches are, version or folder to equal titles, and the notice of a document."""
    titles = distinct_titles(
        Titled(item["id"], item["title"], item["sourceHref"], item["sourceLabel"])
        for item in result.data
    )
    item_ids = [item["id"] for item in result.data]
    matches: dict[str, dict[str, int]] = {}
    # The documents themselves are known already.
    with suppress(RequestTimeout):
        matches = matches_in(reader, ids(result.sources), item_ids, arguments["q"])
    data = [
        item | {"title": titles.get(item["id"], item["title"])} | matches.get(item["id"], {})
        for item in result.data
    ]
    return with_source_notice(replace(result, data=data))


def outline(content: str, work: TextWork) -> list[dict[str, Any]]:
    """Return at most MAX_HEADINGS headings of the highest levels, as the fields of Heading."""
    by_level: dict[int, list[stored_text.Heading]] = {level: [] for level in range(1, 7)}
    for heading in stored_text.headings(content, work):
        if len(by_level[heading.level]) <= MAX_HEADINGS:
            by_level[heading.level].append(heading)
    shown = [heading for level in by_level.values() for heading in level]
    for level in range(6, 1, -1):
        higher = [heading for heading in shown if heading.level < level]
        if len(shown) > MAX_HEADINGS and higher:
            shown = higher
    return [
        {"level": heading.level, "title": _title(heading.title), "offset": heading.start}
        for heading in sorted(shown, key=attrgetter("start"))[:MAX_HEADINGS]
    ]


def _title(text: str) -> str:
    """Return the text of a heading without closing `#`."""
    title, _, closing = text.rstrip().rpartition(" ")
    return preview(title if title and not closing.strip("#") else text, MAX_TITLE)
