"""Which scopes of a key an answer needed."""

from __future__ import annotations

from collections.abc import Iterator
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

    These are the scope of the operation, and of operations that read what other scopes open, those
    of the records in the answer. An overview that only names a source does not use its scope.
    """
    held = caller.scopes.intersection(operation.scopes)
    if operation.kinds == KINDS:
        return held | _scopes_of_records(caller, result)
    if len(held) > 1:
        return _scopes_of_records(caller, result) & held or held
    return held


def _scopes_of_records(caller: Caller, result: Result) -> frozenset[str]:
    scopes = {source.id: SOURCE_KINDS[source.kind].scope for source in caller.approved}
    needed = set()
    for record in _records(result.data):
        needed.add(scopes.get(record["sourceId"]))
        if str(record.get("id")).partition(":")[0] in PREFIX_KINDS:
            needed.add(KNOWLEDGE_SCOPE)
    return caller.scopes & needed


def _records(data: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects in an answer that name their source."""
    if isinstance(data, list):
        for item in data:
            yield from _records(item)
    elif isinstance(data, dict):
        if "sourceId" in data:
            yield data
        else:
            for value in data.values():
                yield from _records(value)
