"""Which tools a key sees; texts for it name no others."""

import re
from collections.abc import Container

from orgctx.errors import NotFound
from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS

TOOLS = {operation.name: operation for operation in OPERATIONS}
NAMES = re.compile(rf"\b(?:{'|'.join(TOOLS)})\b")
SENTENCE_END = re.compile(r"(?<=\.) ")


class NoApprovedSource(NotFound):
    """The organization has approved no source that the tool could read."""


def visible_names(caller: Caller) -> frozenset[str]:
    """Return the names of the tools that a caller can use."""
    return frozenset(
        name
        for name, operation in TOOLS.items()
        if caller.scopes.intersection(operation.scopes) and has_source(operation, caller)
    )


def has_source(operation: Operation, caller: Caller) -> bool:
    """Return whether an operation has an approved source to read; overviews need none."""
    return operation.is_overview or any(
        operation.reads(kind, caller.scopes) for kind in {each.kind for each in caller.approved}
    )


def check(operation: Operation, caller: Caller) -> None:
    """Raise InsufficientScope or NoApprovedSource if the caller does not see the tool."""
    operation.check_scope(caller)
    if not has_source(operation, caller):
        raise NoApprovedSource(
            f"No approved source of the kind {' or '.join(operation.kinds)} is readable with "
            "this key; an owner or admin of the organization can approve one."
        )


def without_hidden(text: str, names: Container[str]) -> str:
    """Leave out the sentences that name a tool other than `names`."""
    return " ".join(
        sentence
        for sentence in SENTENCE_END.split(text)
        if all(name in names for name in NAMES.findall(sentence))
    )
