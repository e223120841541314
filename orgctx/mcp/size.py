"""Answers that fit into an agent's context: about 10,000 tokens unless it asked for more.

An answer is never cut behind the agent's back. Where a `limit` was left to us,
a lower one gives the same answer as if the agent had asked for that; pages of
a fixed size get their longest texts shortened, and the notice says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from orgctx.mcp.instructions import LOWERED, NOTICE, SHORTENED
from orgctx.operation import Operation
from orgctx.shapes.envelope import to_json
from orgctx.shapes.payload import fields_of

BUDGET_BYTES = 40_000
TEXT_LENGTHS = (4000, 2000, 1000, 500, 240)
# Members that hold prose; ids, names and addresses stay whole.
TEXTS = frozenset({"text", "detail", "description", "preview"})

Envelope = Mapping[str, Any]


def fitting(
    operation: Operation,
    arguments: Mapping[str, Any],
    ask: Callable[[Mapping[str, Any]], Envelope],
) -> bytes:
    """The JSON of an answer with its notice, bounded where the arguments leave it to us.

    ask: gives the envelope for arguments; may be asked again with a lower limit.
    """
    envelope = ask(arguments)
    answer = _with_notice(envelope)
    if len(answer) <= BUDGET_BYTES or "limit" in arguments:
        return answer
    if "limit" not in fields_of(operation.arguments):
        return _shortened(envelope)
    limit: int = fields_of(operation.arguments)["limit"].load_default
    remark = ""
    while len(answer) > BUDGET_BYTES and limit > 1:
        # A little less than in proportion, because the parts are not all alike.
        limit = max(1, limit * BUDGET_BYTES * 9 // (len(answer) * 10))
        remark = LOWERED.format(limit=limit)
        envelope = ask({**arguments, "limit": limit})
        answer = _with_notice(envelope, remark)
    return answer if len(answer) <= BUDGET_BYTES else _shortened(envelope, remark)


def _shortened(envelope: Envelope, *remarks: str) -> bytes:
    """The JSON with the longest texts cut until it fits, or as far as that helps."""
    answer = b""
    for length in TEXT_LENGTHS:
        cut = {**envelope, "data": _cut(envelope["data"], length)}
        answer = _with_notice(cut, *remarks, SHORTENED.format(length=length))
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


def _with_notice(envelope: Envelope, *remarks: str) -> bytes:
    return to_json({**envelope, "notice": " ".join((*remarks, NOTICE))})
