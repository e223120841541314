"""Find and read knowledge items for an owner, including those that no key can read."""

from typing import NamedTuple
from uuid import UUID

from orgctx.decisions.decision import DecisionRejected
from orgctx.decisions.knowledge import state
from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS, cut
from orgctx.stores.db import Connection, Row, run

PAGE_SIZE, MOST_PAGES = 50, 200
# The longest segment, in UTF-16 code units.
SEGMENT_UNITS = 20_000


class Page(NamedTuple):
    """Columns of `sql/decisions/list_knowledge.sql`, newest first, and whether more items match."""

    rows: list[Row]
    has_more: bool


def search(
    connection: Connection,
    organization_id: UUID,
    *,
    q: str | None = None,
    source_id: str | None = None,
    only_suppressed: bool = False,
    page: int = 1,
    size: int = PAGE_SIZE,
) -> Page:
    """Return a page of knowledge items, approved or not, archived or suppressed too.

    Args:
        q: literal text in the title or the content, ignoring case.
        page: from 1 to MOST_PAGES.
    """
    rows = run(
        connection,
        "decisions/list_knowledge",
        organization_id=organization_id,
        source_id=source_id or None,
        q=q or None,
        only_suppressed=only_suppressed,
        row_limit=size + 1,
        row_offset=(min(page, MOST_PAGES) - 1) * size,
    )
    return Page(rows[:size], len(rows) > size)


def read(
    connection: Connection,
    organization_id: UUID,
    id_: str,
    *,
    offset: int = 0,
    limit: int = SEGMENT_UNITS,
) -> Row:
    """Read a segment of a knowledge item.

    Args:
        offset, limit: in UTF-16 code units; no segment splits a character.

    Returns:
        the item's columns of `sql/decisions/read_document.sql`, `content`, `content_range`
        (`offset`, `length`, `total`, `next_offset`, which is None at the end), and its `state`
        for `Decision.expect`.

    Raises:
        DecisionRejected: the item is not stored.
    """
    rows = run(
        connection,
        "decisions/read_document",
        organization_id=organization_id,
        id=id_,
        segment_start=offset - 1,
        segment_end=offset + limit + 2,
        first_chunk=offset - 1 - MAX_CHUNK_UNITS,
    )
    if not rows:
        raise DecisionRejected(
            f"The organization has no knowledge item {id_}. See `orgctx knowledge list`."
        )
    item = {name: rows[0][name] for name in rows[0] if name not in ("first_unit", "content_units")}
    chunks = [(row["first_unit"], row["content"]) for row in rows if row["content"] is not None]
    item["content"], item["content_range"] = cut(chunks, rows[0]["content_units"], offset, limit)
    return item | {"state": state(item, with_content=True)}
