"""Describe operations as MCP tools, and call them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import orjson

from orgctx.errors import ApiError, InternalError, InvalidParameter, NotFound
from orgctx.http.reads import etag_of, read_of
from orgctx.mcp import size, visibility
from orgctx.mcp.tool_schemas import input_schema, output_schema
from orgctx.mcp.visibility import NoApprovedSource
from orgctx.observability.logs import note_error
from orgctx.operations.execution import execute_tool
from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Operation, Result, Stores, Use
from orgctx.schemas.envelope import check_size
from orgctx.schemas.payload import fields_of
from orgctx.stores.deadline import Deadline

# If one of the four is missing, clients ask a human before each call.
ANNOTATIONS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}


@cache
def descriptor(operation: Operation) -> dict[str, Any]:
    """Return the tool of an operation as tools/list returns it."""
    return {
        "name": operation.name,
        "title": operation.title,
        "description": description(operation),
        "inputSchema": input_schema(operation),
        "outputSchema": output_schema(operation),
        "annotations": ANNOTATIONS,
    }


@cache
def serialized(operation: Operation) -> orjson.Fragment:
    """Return the descriptor as JSON."""
    return orjson.Fragment(orjson.dumps(descriptor(operation)))


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
    caller: Caller,
    stores: Stores,
    deadline: Deadline,
    request_id: str,
    record: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return the result of tools/call, whether the operation succeeds or fails.

    record: receives what was read, unless it is None.
    """
    result: Result | None = None

    def run(members: Mapping[str, Any]) -> tuple[dict[str, Any], Result]:
        nonlocal result
        answer = execute_tool(operation, caller, stores, deadline, members)
        # Otherwise it is not kept: the memory of large results is needed to serialize them.
        result = None if record is None else answer[1]
        return answer

    try:
        visibility.check(operation, caller)
        answer = size.fitting(operation, arguments, run)
        text = orjson.dumps(answer.decode())
        check_size(len(answer) + len(text))
    except ApiError as error:
        note_error(error)
        return failure(operation, error, request_id)
    except Exception as error:  # noqa: BLE001, jsonrpcserver would show its text
        note_error(error)
        return failure(operation, InternalError(), request_id)
    if record is not None and result is not None:
        record.append(read_of(operation, result, _path(operation, arguments), etag_of(answer)))
    # Some clients read only content, others only structuredContent, so both hold the answer.
    return {
        "content": [{"type": "text", "text": orjson.Fragment(text)}],
        "structuredContent": orjson.Fragment(answer),
        "isError": False,
    }


def _path(operation: Operation, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that REST has in the path, by their name there."""
    fields = fields_of(operation.arguments).values()
    return {field.path: arguments.get(field.data_key) for field in fields if field.path}


def failure(operation: Operation, error: ApiError, request_id: str) -> dict[str, Any]:
    """Return the result of a failed call.

    It has no structuredContent, because clients would validate it against the outputSchema.
    """
    body = error.body(request_id)
    body["error"]["message"] = message(operation, error)
    return {
        "content": [{"type": "text", "text": orjson.dumps(body).decode()}],
        "isError": True,
    }


def message(operation: Operation, error: ApiError) -> str:
    """Return the error message. For a bad identifier, name the tools that return valid ones."""
    text, identifier = error.message, operation.identifier
    if identifier is None:
        return text
    if isinstance(error, InvalidParameter):
        # Errors are separated by semicolons and begin with the name of the argument.
        is_about_identifier = f"; {identifier.argument} " in f"; {text}"
        return f"{text}. {identifier.source}" if is_about_identifier else text
    if isinstance(error, NotFound) and not isinstance(error, NoApprovedSource):
        return f"{text} {identifier.source}"
    return text
