"""Which scopes of a key an answer needed."""

from __future__ import annotations

from typing import Any

from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Operation, Result, Stores
from orgctx.operations.source_kinds import KINDS, KNOWLEDGE_SCOPE, PREFIX_KINDS, SOURCE_KINDS
from orgctx.stores.deadline import Deadline


def mark_scopes(
    operation: Operation, caller: Caller, stores: Stores, result: Result, deadline: Deadline
) -> None:
    """Mark the scopes that an answer needed, unless that was done today."""
    uses = stores.quota.scopes
    unmarked = uses.unmarked(caller.key_id, caller.scopes)
    if unmarked and (needed := unmarked & used_scopes(operation, caller, result)):
        uses.mark(caller.organization.id, caller.key_id, needed, deadline)


def used_scopes(operation: Operation, caller: Caller, result: Result) -> frozenset[str]:
    """Return the scopes that a key needs for an answer.

    These are the scope of the operation and, if it reads what other scopes open, those of the
    records in the answer. An overview that only names a source does not use its scope.
    """
    held = caller.scopes.intersection(operation.scopes)
    if operation.kinds == KINDS:
        return held | _scopes_of_records(caller, result)
    if len(held) > 1:
        return _scopes_of_records(caller, result) & held or held
    return held


def _scopes_of_records(caller: Caller, result: Result) -> frozenset[str]:
    records = _records(result.data)
    source_ids = {record["sourceId"] for record in records}
    needed = {
        SOURCE_KINDS[source.kind].scope for source in caller.approved if source.id in source_ids
    }
    if any(str(record.get("id")).partition(":")[0] in PREFIX_KINDS for record in records):
        needed.add(KNOWLEDGE_SCOPE)
    return caller.scopes & needed


def _records(data: Any) -> list[dict[str, Any]]:
    """Return the objects in an answer that name their source: the answer, or those in its lists.

    The objects of a list have the same members.
    """
    if isinstance(data, list):
        return data if data and "sourceId" in data[0] else []
    if "sourceId" in data:
        return [data]
    return [
        record
        for value in data.values()
        if isinstance(value, list) and value and isinstance(value[0], dict)
        for record in _records(value)
    ]
