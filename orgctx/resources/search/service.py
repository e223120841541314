"""The operations and their service functions."""

from collections.abc import Iterable
from datetime import datetime
from operator import itemgetter
from typing import Any

from orgctx.errors import InvalidParameter, NotFound
from orgctx.operations.exposure import Caller, Source, by_id
from orgctx.operations.operation import Identifier, Reader, Resource, Result, Use
from orgctx.operations.source_kinds import KINDS
from orgctx.operations.source_payload import descriptions_of, members_of
from orgctx.resources.search.items import item_of, parts_of
from orgctx.resources.search.schemas import ContextSearchResult, SearchContext
from orgctx.resources.search.tool import SearchContextArguments, SearchContextTool, shape
from orgctx.stores.db import Statement

RESOURCE = Resource(tag="context")
# Scanning this many of the newest records fills a page of 20 with a term of one in twenty, faster
# than the index does. Scanning more would slow down rare terms.
RECENT = 600
# The newest people, and messages of a chat, that are searched; and the characters of an excerpt
# before and around a match, or of a text without one, of which a preview shows a part.
LIMITS = {
    "pool_limit": 10_000, "before_length": 600, "excerpt_length": 1_400, "start_length": 4_000,
}  # fmt: skip
# A setting of the transaction in which all statements of a search run. If the records of one fill
# the page, it stores the time of the last one in it, and the following statements ignore older
# records. It only saves time: the result is the same without it.
SINCE_SETTING = "orgctx.search_since"


@RESOURCE.operation(
    path="/search",
    title="Search context",
    scopes=("context:read",),
    kinds=KINDS,
    is_overview=True,
    arguments=SearchContext,
    payload=ContextSearchResult,
    is_findable=True,
    is_core=True,
    use=Use("When is the next release?", {"q": "next release date"}),
    shape=shape,
    tool_arguments=SearchContextArguments,
    tool_payload=SearchContextTool,
    identifier=Identifier("source", "list_sources returns the ids of sources."),
    guide=(
        "Pass 2 to 4 distinctive words of the question to search_context: `items` contain "
        "them as one phrase, `partialItems` most of them anywhere. It finds literal text, "
        "no synonyms or word forms.",
        "Read a document or note that you found by its id with read_knowledge; the same q "
        "starts near the match. Read a person with read_person. Read an asset with read_asset.",
        'For example, to answer "What did we decide about refunds?", call search_context '
        'with {"q": "refund decision"}, then read_knowledge or list_telegram_messages for '
        "the item that decides it.",
        "Pass ids as lists and searches return them: the `key` of a person, and the `id` "
        "of a chat as `chatId`.",
    ),
)
def search_context(
    caller: Caller,
    reader: Reader,
    *,
    q: str | None,
    source: str | None,
    after: datetime | None,
    before: datetime | None,
    limit: int,
) -> Result:
    """Search all stored records that this key can read for literal text: documents, notes,
    messages, posts, people, assets, profile and token. Without q, returns the newest records.
    The id of an item leads to the whole record.

    Ordered by updatedAt descending (nulls last), then kind, then id. Searches
    the newest 10,000 messages of each chat and the 10,000 most recently active
    people; hasMore is true if more records match or if such a bound was
    reached. 404 if the source is unknown or not readable.
    """
    if after and before and after >= before:
        raise InvalidParameter("after must be earlier than before")
    sources = _searched_sources(caller, source)
    *parts, descriptions = reader.rows_of_all(
        [
            *(_part(name, source_ids, q, limit) for name, source_ids in parts_of(caller, sources)),
            descriptions_of(sources),
        ],
        q=q or None,
        after=after,
        before=before,
        row_limit=limit + 1,
        since_setting=SINCE_SETTING,
        **LIMITS,
    )
    rows = [row for part in parts for row in part.dicts()]
    records = _in_order(row for row in rows if row["id"] is not None)
    result = {
        "items": [item_of(row, q or "", sources) for row in records[:limit]],
        "sources": members_of(sources, descriptions),
        "has_more": len(records) > limit or any(row["search_limited"] for row in rows),
    }
    return Result(ContextSearchResult.one(result), sources, rows=records[:limit])


def _part(name: str, source_ids: list[str], q: str | None, limit: int) -> Statement:
    # Without a term every row matches, and a person has a row for each source.
    multiple = max(10, len(source_ids)) if name == "search/find_people" else 10
    recent_limit = RECENT if q else multiple * (limit + 1)
    return name, {"source_ids": source_ids, "recent_limit": recent_limit}


def _searched_sources(caller: Caller, source_id: str | None) -> tuple[Source, ...]:
    sources = caller.exposed()
    if source_id is None:
        return sources
    searched = by_id(sources, source_id)
    if not searched:
        raise NotFound("There is no such source, or this key may not read it; see list_sources.")
    return searched


def _in_order(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sort by time, newest first and rows without a time last, then by kind and id."""
    by_name = sorted(rows, key=itemgetter("kind", "id"))
    dated = [row for row in by_name if row["at"] is not None]
    dated.sort(key=itemgetter("at"), reverse=True)
    return dated + [row for row in by_name if row["at"] is None]
