"""Repeat decisions that a restored database lacks, if they only take away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

from orgctx.bundle import count_records
from orgctx.decisions.audit import ADMIN_LOGIN
from orgctx.decisions.audit import record as record_audit
from orgctx.decisions.decision import Connection, run
from orgctx.operations.source_kinds import KINDS
from orgctx.schemas.formats import instant_text

# The member who decided what no member decided, such as an import that renamed a suppressed item.
NOBODY = UUID(int=0)

# A line of `orgctx audit --json-lines`, with UUIDs parsed in `decidedBy`.
Record = dict[str, Any]


class Flag(NamedTuple):
    """A member of an object in the audit that restricts it.

    name: of the member in the audit. column: that of the statement `find`. statement: sets it.
    """

    name: str
    restricting: bool
    decision: str
    find: str
    column: str
    statement: str


FLAGS = (
    Flag("external", False, "withdraw", "list_sources", "external", "approve_sources"),
    Flag("included", False, "exclude", "list_sources", "included", "include_sources"),
    Flag(
        "suppressed", True, "suppress", "find_knowledge", "is_suppressed", "suppress_knowledge"
    ),
)  # fmt: skip
# The audit has no member for it: the key is missing in `after`.
REVOKED = Flag("revoked", True, "revoke", "read_key", "is_revoked", "revoke_key")


class Change(NamedTuple):
    """A decision about one object. restricts: False if it gives back, which is never repeated."""

    record: Record
    id: str  # of a key, source or knowledge item
    flag: Flag
    restricts: bool


def lost(connection: Connection, records: list[Record]) -> list[Record]:
    """Return the records that the audit of this database does not have."""
    if not records:
        return []
    since = min(each["at"] for each in records)
    rows = run(
        connection, "list_audit", organization_id=None, since=since, after=None, row_limit=None
    )
    kept = {(str(r["organization_id"]), instant_text(r["at"]), r["command"]) for r in rows}
    return [
        each
        for each in records
        if (each["organizationId"], each["at"], each["command"]) not in kept
    ]


def _changes(records: Iterable[Record]) -> Iterator[Change]:
    """Yield the decisions of records, told by what changed and not by the command."""
    for each in records:
        before, after = each["before"], each["after"]
        for id_ in before | after:
            old, new = before.get(id_) or {}, after.get(id_) or {}
            if not isinstance(old, dict) or not isinstance(new, dict):
                continue
            if "hint" in old and not new:
                yield Change(each, id_, REVOKED, restricts=True)
            for flag in FLAGS:
                if flag.name in new and old.get(flag.name) != new[flag.name]:
                    yield Change(each, id_, flag, new[flag.name] is flag.restricting)


def apply(
    connection: Connection, records: Iterable[Record], *, command: str
) -> Iterator[tuple[Change, str]]:
    """Apply the last decision about each object if it restricts, in the transaction of the caller.

    Args:
        command: what the audit names as the command.

    Yields:
        each decision that restricts, and what became of it.
    """
    changes = [*_changes(records)]
    last = {_subject(change): change for change in changes}
    for change in changes:
        newest = last[_subject(change)]
        if newest is change and change.restricts:
            yield change, _apply_one(connection, change, command)
        elif change.restricts:
            yield change, "skipped: decided again later"


def _subject(change: Change) -> tuple[str, str, str]:
    return change.record["organizationId"], change.id, change.flag.name


def _apply_one(connection: Connection, change: Change, command: str) -> str:
    flag, by = change.flag, change.record["decidedBy"] or NOBODY
    organization_id = UUID(change.record["organizationId"])
    identity = {"organization_id": organization_id, "id": change.id, "ids": [change.id]}
    if flag.name == "suppressed":
        run(connection, "lock_organization", **identity)
    rows = run(connection, flag.find, **identity, kinds=[*KINDS])
    if rows and rows[0][flag.column] is flag.restricting:
        return "skipped: is so already"
    # An item may be suppressed before it is loaded.
    if not rows and flag.name != "suppressed":
        return "skipped: does not exist here"
    authors = dict.fromkeys(("decided_by", "revoked_by", "user_id"), by)
    run(connection, flag.statement, **identity, **authors, value=flag.restricting)
    if flag.name == "suppressed":
        source_ids = [row["source_id"] for row in rows if row["source_id"]]
        count_records(connection, organization_id, source_ids)
    after = {change.id: {flag.name: flag.restricting, "decided_at": change.record["at"]}}
    before = {change.id: {flag.name: not flag.restricting}}
    record_audit(
        connection,
        organization_id,
        command=command,
        before=before,
        after=after,
        authentication=ADMIN_LOGIN,
        decided_by=by,
    )
    return "applied"
