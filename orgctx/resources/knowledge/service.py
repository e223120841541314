"""The operations and their service functions."""

from collections.abc import Iterable

from orgctx.errors import NotFound
from orgctx.operations.exposure import Caller, Source, by_id, ids
from orgctx.operations.lookups import find_matches
from orgctx.operations.operation import (
    MESSAGE,
    PERSON,
    Identifier,
    Reader,
    Resource,
    Result,
    Use,
)
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS
from orgctx.resources.knowledge.schemas import (
    KnowledgeItem,
    KnowledgeSummary,
    ListKnowledge,
    ReadKnowledge,
)
from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS, MAX_CONTENT_UNITS, cut
from orgctx.resources.knowledge.tool import (
    CONTEXT_UNITS,
    LIMIT_FOR_Q,
    ListKnowledgeTool,
    ReadKnowledgeTool,
    with_outline,
    with_places,
)
from orgctx.schemas.formats import UUID_TEXT
from orgctx.schemas.payload import NumberedPagination, numbered

RESOURCE = Resource(tag="knowledge", about="Documents and notes.")
PAGE_SIZE = 20
# How long a segment for a match is at most, so that an agent can afford several.
MATCH_UNITS = 4_000


@RESOURCE.operation(
    path="/knowledge",
    title="List knowledge",
    scopes=("knowledge:read",),
    kinds=KNOWLEDGE_KINDS,
    arguments=ListKnowledge,
    payload=KnowledgeSummary,
    is_list=True,
    pagination=NumberedPagination,
    use=Use("What do our docs say on refunds?", {"q": "refund", "kind": "source"}),
    shape=with_places,
    tool_payload=ListKnowledgeTool,
)
def list_knowledge(
    caller: Caller,
    reader: Reader,
    *,
    q: str | None,
    kind: str,
    visibility: str,
    archived: bool,
    page: int,
) -> Result:
    """List documents and notes, newest first, as short summaries. q finds literal text in titles
    and contents.

    20 per page, ordered by updatedAt descending, then id. archived=true lists
    only archived items. Suppressed items and unapproved sources are never
    listed.
    """
    sources = caller.approved_of(*KNOWLEDGE_KINDS)
    totals, rows = reader.page(
        "knowledge/search_knowledge" if q else "knowledge/list_knowledge",
        page=page,
        size=PAGE_SIZE,
        source_ids=ids(sources),
        kind=kind,
        visibility=visibility,
        archived=archived,
        **({"q": q} if q else {}),
    )
    pagination = numbered(page, PAGE_SIZE, totals["total"])
    return Result(KnowledgeSummary.many(rows), sources, pagination)


@RESOURCE.operation(
    path="/knowledge/{id}",
    title="Read a knowledge item",
    scopes=("knowledge:read",),
    kinds=KNOWLEDGE_KINDS,
    arguments=ReadKnowledge,
    payload=KnowledgeItem,
    is_findable=True,
    is_core=True,
    hint=f"With q a segment has {LIMIT_FOR_Q:,} units unless limit says otherwise.",
    use=Use(
        "What comes next?",
        {"id": "docs:123e4567-e89b-12d3-a456-426614174000", "offset": 20000},
    ),
    shape=with_outline,
    tool_payload=ReadKnowledgeTool,
    limit_for_q=LIMIT_FOR_Q,
    identifier=Identifier(
        "id",
        "list_knowledge returns ids. So does search_context.",
        (
            MESSAGE,
            PERSON,
            (
                UUID_TEXT,
                "An id has a prefix, such as docs: or note:. read_asset reads files.",
            ),
        ),
    ),
)
def read_knowledge(
    caller: Caller, reader: Reader, *, id: str, offset: int, limit: int, q: str | None
) -> Result:
    """Read a segment of a document or note. To read on, pass contentRange.nextOffset as offset
    until it is null.

    offset and limit count UTF-16 code units; a segment never splits a
    character. With q, the segment starts shortly before the first match at or
    after offset, and has at most 4,000 units; it is empty if there is none.
    404 if the item does not exist, is suppressed or belongs to no approved
    source.
    """
    sources = caller.approved_of(*KNOWLEDGE_KINDS)
    if q:
        limit = min(limit, MATCH_UNITS)
        offset = _start(reader, sources, id, offset, limit, q)
    item, chunks = reader.rows(
        "knowledge/read_knowledge",
        id=id,
        source_ids=ids(sources),
        segment_start=offset,
        segment_end=offset + limit + 2,
        first_chunk=offset - MAX_CHUNK_UNITS,
    ).split("first_unit")
    if not item:
        raise NotFound
    content, content_range = cut(chunks.rows, item["content_units"], offset, limit)
    data = KnowledgeItem.one(item | {"content": content, "content_range": content_range})
    return Result(data, by_id(sources, item["source_id"]))


def _start(
    reader: Reader, sources: Iterable[Source], id_: str, offset: int, limit: int, q: str
) -> int:
    """Return where the segment of the next match starts, the end of any content without one.

    A segment ends after the match begins, so its end is a larger offset.
    """
    rows = find_matches(
        reader,
        ids(sources),
        [id_],
        q,
        segment_start=offset,
        first_chunk=offset - MAX_CHUNK_UNITS,
        least_units=0,
        chunk_limit=MAX_CONTENT_UNITS,
    )
    if not rows:
        return MAX_CONTENT_UNITS
    match_offset: int = rows[0]["match_offset"]
    return max(0, match_offset - min(CONTEXT_UNITS, limit // 2))
