"""Find, read, suppress and restore knowledge items, including those that no key can read."""

from collections.abc import Sequence
from typing import NamedTuple

from orgctx.bundle.counts import count_records
from orgctx.decisions.decision import Decision, DecisionRejected, state_of
from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS, cut
from orgctx.stores.db import Row, Tenant

PAGE_SIZE, MOST_PAGES = 50, 200
# The longest segment, in UTF-16 code units.
SEGMENT_UNITS = 20_000


class Page(NamedTuple):
    """Columns of `sql/decisions/list_knowledge.sql`, newest first, and whether more items match."""

    rows: list[Row]
    has_more: bool


def search(
    tenant: Tenant,
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
    rows = tenant.run(
        "decisions/list_knowledge",
        source_id=source_id or None,
        q=q or None,
        only_suppressed=only_suppressed,
        row_limit=size + 1,
        row_offset=(min(page, MOST_PAGES) - 1) * size,
    )
    return Page(rows[:size], len(rows) > size)


def read(tenant: Tenant, id_: str, *, offset: int = 0, limit: int = SEGMENT_UNITS) -> Row:
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
    rows = tenant.run(
        "decisions/read_document",
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


def suppress(decision: Decision, ids: Sequence[str]) -> list[str]:
    """Hide items from every interface, even if they are loaded again. Returns their ids."""
    return _decide(decision, "decisions/suppress_knowledge", ids)


def restore(decision: Decision, ids: Sequence[str]) -> list[str]:
    """End the suppression of items. Returns their ids."""
    return _decide(decision, "decisions/restore_knowledge", ids)


def state(item: Row, *, with_content: bool = False) -> str:
    """Return the state of a listed or read item, for `Decision.expect`.

    Args:
        with_content: whether a change of its text counts.
    """
    values = _state_values(item)
    return state_of(values if with_content else {"suppressed": values["suppressed"]})


def _state_values(item: Row) -> Row:
    return {
        "suppressed": item["is_suppressed"],
        "title": item["title"],
        "updated": item["updated_at"],
    }


def _decide(decision: Decision, statement: str, ids: Sequence[str]) -> list[str]:
    """Run a statement on all items or none, and count the records of their sources again."""
    decision.lock_organization()
    unique_ids = sorted(set(ids))
    rows = decision.run("decisions/find_knowledge", ids=unique_ids)
    if unknown := set(unique_ids) - {row["id"] for row in rows}:
        raise DecisionRejected(
            f"The organization has no knowledge item {', '.join(sorted(unknown))}. Nothing was "
            "changed. See `orgctx knowledge list`."
        )
    for row in rows:
        decision.check(row["id"], _state_values(row), row["title"])
    decision.run(statement, ids=unique_ids, user_id=decision.user_id)
    source_ids = sorted({row["source_id"] for row in rows if row["source_id"]})
    count_records(decision.connection, decision.organization_id, source_ids)
    new_rows = decision.run("decisions/find_knowledge", ids=unique_ids)
    suppressed_ids = {row["id"] for row in new_rows if row["is_suppressed"]}
    for row in rows:
        is_suppressed = row["id"] in suppressed_ids
        if row["is_suppressed"] != is_suppressed:
            decision.before[row["id"]] = {"suppressed": row["is_suppressed"]}
            decision.after[row["id"]] = {"suppressed": is_suppressed}
    return unique_ids
