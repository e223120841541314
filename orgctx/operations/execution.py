"""Run operations for REST and MCP. Does not use Flask.

Each function checks the scope, then parses the arguments, calls the service function and builds the
envelope.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from orgctx.operations.exposure import Caller, freshness, freshness_notice
from orgctx.operations.operation import Operation, Reader, Result, Stores
from orgctx.operations.scope_use import mark_scopes
from orgctx.schemas.arguments import parse_json
from orgctx.schemas.envelope import Meta
from orgctx.schemas.payload import Payload, fields_of
from orgctx.stores.deadline import Deadline


def execute(
    operation: Operation,
    caller: Caller,
    stores: Stores,
    deadline: Deadline,
    parse: Callable[[], dict[str, Any]],
) -> tuple[dict[str, Any], Result]:
    """Return the envelope of a successful response, and the Result in it.

    Args:
        parse: returns the arguments; called only after the scope was checked.

    Raises:
        ApiError: the scope is missing, an argument is invalid, or the operation fails.
    """
    operation.check_scope(caller)
    result = _run(operation, caller, stores, Reader(stores, caller, deadline), parse())
    return _envelope(operation.pagination, result, _meta(operation, caller, result)), result


def execute_tool(
    operation: Operation,
    caller: Caller,
    stores: Stores,
    deadline: Deadline,
    members: Mapping[str, Any],
) -> tuple[dict[str, Any], Result]:
    """Return the envelope of a successful tool call, and the Result in it, as its `tool` shapes it.

    Args:
        members: the arguments in JSON; parsed only after the scope was checked.

    Raises:
        ApiError: as `execute`.
    """
    operation.check_scope(caller)
    arguments = parse_json(operation.tool_arguments, members)
    of_rest = {name: arguments[name] for name in fields_of(operation.arguments)}
    reader = Reader(stores, caller, deadline)
    result = _run(operation, caller, stores, reader, of_rest)
    meta = _meta(operation, caller, result)
    if operation.tool:
        result = operation.tool.shape(caller, reader, result, arguments)
    if operation.is_list:
        result = replace(result, data=without_nulls(result.data))
    notice = freshness_notice(result.sources)
    if notice:
        result = replace(result, notices=(notice, *result.notices))
    envelope = _envelope(operation.tool_pagination, result, meta)
    return envelope | ({"hints": result.hints} if result.hints else {}), result


def without_nulls(value: Any) -> Any:
    """Leave out all members that are null."""
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def _run(
    operation: Operation,
    caller: Caller,
    stores: Stores,
    reader: Reader,
    arguments: Mapping[str, Any],
) -> Result:
    result = operation.service(caller, reader, **arguments)
    if operation.watches and result.sources:
        stores.quota.mark_watched(caller.organization.id, reader.deadline)
    mark_scopes(operation, caller, stores, result, reader.deadline)
    return result


def _meta(operation: Operation, caller: Caller, result: Result) -> dict[str, Any]:
    meta = {
        "organization_id": caller.organization.id,
        "freshness": freshness(
            result.sources,
            origin=operation.origin,
            is_preview=caller.organization.is_preview,
            empty=result.data == [],
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
