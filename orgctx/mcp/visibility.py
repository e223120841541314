"""Decide which tools a key sees, by its scopes and the approved sources."""

from __future__ import annotations

from orgctx.errors import NotFound
from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Operation
from orgctx.operations.source_kinds import KINDS, SOURCE_KINDS
from orgctx.resources.catalog import OPERATIONS


class NoApprovedSource(NotFound):
    """The organization has approved no source that the tool could read."""


TOOLS = {operation.name: operation for operation in OPERATIONS}


def visible(caller: Caller) -> list[Operation]:
    """Return the operations that a caller can use as tools, in the order of the catalog."""
    return [
        operation
        for operation in OPERATIONS
        if caller.scopes.intersection(operation.scopes) and has_source(operation, caller)
    ]


def has_source(operation: Operation, caller: Caller) -> bool:
    """Return whether an operation has an approved source to read; overviews need none.

    If scopes are alternatives (people), a source counts only if the key has its scope.
    """
    if operation.kinds == KINDS:
        return True
    return any(
        SOURCE_KINDS[source.kind].scope in caller.scopes
        or SOURCE_KINDS[source.kind].scope not in operation.scopes
        for source in caller.approved_of(*operation.kinds)
    )


def check(operation: Operation, caller: Caller) -> None:
    """Raise InsufficientScope or NoApprovedSource if the caller does not see the tool."""
    operation.check_scope(caller)
    if not has_source(operation, caller):
        raise NoApprovedSource(
            f"No approved source of the kind {' or '.join(operation.kinds)} is readable with "
            "this key; an owner or admin of the organization can approve one."
        )
