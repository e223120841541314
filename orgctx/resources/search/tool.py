"""The tool that searches: it says where matches are, and helps if there are few."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from orgctx.errors import RequestTimeout
from orgctx.operations.exposure import ids
from orgctx.operations.lookups import LookUp, look_up, matches_in, places_of_assets
from orgctx.operations.operation import Reader, Result
from orgctx.operations.source_payload import ContextSource
from orgctx.operations.stored_text import TextWork
from orgctx.operations.titles import Titled, distinct_titles
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
from orgctx.stores.db import Row


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
    further = _look_up(reader, result, found, q)
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
    said = tuple(hints(result, reader.caller, arguments, partial))
    return replace(result, data=data, sources=of_items, hints=said)


def _look_up(
    reader: Reader, result: Result, found: Sequence[Mapping[str, Any]], q: str
) -> dict[str, dict[str, Any]]:
    """Return longer titles and matches of documents, and the member `asset` of files, by id.

    There are none if it takes too long, because the records are known already.
    """
    source_ids = ids(result.sources)
    documents = {
        item["id"]: item["title"] for item in result.data["items"] if item["kind"] in DOCUMENTS
    }
    files = [item["id"] for item in found if item["kind"] == "asset"]
    try:
        titles, places, matches = look_up(
            reader,
            _titles(source_ids, documents),
            places_of_assets(reader.caller, files),
            matches_in(source_ids, [*documents], q),
        )
    except RequestTimeout:
        titles, places, matches = {}, {}, {}
    assets = {
        id_: {"asset": {name: place[name] for name in ASSET_MEMBERS}}
        for id_, place in places.items()
    }
    return {
        id_: titles.get(id_, {}) | matches.get(id_, {}) | assets.get(id_, {})
        for id_ in (item["id"] for item in found)
    }


def _titles(source_ids: Sequence[str], documents: Mapping[str, str]) -> LookUp:
    """Look up longer titles for the documents and notes that share their title."""
    counts = Counter(documents.values())
    shared = [id_ for id_, title in documents.items() if counts[title] > 1]
    parameters = {"source_ids": source_ids, "knowledge_ids": shared}

    def members(rows: Sequence[Row]) -> dict[str, Any]:
        titles = distinct_titles(
            Titled(row["id"], documents[row["id"]], row["source_href"], row["source_label"])
            for row in rows
        )
        return {id_: {"title": title} for id_, title in titles.items()}

    return LookUp(("search/list_places", parameters) if shared else None, members)
