"""One function per search operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from orgctx.errors import InvalidParameter, NotFound
from orgctx.exposure import (
    Caller,
    Source,
    by_id,
    ids,
)
from orgctx.operation import Answer, Reader
from orgctx.resources.search.schemas import ContextSearchResult
from orgctx.shapes.excerpt import centred, preview
from orgctx.shapes.source_payload import source_members
from orgctx.source_kinds import KNOWLEDGE_KINDS, PEOPLE_KINDS, SOURCE_KINDS

# A common term is found faster by scanning this many of the newest messages than by the index.
# Scanning more would slow down rare terms.
RECENT, RECENT_OF_ONE = 1_000, 20_000
HREFS = {
    "document": "/api/v1/knowledge/{}",
    "note": "/api/v1/knowledge/{}",
    "person": "/api/v1/people/{}",
    "asset": "/api/v1/assets/{}",
    "profile": "/api/v1/context",
    "token": "/api/v1/token",
}


def search_context(
    caller: Caller,
    reader: Reader,
    *,
    q: str | None,
    source: str | None,
    after: datetime | None,
    before: datetime | None,
    limit: int,
) -> Answer:
    """Search all stored records that this key may read for a literal text: documents, notes,
    messages, posts, people, assets, profile and token. Without q it gives the newest records.
    Read what an item's href names to see all of it.

    By updatedAt descending (nulls last), kind, id. Examines the newest 10,000
    messages of each chat and the 10,000 people that were active last; hasMore
    says that more matched or that such a bound was met. 404 for a source that
    is unknown or not readable.
    """
    if after and before and after >= before:
        raise InvalidParameter("after must be earlier than before")
    sources = _searched(caller, source)
    columns, rows = reader.rows(
        "search/search_context",
        q=q or None,
        after=after,
        before=before,
        row_limit=limit + 1,
        recent_limit=_recent_limit(q, source, limit + 1),
        **_source_ids(caller, sources),
    )
    found = [dict(zip(columns, row, strict=True)) for row in rows if row[1] is not None]
    result = {
        "items": [_item(row, q or "", sources) for row in found[:limit]],
        "sources": [source_members(one) for one in sources],
        "has_more": len(found) > limit or rows[0][0],
    }
    return Answer(ContextSearchResult.one(result), sources)


def _recent_limit(q: str | None, source: str | None, row_limit: int) -> int:
    """How many newest rows to scan before using the index.

    More for one source, because most of the newest rows belong to others. Without a term every
    row matches, so a multiple of the page is enough.
    """
    if not q:
        return 10 * row_limit
    return RECENT if source is None else RECENT_OF_ONE


def _searched(caller: Caller, source_id: str | None) -> tuple[Source, ...]:
    sources = caller.exposed()
    if source_id is None:
        return sources
    chosen = by_id(sources, source_id)
    if not chosen:
        raise NotFound("There is no such source, or this key may not read it; see list_sources.")
    return chosen


def _source_ids(caller: Caller, sources: Sequence[Source]) -> dict[str, list[str]]:
    """The ids of the sources to search for each kind of record."""

    def of(*kinds: str) -> list[str]:
        return ids(source for source in sources if source.kind in kinds)

    may_read_knowledge = SOURCE_KINDS["docs"].scope in caller.scopes
    return {
        "knowledge_ids": of(*KNOWLEDGE_KINDS) if may_read_knowledge else [],
        "telegram_ids": of("telegram"),
        "x_ids": of("x"),
        "people_ids": of(*PEOPLE_KINDS),
        "asset_ids": of("assets"),
        "profile_ids": of("profile"),
        "token_ids": of("token"),
    }


def _item(row: Mapping[str, Any], q: str, sources: Sequence[Source]) -> dict[str, Any]:
    (source,) = by_id(sources, row["source_id"])
    return {
        "id": row["id"],
        "kind": row["kind"],
        "title": row["title"],
        "preview": _preview(row, q),
        "source_label": source.label,
        "source_id": source.id,
        "href": row["href"] or HREFS[row["kind"]].format(quote(row["id"], safe="")),
        "updated_at": row["at"],
    }


def _preview(row: Mapping[str, Any], q: str) -> str:
    excerpt, match_at = row["excerpt"], row["match_at"]
    if not match_at:
        return preview(excerpt)
    start, end = match_at - 1, match_at - 1 + len(q)
    return centred(
        excerpt[:start],
        excerpt[start:end],
        excerpt[end:],
        starts=row["starts"],
        ends=row["ends"],
    )
