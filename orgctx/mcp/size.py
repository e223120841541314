"""Fit results into an agent's context: about 10,000 tokens, unless the agent passes `limit`.

If an operation has the argument `limit`, it runs again with a lower one. Otherwise the longest
texts are shortened. The notice in the result tells the agent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from orgctx.mcp.instructions import LOWERED, NOTICE, SHORTENED
from orgctx.operations.operation import Operation
from orgctx.schemas.envelope import to_json
from orgctx.schemas.payload import fields_of

BUDGET_BYTES = 40_000
TEXT_LENGTHS = (4000, 2000, 1000, 500, 240)
# Only these members are shortened; ids, names and addresses stay whole.
TEXTS = frozenset({"text", "detail", "description", "preview"})

Envelope = Mapping[str, Any]


def fitting(
    operation: Operation,
    arguments: Mapping[str, Any],
    run: Callable[[Mapping[str, Any]], Envelope],
) -> bytes:
    """Return the envelope and its notice as JSON, bounded unless the arguments contain a limit.

    Args:
        run: returns the envelope for arguments; called again with a lower limit if needed.
    """
    envelope = run(arguments)
    answer = _with_notice(envelope)
    if len(answer) <= BUDGET_BYTES or "limit" in arguments:
        return answer
    if "limit" not in fields_of(operation.arguments):
        return _shortened(envelope)
    limit: int = fields_of(operation.arguments)["limit"].load_default
    notice = ""
    while len(answer) > BUDGET_BYTES and limit > 1:
        # 10 % less than in proportion, because items differ in size.
        limit = max(1, limit * BUDGET_BYTES * 9 // (len(answer) * 10))
        notice = LOWERED.format(limit=limit)
        envelope = run({**arguments, "limit": limit})
        answer = _with_notice(envelope, notice)
    return answer if len(answer) <= BUDGET_BYTES else _shortened(envelope, notice)


def _shortened(envelope: Envelope, *notices: str) -> bytes:
    """Shorten the longest texts until the answer fits, or as far as TEXT_LENGTHS goes."""
    answer = b""
    for length in TEXT_LENGTHS:
        cut = {**envelope, "data": _cut(envelope["data"], length)}
        answer = _with_notice(cut, *notices, SHORTENED.format(length=length))
        if len(answer) <= BUDGET_BYTES:
            break
    return answer


def _cut(value: Any, length: int, *, is_text: bool = False) -> Any:
    if isinstance(value, dict):
        return {name: _cut(member, length, is_text=name in TEXTS) for name, member in value.items()}
    if isinstance(value, list):
        return [_cut(item, length) for item in value]
    if is_text and isinstance(value, str) and len(value) > length:
        return value[: length - 1] + "…"
    return value


def _with_notice(envelope: Envelope, *notices: str) -> bytes:
    return to_json({**envelope, "notice": " ".join((*notices, NOTICE))})
