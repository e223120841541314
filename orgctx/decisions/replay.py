"""Repeat decisions that a restored database lacks, if they restrict."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from orgctx.bundle.counts import count_records
from orgctx.decisions import audit_log
from orgctx.operations.source_kinds import KINDS
from orgctx.schemas.formats import UUID_PATTERN
from orgctx.stores.db import Connection, Row, Tenant

# The member who decided what no member decided, such as an import that renamed a suppressed item.
NOBODY = UUID(int=0)


class Change(NamedTuple):
    """What a decision changed about one object."""

    id: str  # of a key, source, knowledge item or organization
    decision: str  # withdraw, exclude, suppress, revoke, end, change, role or delete
    restricts: bool  # False if it lifts a restriction; then it is never repeated
    values: dict[str, Any]  # after the decision


class Record(NamedTuple):
    """A record of the audit with the changes that matter after a restore."""

    at: datetime
    sequence: int
    organization_id: UUID
    decided_by: UUID | None
    command: str
    changes: tuple[Change, ...]


class Repeat(NamedTuple):
    """How to repeat a decision."""

    find: str  # the statement of sql/decisions that reads the object
    is_done: Callable[[Row, Change], bool]  # whether the row of `find` needs no change
    apply: str  # the statement that changes the object
    member: tuple[str, Any]  # the name and the value of what the audit record states


# Other decisions are reported, but not repeated.
REPEATS = {
    "withdraw": Repeat(
        "list_sources", lambda row, _: not row["external"], "approve_sources", ("external", False)
    ),
    "exclude": Repeat(
        "list_sources", lambda row, _: not row["included"], "include_sources", ("included", False)
    ),
    "suppress": Repeat(
        "find_knowledge",
        lambda row, _: row["is_suppressed"],
        "suppress_knowledge",
        ("suppressed", True),
    ),
    "revoke": Repeat("read_key", lambda row, _: row["is_revoked"], "revoke_key", ("revoked", True)),
    "end": Repeat(
        "read_key",
        lambda row, change: row["expires_at"] <= change.values["expires_at"],
        "end_key",
        ("ended", True),
    ),
}
OF_KEYS = ("revoke", "end")


def _lost(connection: Connection, records: Sequence[Record]) -> list[Record]:
    """Return the records that the audit of this database does not have."""
    if not records:
        return []
    since = min(record.at for record in records)
    rows = audit_log.records(connection, None, audit_log.Filters(since=since))
    kept = {(row["organization_id"], row["sequence"], row["at"]) for row in rows}
    return [
        record
        for record in records
        if (record.organization_id, record.sequence, record.at) not in kept
    ]


def repeat(connection: Connection, records: Sequence[Record], *, command: str) -> list[Row]:
    """Repeat the decisions that restrict and that the audit of this database does not have.

    Runs in a transaction of the caller. Returns what became of each.

    Args:
        command: what the audit names as the command.

    A lock of the audit is held until the end, so all records are written last: a load, which locks
    its organizations and then the audit, would deadlock with this transaction.
    """
    records = _lost(connection, records)
    for organization_id in sorted({record.organization_id for record in records}):
        Tenant(connection, organization_id).lock_organization()
    given_back = _given_back(records)
    rows, applied = [], []
    for record in records:
        for change in record.changes:
            if not change.restricts:
                continue
            # The order of the lines says nothing: a collector may repeat them. Clocks may be set
            # back, and sequences begin again after a restore.
            if any(
                other.sequence > record.sequence and other.at >= record.at
                for other in given_back[_subject(record, change)]
            ):
                result = "skipped: lifted later"
            else:
                result = _apply_one(connection, record, change)
            if result == "applied":
                applied.append((record, change))
            place = {"at": record.at, "organization_id": record.organization_id, "id": change.id}
            rows.append({**place, "decision": change.decision, "result": result})
    for record, change in applied:
        name, value = REPEATS[change.decision].member
        audit_log.record(
            Tenant(connection, record.organization_id),
            command=command,
            before={change.id: {name: not value}},
            after={change.id: {name: value, "decided_at": record.at}},
            decided_by=record.decided_by or NOBODY,
        )
    return rows


def _given_back(records: Sequence[Record]) -> dict[tuple[UUID, str, str], list[Record]]:
    """Return the records that lift a restriction, by the object and the decision."""
    given_back = defaultdict(list)
    for record in records:
        for change in record.changes:
            if not change.restricts:
                given_back[_subject(record, change)].append(record)
    return given_back


def _subject(record: Record, change: Change) -> tuple[UUID, str, str]:
    return record.organization_id, change.id, change.decision


def _apply_one(connection: Connection, record: Record, change: Change) -> str:
    how = REPEATS.get(change.decision)
    if not how:
        return f"not repeated: run `orgctx {record.command}` again"
    if change.decision in OF_KEYS and not UUID_PATTERN.fullmatch(change.id):
        return "skipped: does not exist here"
    tenant = Tenant(connection, record.organization_id)
    identity = {"id": change.id, "ids": [change.id]}
    rows = tenant.run(f"decisions/{how.find}", **identity, kinds=[*KINDS])
    if rows and how.is_done(rows[0], change):
        return "skipped: already in effect"
    # An item may be suppressed before it is loaded.
    if not rows and change.decision != "suppress":
        return "skipped: does not exist here"
    by = record.decided_by or NOBODY
    authors = dict.fromkeys(("decided_by", "revoked_by", "changed_by", "user_id"), by)
    parameters = authors | _end_of_key(change)
    tenant.run(f"decisions/{how.apply}", **identity, **parameters, value=False)
    if change.decision == "suppress":
        source_ids = [row["source_id"] for row in rows if row["source_id"]]
        count_records(connection, record.organization_id, source_ids)
    return "applied"


def _end_of_key(change: Change) -> Row:
    ends_at = change.values.get("expires_at")
    if change.decision != "end" or not isinstance(ends_at, datetime):
        return {}
    left = (ends_at - datetime.now(UTC)).total_seconds()
    return {"name": change.values["name"], "seconds": max(0, int(left))}
