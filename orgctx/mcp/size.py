"""Fit results into an agent's context: about 10,000 tokens, unless the agent passes `limit`.

If an operation has the argument `limit` and no `page`, it runs again with a lower limit. Otherwise
the longest texts are shortened. The notice in the result tells the agent.
"""

from collections.abc import Callable, Mapping
from typing import Any

from orgctx.mcp.instructions import LOWERED, NOTICE, SHORTENED
from orgctx.operations.operation import Operation, Result
from orgctx.schemas.payload import fields_of, to_json

BUDGET_BYTES = 40_000
TEXT_LENGTHS = (4000, 2000, 1000, 500, 240, 120)
# Only these members are shortened; ids, names and addresses stay whole.
TEXTS = frozenset({"text", "detail", "description", "preview", "path"})

# An envelope, and the result in it.
Answer = tuple[Mapping[str, Any], Result]


def fitting(
    operation: Operation,
    arguments: Mapping[str, Any],
    run: Callable[[Mapping[str, Any]], Answer],
) -> bytes:
    """Return the envelope and its notice as JSON, bounded unless the arguments contain a limit.

    Args:
        run: returns the answer for arguments; called again with a lower limit if needed.
    """
    answer = run(arguments)
    content = _with_notice(answer)
    if len(content) <= BUDGET_BYTES or "limit" in arguments:
        return content
    fields = fields_of(operation.tool_arguments)
    # A lower limit would move the bounds of numbered pages.
    if "limit" not in fields or "page" in fields:
        return _shortened(answer)
    limit: int = fields["limit"].load_default
    notice = ""
    while len(content) > BUDGET_BYTES and limit > 1:
        # 10 % less than in proportion, because items differ in size.
        limit = max(1, limit * BUDGET_BYTES * 9 // (len(content) * 10))
        notice = LOWERED.format(limit=limit)
        answer = run({**arguments, "limit": limit})
        content = _with_notice(answer, notice)
    return content if len(content) <= BUDGET_BYTES else _shortened(answer, notice)


def _shortened(answer: Answer, *notices: str) -> bytes:
    """Shorten the longest texts until the answer fits, or as far as TEXT_LENGTHS goes."""
    envelope, result = answer
    content = b""
    for length in TEXT_LENGTHS:
        cut = {**envelope, "data": _cut(envelope["data"], length)}
        content = _with_notice((cut, result), *notices, SHORTENED.format(length=length))
        if len(content) <= BUDGET_BYTES:
            break
    return content


def _cut(value: Any, length: int, *, is_text: bool = False) -> Any:
    if isinstance(value, dict):
        return {name: _cut(member, length, is_text=name in TEXTS) for name, member in value.items()}
    if isinstance(value, list):
        return [_cut(item, length) for item in value]
    if is_text and isinstance(value, str) and len(value) > length:
        return value[: length - 1] + "…"
    return value


def _with_notice(answer: Answer, *notices: str) -> bytes:
    envelope, result = answer
    return to_json({**envelope, "notice": " ".join((*notices, *result.notices, NOTICE))})
