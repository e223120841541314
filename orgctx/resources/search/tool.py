"""The tool that searches: it says where matches are, and helps if there are few."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from orgctx.operations.exposure import ids
from orgctx.operations.lookups import match_members, places_of_assets
from orgctx.operations.operation import Reader, Result
from orgctx.operations.source_payload import ContextSource
from orgctx.operations.stored_text import TextWork
from orgctx.operations.titles import Titled, distinct_titles
from orgctx.resources.search.items import (
    DOCUMENTS,
    WHOLE_LENGTH,
    brief,
    is_inside_word,
    long_previews,
)
from orgctx.resources.search.partial import (
    ELSEWHERE,
    FOLLOWING,
    MAX_PARTIAL_ITEMS,
    MAX_SUGGESTIONS,
    MAX_WORDS,
    PARTIAL,
    SUGGESTED,
    PartialItem,
    Word,
    WordCount,
    partial_members,
)
from orgctx.resources.search.schemas import ContextSearchResult, SearchContext, SearchItem
from orgctx.schemas import arguments
from orgctx.schemas.fields import Enum, Integer, List, Nested, Text
from orgctx.schemas.payload import Payload, fields_of
from orgctx.schemas.text import PREVIEW_LENGTH

CONVERSATION = (
    "The id of a message is chatId:number. list_telegram_messages with around=number reads on."
)
NOTHING = (
    "No record was found with q or its words. Search for a part of a word, such as its stem or, in "
    "Chinese or Japanese, 2 to 4 characters, or for a synonym."
)


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

    preview = Text(WHOLE_LENGTH)
    match_offset = Integer(0, optional=True)
    further_match_count = Integer(0, optional=True)
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
    suggestions = List(Text(), maximum=MAX_SUGGESTIONS, optional=True)
    elsewhere = List(Nested(WordCount), optional=True)
    inside_longer_words = Integer(1, optional=True)
    searched_source_count = Integer(0)


ASSET_MEMBERS = [field.data_key for field in fields_of(AssetOfItem).values()]
SOURCE_MEMBERS = [field.data_key for field in fields_of(SourceOfItems).values()]


def shape(result: Result, reader: Reader, arguments: Mapping[str, Any]) -> Result:
    """Leave out sources without an item, count those searched, and place documents."""
    sources, items = result.data["sources"], result.data["items"]
    partial = partial_members(result, reader, arguments)
    hints = tuple(partial.pop("hints", ()))
    following = partial.pop("following", {})
    partial_items = partial.get("partialItems", [])
    source_ids = {item["sourceId"] for item in (*items, *partial_items)}
    titles = _titles(reader, result, items)
    documents = [item["id"] for item in items if item["kind"] in DOCUMENTS]
    assets = _assets(reader, [*items, *partial_items])
    matches = match_members(reader, ids(result.sources), documents, arguments["q"])
    q = arguments["q"] or ""
    previews = long_previews((row, q) for row in result.rows)
    shown = [
        brief(item)
        | {"title": titles.get(item["id"], item["title"]), "preview": preview}
        | matches.get(item["id"], {})
        | assets.get(item["id"], {})
        | ({"following": following[item["id"]]} if item["id"] in following else {})
        for item, preview in zip(items, previews, strict=True)
    ]
    work = TextWork(reader.deadline)
    inside = [is_inside_word(row, q, work) for row in result.rows]
    data = result.data | {
        # Hits inside longer words come last.
        "items": [item for _, item in sorted(zip(inside, shown, strict=True), key=itemgetter(0))],
        "sources": [
            {name: source[name] for name in SOURCE_MEMBERS}
            for source in sources
            if source["id"] in source_ids
        ],
        "searchedSourceCount": len(sources),
        **({"insideLongerWords": sum(inside)} if any(inside) else {}),
        **partial,
    }
    if partial_items:
        data["partialItems"] = [item | assets.get(item["id"], {}) for item in partial_items]
    has_message = any(item["kind"] == "message" for item in (*items, *partial_items))
    is_nothing = bool(q) and not items and not partial_items
    is_elsewhere = "elsewhere" in partial
    if is_elsewhere or is_nothing:
        hints = (ELSEWHERE if is_elsewhere else SUGGESTED if "suggestions" in partial else NOTHING,)
    hints += (PARTIAL,) * bool(partial_items)
    hints += (CONVERSATION,) * has_message
    # The notice on freshness is about the sources of the items.
    of_items = [source for source in result.sources if source.id in source_ids] or result.sources
    return replace(result, data=data, sources=of_items, hints=hints)


def _assets(reader: Reader, items: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the member `asset` of files and folders by id."""
    asset_ids = [item["id"] for item in items if item["kind"] == "asset"]
    return {
        id_: {"asset": {name: place[name] for name in ASSET_MEMBERS}}
        for id_, place in places_of_assets(reader, asset_ids).items()
    }


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
