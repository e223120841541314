"""One function per knowledge operation."""

from __future__ import annotations

from orgctx.errors import NotFound
from orgctx.operations.exposure import Caller, by_id, ids
from orgctx.operations.operation import Reader, Result
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS
from orgctx.resources.knowledge.schemas import KnowledgeItem, KnowledgeSummary
from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS, cut
from orgctx.schemas.envelope import numbered

PAGE_SIZE = 20


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
        "knowledge/list_knowledge",
        page=page,
        size=PAGE_SIZE,
        source_ids=ids(sources),
        q=q or None,
        kind=kind,
        visibility=visibility,
        archived=archived,
    )
    pagination = numbered(page, PAGE_SIZE, totals["total"])
    return Result(KnowledgeSummary.many(rows), sources, pagination)


def read_knowledge(caller: Caller, reader: Reader, *, id: str, offset: int, limit: int) -> Result:
    """Read a segment of a document or note. To read on, pass contentRange.nextOffset as offset
    until it is null.

    offset and limit count UTF-16 code units; a segment never splits a
    character. 404 if the item does not exist, is suppressed or belongs to no
    approved source.
    """
    sources = caller.approved_of(*KNOWLEDGE_KINDS)
    item, chunks = reader.rows(
        "knowledge/read_knowledge",
        id=id,
        source_ids=ids(sources),
        segment_start=offset - 1,
        segment_end=offset + limit + 2,
        first_chunk=offset - 1 - MAX_CHUNK_UNITS,
    ).split("first_unit")
    if not item:
        raise NotFound
    content, content_range = cut(chunks.rows, item["content_units"], offset, limit)
    data = KnowledgeItem.one(item | {"content": content, "content_range": content_range})
    return Result(data, by_id(sources, item["source_id"]))
