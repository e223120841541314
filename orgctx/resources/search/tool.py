"""The tool that searches: it says where matches are, and helps if there are few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from orgctx.operations.exposure import Caller, ids
from orgctx.operations.matches import match_members
from orgctx.operations.operation import Reader, Result
from orgctx.operations.source_payload import ContextSource
from orgctx.operations.titles import Titled, distinct_titles
from orgctx.resources.search.items import brief
from orgctx.resources.search.partial import (
    MAX_PARTIAL_ITEMS,
    MAX_WORDS,
    PARTIAL,
    PartialItem,
    Word,
    partial_members,
)
from orgctx.resources.search.schemas import ContextSearchResult, SearchContext, SearchItem
from orgctx.schemas.fields import Integer, List, Nested
from orgctx.schemas.payload import fields_of

DOCUMENTS = ("document", "note")
CONVERSATION = (
    "The id of a message is chatId:number. To read the conversation, call list_telegram_messages "
    "with this chatId and around=number."
)
NOTHING = (
    "Nothing contains q as it is written. Search for a part of a word, such as its stem or, in "
    "Chinese or Japanese, 2 to 4 characters, or for a synonym."
)


class SearchContextArguments(SearchContext):
    """REST's arguments, with fewer records by default."""

    limit = Integer(1, 50, default=10, doc="How many records to return.")


class SearchItemTool(SearchItem):
    """A preview of a stored record, with where a long document matches."""

    match_offset = Integer(0, optional=True)
    further_match_count = Integer(0, optional=True)


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


SOURCE_MEMBERS = [field.data_key for field in fields_of(SourceOfItems).values()]


def shape(caller: Caller, reader: Reader, result: Result, arguments: Mapping[str, Any]) -> Result:
    """Leave out sources without an item, count those searched, and place documents."""
    sources, items = result.data["sources"], result.data["items"]
    partial = partial_members(caller, reader, result, arguments)
    partial_items = partial.get("partialItems", [])
    source_ids = {item["sourceId"] for item in (*items, *partial_items)}
    titles = _titles(reader, result, items)
    documents = [item["id"] for item in items if item["kind"] in DOCUMENTS]
    matches = match_members(reader, ids(result.sources), documents, arguments["q"])
    data = result.data | {
        "items": [
            brief(item)
            | {"title": titles.get(item["id"], item["title"])}
            | matches.get(item["id"], {})
            for item in items
        ],
        "sources": [
            {name: source[name] for name in SOURCE_MEMBERS}
            for source in sources
            if source["id"] in source_ids
        ],
        "searchedSourceCount": len(sources),
        **partial,
    }
    has_message = any(item["kind"] == "message" for item in (*items, *partial_items))
    is_nothing = bool(arguments["q"]) and not items and not partial_items
    hints = (NOTHING,) * is_nothing + (PARTIAL,) * bool(partial_items)
    hints += (CONVERSATION,) * has_message
    # The notice on freshness is about the sources of the items.
    of_items = [source for source in result.sources if source.id in source_ids] or result.sources
    return replace(result, data=data, sources=of_items, hints=hints)


def _titles(reader: Reader, result: Result, items: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return longer titles by id for the documents and notes that share their title."""
    documents = {item["id"]: item["title"] for item in items if item["kind"] in DOCUMENTS}
    counts = Counter(documents.values())
    equal_ids = [id_ for id_, title in documents.items() if counts[title] > 1]
    if not equal_ids:
        return {}
    rows = reader.rows(
        "search/list_places", source_ids=ids(result.sources), knowledge_ids=equal_ids
    ).dicts()
    return distinct_titles(
        Titled(row["id"], documents[row["id"]], row["source_href"], row["source_label"])
        for row in rows
    )
