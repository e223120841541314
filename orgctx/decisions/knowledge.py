"""Suppress and restore knowledge items, and carry suppressions to renamed items."""

from collections.abc import Sequence
from uuid import UUID

from orgctx.bundle import count_records
from orgctx.decisions.audit_log import record
from orgctx.decisions.decision import Decision, DecisionRejected, state_of
from orgctx.stores.db import Connection, Row, run


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


def carry(
    connection: Connection,
    organization_id: UUID,
    source_id: str,
    pairs: Sequence[tuple[str, str]],
    *,
    command: str,
) -> None:
    """Suppress the items that replace suppressed ones, in the name of who suppressed these.

    The caller holds the lock of the organization, in a transaction.

    Args:
        source_id: the source of all of them.
        pairs: ids of the replaced items and of their replacements.
    """
    if not pairs:
        return
    ids, new_ids = (list(column) for column in zip(*pairs, strict=True))
    rows = run(
        connection,
        "decisions/carry_suppression",
        organization_id=organization_id,
        ids=ids,
        new_ids=new_ids,
    )
    if rows:
        count_records(connection, organization_id, [source_id])
    for row in rows:
        after = {row["new_id"]: {"suppressed": True, "as": row["id"]}}
        record(connection, organization_id, command=command, after=after)


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
