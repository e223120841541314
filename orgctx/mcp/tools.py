"""Operations as MCP tools: how they are described, and calls.

Descriptors are short because agents pay for every character of a list of tools. They have no output
schema: models do not need it, and the OpenAPI document has the members.
"""

import re
from collections.abc import Callable, Container, Mapping
from functools import lru_cache
from typing import Any

import orjson

from orgctx.errors import ApiError, InternalError, InvalidParameter, NotFound, OtherRecord
from orgctx.http.reads import read_of
from orgctx.mcp.visibility import (
    LOWERED,
    NOTICE,
    SHORTENED,
    TOOLS,
    NoApprovedSource,
    check,
    visible_names,
    without_hidden,
)
from orgctx.observability.logs import note_error
from orgctx.operations.execution import execute_tool
from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Operation, Reader, Result, Use
from orgctx.schemas.arguments import from_model
from orgctx.schemas.json_schema import object_schema
from orgctx.schemas.payload import LARGE_ANSWER_BYTES, check_size, etag_of, fields_of, to_json
from orgctx.stores.deadline import let_others_run

BUDGET_BYTES = 40_000
TEXT_LENGTHS = (4000, 2000, 1000, 500, 240, 120)
# Only these members are shortened; ids, names and addresses stay whole.
TEXTS = frozenset({"text", "detail", "description", "preview", "path"})

# An envelope, and the result in it.
Answer = tuple[Mapping[str, Any], Result]


def input_schema(operation: Operation) -> dict[str, Any]:
    """Return the schema of a tool's arguments, without examples and patterns.

    `page` has no description, because the instructions say how to page; nor has the identifier,
    because the description of the tool says where it comes from.
    """
    schema = object_schema(operation.tool_arguments)
    for argument in schema["properties"].values():
        for keyword in ("examples", "pattern"):
            argument.pop(keyword, None)
    described_elsewhere = ("page", operation.identifier and operation.identifier.argument)
    for name in schema["properties"].keys() & set(described_elsewhere):
        del schema["properties"][name]["description"]
    return schema


# If one of the four is missing, clients ask a human before each call.
ANNOTATIONS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}


# The label of each result: text of others, which only members may read. Its form is that of
# information flow control (IFC) labels of other servers, a draft (SEP-1913).
TRUST_LABEL = {"orgctx/ifc": {"integrity": "untrusted", "confidentiality": "private"}}
# How many characters of a result a client keeps, which cuts longer ones.
LIMIT_META = {"anthropic/maxResultSizeChars": 200_000}
RESULT_META = TRUST_LABEL | LIMIT_META


def descriptor(operation: Operation, names: Container[str] = TOOLS) -> dict[str, Any]:
    """Return the tool of an operation as tools/list returns it.

    names: of the tools that the key sees.
    """
    return {
        "name": operation.name,
        "title": operation.title,
        "description": without_hidden(description(operation), names),
        "inputSchema": input_schema(operation),
        "annotations": ANNOTATIONS,
        "_meta": LIMIT_META | ({"anthropic/alwaysLoad": True} if operation.is_core else {}),
    }


@lru_cache(1024)
def serialized(operation: Operation, names: frozenset[str]) -> orjson.Fragment:
    """Return the descriptor as JSON."""
    return orjson.Fragment(orjson.dumps(descriptor(operation, names)))


def description(operation: Operation) -> str:
    """Join the operation's public text, its hint, which tools return identifiers, and its use."""
    source = operation.identifier.source if operation.identifier else ""
    parts = (operation.doc, operation.hint, source, _example(operation.use))
    return " ".join(part for part in parts if part)


def _example(use: Use | None) -> str:
    if use is None:
        return ""
    arguments = f" {orjson.dumps(use.arguments).decode()}" if use.arguments else ""
    return f'Example: "{use.question}"{arguments}'


def call(
    operation: Operation,
    arguments: Mapping[str, Any],
    reader: Reader,
    request_id: str,
    record: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return the result of tools/call, whether the operation succeeds or fails.

    record: receives what was read, unless it is None.
    """
    result: Result | None = None
    arguments = from_model(operation.tool_arguments, arguments)

    def run(members: Mapping[str, Any]) -> tuple[dict[str, Any], Result]:
        nonlocal result
        envelope, found = execute_tool(operation, reader, members)
        answer = _with_seen_tools(envelope, reader.caller), found
        # Otherwise it is not kept: the memory of large results is needed to serialize them.
        result = None if record is None else answer[1]
        return answer

    try:
        check(operation, reader.caller)
        content = fitting(operation, arguments, run)
        if len(content) > LARGE_ANSWER_BYTES:
            let_others_run()
        text = orjson.dumps(content.decode())
        check_size(len(content) + len(text))
    except Exception as error:  # noqa: BLE001, jsonrpcserver would show its text
        note_error(error)
        shown = error if isinstance(error, ApiError) else InternalError()
        return failure(operation, shown, arguments, reader.caller, request_id)
    if record is not None and result is not None:
        record.append(read_of(operation, result, _path(operation, arguments), etag_of(content)))
    return tool_result(text, content) | {"_meta": RESULT_META}


def _with_seen_tools(envelope: dict[str, Any], caller: Caller) -> dict[str, Any]:
    """Leave out what hints say of tools that the caller does not see."""
    if "hints" not in envelope:
        return envelope
    names = visible_names(caller)
    hints = [text for hint in envelope["hints"] if (text := without_hidden(hint, names))]
    rest = {name: member for name, member in envelope.items() if name != "hints"}
    return rest | ({"hints": hints} if hints else {})


def tool_result(text: bytes, structure: bytes | None) -> dict[str, Any]:
    """Return the result of a call, which `ProtocolVersion.result` completes.

    Some clients read only content, others only structuredContent, so both hold the answer. A
    failure has no structure, so that no client takes it for data.

    Args:
        text: the answer as a JSON string.
        structure: the answer as JSON; None if the call failed.
    """
    content = {"content": [{"type": "text", "text": orjson.Fragment(text)}]}
    if structure is None:
        return content | {"isError": True}
    return content | {"structuredContent": orjson.Fragment(structure), "isError": False}


def _path(operation: Operation, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that REST has in the path, by their name there."""
    fields = fields_of(operation.arguments).values()
    return {field.path: arguments.get(field.data_key) for field in fields if field.path}


def failure(
    operation: Operation,
    error: ApiError,
    arguments: Mapping[str, Any],
    caller: Caller,
    request_id: str,
) -> dict[str, Any]:
    """Return the result of a failed call."""
    body = error.body(request_id)
    body["error"]["message"] = message(operation, error, arguments, visible_names(caller))
    return tool_result(orjson.dumps(orjson.dumps(body).decode()), None)


def message(
    operation: Operation, error: ApiError, arguments: Mapping[str, Any], names: Container[str]
) -> str:
    """Return the error message; for a bad identifier, also the tool that agents may have meant, or
    the tools that return valid ones.

    Args:
        names: of the tools that the key sees.
    """
    text, identifier = error.message, operation.identifier
    if isinstance(error, NoApprovedSource):
        return text
    if isinstance(error, OtherRecord):
        return without_hidden(text, names)
    wrong = error.names if isinstance(error, InvalidParameter) else ()
    if not identifier or not (isinstance(error, NotFound) or identifier.argument in wrong):
        return text
    value = str(arguments.get(identifier.argument, ""))
    matches = ((re.fullmatch(each, value), lead) for each, lead in identifier.others)
    others = (lead.format(*match.groups()) for match, lead in matches if match)
    seen = [lead for other in others if (lead := without_hidden(other, names))]
    lead = seen[0] if seen else without_hidden(identifier.source, names)
    return f"{text.removesuffix('.')}. {lead}" if lead else text


def fitting(
    operation: Operation,
    arguments: Mapping[str, Any],
    run: Callable[[Mapping[str, Any]], Answer],
) -> bytes:
    """Return the envelope and its notice as JSON, bounded unless the arguments contain a limit.

    Args:
        run: returns the answer for arguments; called again with a lower limit if needed.
    """
    if arguments.get("q") and operation.limit_for_q:
        arguments = {"limit": operation.limit_for_q, **arguments}
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
