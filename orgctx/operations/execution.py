"""Run operations for REST and MCP. Does not use Flask.

Each function checks the scope, then parses the arguments, calls the service function and builds the
envelope.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from orgctx.operations.exposure import Caller, freshness, freshness_notice
from orgctx.operations.operation import Operation, Reader, Result
from orgctx.schemas.arguments import parse_json
from orgctx.schemas.payload import Meta, Payload, fields_of


def execute(
    operation: Operation, reader: Reader, parse: Callable[[], dict[str, Any]]
) -> tuple[dict[str, Any], Result]:
    """Return the envelope of a successful response, and the Result in it.

    Args:
        parse: returns the arguments; called only after the scope was checked.

    Raises:
        ApiError: the scope is missing, an argument is invalid, or the operation fails.
    """
    operation.check_scope(reader.caller)
    result = _run(operation, reader, parse())
    return _envelope(operation.pagination, result, _meta(operation, reader.caller, result)), result


def execute_tool(
    operation: Operation, reader: Reader, members: Mapping[str, Any]
) -> tuple[dict[str, Any], Result]:
    """Return the envelope of a successful tool call, and the Result in it, after its `shape`.

    Args:
        members: the arguments in JSON; parsed only after the scope was checked.

    Raises:
        ApiError: as `execute`.
    """
    caller = reader.caller
    operation.check_scope(caller)
    arguments = parse_json(operation.tool_arguments, members)
    rest_arguments = {name: arguments[name] for name in fields_of(operation.arguments)}
    result = _run(operation, reader, rest_arguments)
    if operation.shape:
        result = operation.shape(result, reader, arguments)
    if operation.is_list:
        result = replace(result, data=without_nulls(result.data))
    notice = freshness_notice(result.sources)
    notices = (notice, *result.notices) if notice else result.notices
    result = replace(result, notices=notices)
    meta = _meta(operation, caller, result, is_tool=True)
    envelope = _envelope(operation.tool_pagination, result, meta)
    return envelope | ({"hints": result.hints} if result.hints else {}), result


def without_nulls(value: Any) -> Any:
    """Leave out all members that are null."""
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def _run(operation: Operation, reader: Reader, arguments: Mapping[str, Any]) -> Result:
    result = operation.service(reader.caller, reader, **arguments)
    if operation.watches and result.sources:
        # Its statements have verified the caller.
        reader.quota.mark_watched(reader.caller.organization.id, reader.deadline)
    return result


def _meta(
    operation: Operation, caller: Caller, result: Result, *, is_tool: bool = False
) -> dict[str, Any]:
    meta = {
        "organization_id": caller.organization.id,
        "freshness": freshness(
            result.sources,
            origin=operation.origin,
            is_preview=caller.organization.is_preview,
            empty=result.data == [],
            # The notice of a tool result names them, with the age of their data.
            names_outdated=not is_tool,
        ),
    }
    return Meta.one(meta)


def _envelope(
    pagination: type[Payload] | None, result: Result, meta: dict[str, Any]
) -> dict[str, Any]:
    envelope = {"data": result.data, "meta": meta}
    if pagination is not None:
        envelope["pagination"] = pagination.one(result.pagination or {})
    return envelope
