"""The tool that searches: it describes only the sources of what it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Reader, Result
from orgctx.resources.search.schemas import ContextSearchResult
from orgctx.schemas.fields import Integer

CONVERSATION = (
    "The id of a message is chatId:number. To read the conversation, call list_telegram_messages "
    "with this chatId and around=number."
)


class SearchContextTool(ContextSearchResult):
    """The result of a search, with the sources of its items."""

    searched_source_count = Integer(0)


def sources_of_items(
    caller: Caller,  # noqa: ARG001
    reader: Reader,  # noqa: ARG001
    result: Result,
    arguments: Mapping[str, Any],  # noqa: ARG001
) -> Result:
    """Leave out the sources without an item, and count those that were searched."""
    sources = result.data["sources"]
    source_ids = {item["sourceId"] for item in result.data["items"]}
    data = result.data | {
        "sources": [source for source in sources if source["id"] in source_ids],
        "searchedSourceCount": len(sources),
    }
    has_message = any(item["kind"] == "message" for item in data["items"])
    # The notice on freshness is about the sources of the items.
    of_items = [source for source in result.sources if source.id in source_ids] or result.sources
    return replace(
        result, data=data, sources=of_items, hints=(CONVERSATION,) if has_message else ()
    )
