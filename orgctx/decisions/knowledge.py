"""Find, read, suppress and restore knowledge items, including those that no key can read."""

from collections.abc import Callable, Mapping, Sequence

from psycopg.types.json import Jsonb

from orgctx.bundle.counts import count_records
from orgctx.bundle.holds import hold_copies
from orgctx.decisions.decision import Decision, DecisionRejected, state_of
from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS, cut
from orgctx.stores.db import Row, Tenant

PAGE_SIZE, MOST_PAGES = 50, 200
# Why an item is hidden: a member suppressed it, or a load held it for other reasons.
SUPPRESSED, HELD = "suppressed", "held"
# In `audit_values` of a suppressed item: the digest of the text that it had then, for an undo.
DIGEST = "digest"
# In `after` of an audit record: the ids of the copies that a decision also hid, or made readable.
COPIES = "copies"
# The longest segment, in UTF-16 code units.
SEGMENT_UNITS = 20_000


def search(
    tenant: Tenant,
    *,
    q: str | None = None,
    source_id: str | None = None,
    state: str | None = None,
    page: int = 1,
    size: int = PAGE_SIZE,
) -> tuple[list[Row], bool]:
    """Return a page of knowledge items, approved or not, archived or hidden too, newest first.

    Args:
        q: literal text in the title or the content, ignoring case.
        state: SUPPRESSED or HELD for only such items.
        page: from 1 to MOST_PAGES.

    Returns:
        rows of `decisions/list_knowledge` with `audit_values`, and whether there are more.
    """
    rows = tenant.run(
        "decisions/list_knowledge",
        source_id=source_id or None,
        q=q or None,
        state=state,
        row_limit=size + 1,
        row_offset=(min(page, MOST_PAGES) - 1) * size,
    )
    return [row | audit_values(row) for row in rows[:size]], len(rows) > size


def read(tenant: Tenant, id_: str, *, offset: int = 0, limit: int = SEGMENT_UNITS) -> Row:
    """Read a segment of a knowledge item.

    Args:
        offset, limit: in UTF-16 code units; no segment splits a character.

    Returns:
        the item's columns of `decisions/find_knowledge` and `decisions/read_document`, its
        `audit_values`, `content`, `content_range` (`offset`, `length`, `total`, and `next_offset`,
        None at the end), and its `state` for `Decision.expect`.

    Raises:
        DecisionRejected: the item is not stored.
    """
    # Before the content, so that a state from before a change is rejected.
    items = _find(tenant, [id_])
    rows = tenant.run(
        "decisions/read_document",
        id=id_,
        segment_start=offset,
        segment_end=offset + limit + 2,
        first_chunk=offset - MAX_CHUNK_UNITS,
    )
    if not items or not rows:
        raise DecisionRejected(
            f"The organization has no knowledge item {id_}. See `orgctx knowledge list`."
        )
    item = items[0] | rows[0]
    chunks = [(row["first_unit"], row["content"]) for row in rows if row["content"] is not None]
    item["content"], item["content_range"] = cut(chunks, rows[0]["content_units"], offset, limit)
    return item | {"state": state(item)}


# What a decision returns: the `audit_values` of each item after it, by id.
Items = dict[str, Row]


def suppress(decision: Decision, ids: Sequence[str]) -> Items:
    """Hide items from every interface, even if they are loaded again."""
    return _decide(decision, ids, lambda item: item | {SUPPRESSED: True})


def restore(decision: Decision, ids: Sequence[str]) -> Items:
    """End the suppression of items; release those that are only held."""
    return _decide(
        decision,
        ids,
        lambda item: item | {SUPPRESSED: False} if item[SUPPRESSED] else item | {HELD: {}},
    )


def release(decision: Decision, ids: Sequence[str]) -> Items:
    """Release the present texts of held items. Rejects those that are only suppressed."""
    after = _decide(decision, ids, lambda item: item | {HELD: {}})
    if others := [id_ for id_ in after if after[id_][SUPPRESSED] and id_ not in decision.before]:
        raise DecisionRejected(
            f"{', '.join(others)} is suppressed and not held. To show it again: `orgctx knowledge "
            "restore`. Nothing was changed."
        )
    return after


# What a member decides about items, by the name of the command.
DECISIONS = {"suppress": suppress, "restore": restore, "release": release}


def secrets_released(tenant: Tenant, ids: Sequence[str], name: str) -> list[Row]:
    """Return the items that wait because of a secret, and that a decision would release.

    Args:
        name: one of DECISIONS.

    Returns:
        rows of `decisions/find_knowledge` with `audit_values`.
    """
    return [
        row
        for row in _find(tenant, ids)
        if "secret" in row[HELD]
        and (name == "release" or (name == "restore" and not row[SUPPRESSED]))
    ]


def reset(decision: Decision, values: Mapping[str, Row]) -> None:
    """Undo a decision about items. values: `audit_values` of each item before it, by id."""
    _decide(decision, [*values], lambda item: values[item["id"]])


def state(item: Row) -> str:
    """Return the state of an item that was read, for `Decision.expect`."""
    return state_of(_state_values(item))


def audit_values(item: Row) -> Row:
    """Return whether an item is suppressed, and why it is held: by reason, detail and offset."""
    held = {**item["reasons"]}
    digest, _ = held.pop(SUPPRESSED, (None, None))
    values = {SUPPRESSED: SUPPRESSED in item["reasons"], HELD: held}
    return values | ({DIGEST: digest} if digest else {})


def _reasons(values: Row) -> Row:
    """Return the column `reasons` of `decisions/find_knowledge` from `audit_values`."""
    suppressed = {SUPPRESSED: [values.get(DIGEST), None]} if values[SUPPRESSED] else {}
    held: Row = values[HELD]
    return held | suppressed


def _find(tenant: Tenant, ids: Sequence[str]) -> list[Row]:
    """Return rows of `decisions/find_knowledge` with `audit_values`."""
    rows = tenant.run("decisions/find_knowledge", ids=ids)
    return [row | audit_values(row) for row in rows]


def _state_values(item: Row) -> Row:
    values = audit_values(item)
    return {
        SUPPRESSED: values[SUPPRESSED],
        HELD: sorted(values[HELD]),
        "title": item["title"],
        "updated": item["updated_at"],
        "digest of the text": item["content_digest"],
    }


def _decide(decision: Decision, ids: Sequence[str], change: Callable[[Row], Row]) -> Items:
    """Change all items or none, then update copies, search tokens and counts.

    Args:
        change: returns the `audit_values` that an item should have, from its row of
            `decisions/find_knowledge` with its `audit_values`.
    """
    decision.lock_organization()
    unique_ids = sorted(set(ids))
    rows = _find(decision, unique_ids)
    if unknown := set(unique_ids) - {row["id"] for row in rows}:
        raise DecisionRejected(
            f"The organization has no knowledge item {', '.join(sorted(unknown))}. Nothing was "
            "changed. See `orgctx knowledge list`."
        )
    for row in rows:
        decision.check(row["id"], _state_values(row), row["title"])
    reasons = {row["id"]: _reasons(change(row)) for row in rows}
    decision.run("decisions/hide_knowledge", ids=unique_ids, reasons=Jsonb(reasons))
    organization_id = decision.organization_id
    changed = [(organization_id, id_) for id_ in unique_ids]
    copies = hold_copies(decision.connection, [organization_id], changed)
    source_ids = {row["source_id"] for row in rows if row["source_id"]}
    source_ids |= {copy.source_id for copy in copies}
    count_records(decision.connection, organization_id, sorted(source_ids))
    decision.set_version()
    new_rows = _find(decision, unique_ids)
    # After `restore`, an item whose content is not stored has no row.
    after: Items = {id_: {SUPPRESSED: False, HELD: {}} for id_ in unique_ids}
    after |= {row["id"]: audit_values(row) for row in new_rows}
    for row in rows:
        if (before := audit_values(row)) != after[row["id"]]:
            decision.before[row["id"]], decision.after[row["id"]] = before, after[row["id"]]
    if copy_ids := sorted({copy.knowledge_id for copy in copies} - {*unique_ids}):
        decision.after[COPIES] = copy_ids
    return after
