"""What a search covers: its statements, and the kinds of item that they find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orgctx.operations.exposure import Caller, Source, ids
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS, PEOPLE_KINDS, SOURCE_KINDS

# The statements that find records, with the kinds of source that they search.
PARTS = {
    "search/find_messages": ("telegram",),
    "search/find_documents": KNOWLEDGE_KINDS,
    "search/find_posts": ("x",),
    "search/find_people": PEOPLE_KINDS,
    "search/find_assets": ("assets",),
    "search/find_profile": ("profile",),
    "search/find_token": ("token",),
}
# The kinds of item, each with the path that reads one; empty if the statement returns href.
ITEM_HREFS = {
    "document": "/api/v1/knowledge/{}",
    "note": "/api/v1/knowledge/{}",
    "message": "",
    "post": "",
    "person": "/api/v1/people/{}",
    "asset": "/api/v1/assets/{}",
    "profile": "/api/v1/context",
    "token": "/api/v1/token",
}


def parts_of(caller: Caller, sources: Sequence[Source]) -> Iterator[tuple[str, list[str]]]:
    """Yield the statements that have sources to search, with the ids of these sources."""
    for name, kinds in PARTS.items():
        source_ids = ids(source for source in sources if source.kind in kinds)
        is_readable = kinds is not KNOWLEDGE_KINDS or SOURCE_KINDS["docs"].scope in caller.scopes
        if source_ids and is_readable:
            yield name, source_ids
