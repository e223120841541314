"""Report MCP messages to the observers, without what the client wrote."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from orgctx.mcp import visibility
from orgctx.observability.observers import OBSERVERS

OTHER = "_OTHER"
TOOL_ERROR = "tool_error"


def observed(
    request: dict[str, Any], methods: Container[str], run: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Return the response to one checked request, and report it. methods: those that exist."""
    if not OBSERVERS:
        return run()
    params = request.get("params")
    params = params if isinstance(params, dict) else {}
    method = request["method"] if request["method"] in methods else OTHER
    for observer in OBSERVERS:
        observer.begin_message(method, _tool(method, params), _traceparent(params))
    error = OTHER
    try:
        response = run()
        error = _error(response)
    finally:
        for observer in OBSERVERS:
            observer.end_message(error)
    return response


def _tool(method: str, params: dict[str, Any]) -> str:
    name = params.get("name")
    is_known = method == "tools/call" and isinstance(name, str) and name in visibility.TOOLS
    return str(name) if is_known else ""


def _traceparent(params: dict[str, Any]) -> str:
    meta = params.get("_meta")
    value = meta.get("traceparent") if isinstance(meta, dict) else None
    return value if isinstance(value, str) else ""


def _error(response: dict[str, Any]) -> str:
    """Return the code of a JSON-RPC error, TOOL_ERROR, or an empty text for a success."""
    if "error" in response:
        return str(response["error"]["code"])
    return TOOL_ERROR if response["result"].get("isError") else ""
