"""The tool that searches: it says where matches are, and helps if there are few."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from operator import itemgetter
from typing import Any

from orgctx.errors import RequestTimeout
from orgctx.operations.exposure import ids
from orgctx.operations.lookups import Titled, distinct_titles, matches_in, places_of_assets
from orgctx.operations.operation import Reader, Result
from orgctx.operations.source_payload import ContextSource
from orgctx.operations.stored_text import TextWork
from orgctx.resources.search.hints import hints
from orgctx.resources.search.items import (
    DOCUMENTS,
    LONG_PREVIEW,
    brief,
    is_inside_word,
    preview_of,
)
from orgctx.resources.search.partial import (
    FOLLOWING,
    MAX_PARTIAL_ITEMS,
    PartialItem,
    Word,
    partial_members,
)
from orgctx.resources.search.ranking import MAX_WORDS
from orgctx.resources.search.schemas import ContextSearchResult, SearchContext, SearchItem
from orgctx.schemas import arguments
from orgctx.schemas.fields import Enum, Integer, List, Nested, Text
from orgctx.schemas.payload import Payload, fields_of
from orgctx.schemas.text import PREVIEW_LENGTH


class SearchContextArguments(SearchContext):
    """REST's arguments, with fewer records by default."""

    q = arguments.query(
        "2 to 4 distinctive words, ignoring case. `items` have the phrase, `partialItems` most "
        "words. Without q the newest records."
    )
    limit = Integer(1, 50, default=10, doc="How many records to return.")


class AssetOfItem(Payload):
    """What a search shows of a file or folder."""

    kind = Enum("folder", "file")
    path = Text()
    bytes = Integer(0, 2**63 - 1)
    public_url = Text(nullable=True)


class SearchItemTool(SearchItem):
    """A longer preview of a stored record, with where a long document matches."""

    preview = Text(LONG_PREVIEW)
    match_offset = Integer(0, optional=True)
    asset = Nested(AssetOfItem, optional=True)
    following = List(Text(PREVIEW_LENGTH), maximum=FOLLOWING, optional=True)


class SourceOfItems(ContextSource):
    """A source of found records. list_sources describes it further."""

    class Meta:
        fields = ("id", "label", "kind", "status", "updated_at")


class SearchContextTool(ContextSearchResult):
    """The result of a search, with the sources of its items."""

    items = List(Nested(SearchItemTool), maximum=50)
    sources = List(Nested(SourceOfItems), doc="The sources of the items.")
    words = List(Nested(Word), maximum=MAX_WORDS, optional=True)
    partial_items = List(Nested(PartialItem), maximum=MAX_PARTIAL_ITEMS, optional=True)
    searched_source_count = Integer(0)


ASSET_MEMBERS = [field.data_key for field in fields_of(AssetOfItem).values()]
SOURCE_MEMBERS = [field.data_key for field in fields_of(SourceOfItems).values()]


def shape(result: Result, reader: Reader, arguments: Mapping[str, Any]) -> Result:
    """Leave out sources without an item, count those searched, and help if it found little."""
    items, sources, q = result.data["items"], result.data["sources"], arguments["q"] or ""
    partial = partial_members(result, reader, arguments)
    following = partial.pop("following", {})
    found = [*items, *partial.get("partialItems", [])]
    further = _further(reader, result, found, q)
    shown = [
        brief(item)
        | {"preview": preview_of(row, q, LONG_PREVIEW)}
        | further[item["id"]]
        | following.get(item["id"], {})
        for item, row in zip(items, result.rows, strict=True)
    ]
    work = TextWork(reader.deadline)
    inside = [is_inside_word(row, q, work) for row in result.rows]
    source_ids = {item["sourceId"] for item in found}
    data = result.data | {
        # Hits inside longer words come last.
        "items": [item for _, item in sorted(zip(inside, shown, strict=True), key=itemgetter(0))],
        "sources": [
            {name: source[name] for name in SOURCE_MEMBERS}
            for source in sources
            if source["id"] in source_ids
        ],
        "searchedSourceCount": len(sources),
        **partial,
    }
    if "partialItems" in partial:
        data["partialItems"] = [item | further[item["id"]] for item in partial["partialItems"]]
    # The notice on freshness is about the sources of the items.
    of_items = [source for source in result.sources if source.id in source_ids] or result.sources
    shaped = replace(result, data=data, sources=of_items)
    return replace(shaped, hints=tuple(hints(shaped, reader.caller, arguments, inside)))


def _further(
    reader: Reader, result: Result, found: Sequence[Mapping[str, Any]], q: str
) -> dict[str, dict[str, Any]]:
    """Return longer titles and matches of documents, and the member `asset` of files, by id.

    Leaves out what takes too long to look up, because the records are known already.
    """
    further: dict[str, dict[str, Any]] = {item["id"]: {} for item in found}
    titles = {row["id"]: row["title"] for row in result.rows if row["kind"] in DOCUMENTS}
    files = [item["id"] for item in found if item["kind"] == "asset"]
    source_ids = ids(result.sources)
    with suppress(RequestTimeout):
        if len(set(titles.values())) < len(titles):
            rows = reader.rows("search/list_places", source_ids=source_ids, knowledge_ids=[*titles])
            places = (
                Titled(row["id"], titles[row["id"]], row["source_href"], row["source_label"])
                for row in rows.dicts()
            )
            for id_, title in distinct_titles(places).items():
                further[id_]["title"] = title
        for id_, place in places_of_assets(reader, files).items():
            further[id_]["asset"] = {name: place[name] for name in ASSET_MEMBERS}
        for id_, match in matches_in(reader, source_ids, [*titles], q).items():
            further[id_] |= match
    return further
