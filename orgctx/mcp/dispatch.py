"""Turn a parsed body into an HTTP status and a JSON-RPC document. Does not use Flask.

Observers learn of each message, but not what the client wrote.
"""

from collections.abc import Callable, Container
from typing import Any, cast

from jsonrpcserver import dispatch_to_serializable
from werkzeug.datastructures import Headers

from orgctx.mcp import messages, protocol_versions
from orgctx.mcp.batch import answer_batch
from orgctx.mcp.methods import HANDSHAKE_METHODS, MODERN_METHODS, Exchange
from orgctx.mcp.protocol_versions import ProtocolVersion
from orgctx.mcp.tools import TOOLS
from orgctx.observability.observers import OBSERVERS

# Creates the exchange once the protocol version is known.
Open = Callable[[ProtocolVersion], Exchange]


def answer(document: Any, headers: Headers, open_exchange: Open) -> tuple[int, Any]:
    """Return the HTTP status and the JSON-RPC document, or None for messages without an answer.

    Raises:
        RequestTimeout: a batch found no place before the deadline.
        RpcError: the request cannot be dispatched.
    """
    if isinstance(document, list):
        exchange = open_exchange(protocol_versions.of_batch(headers))
        return answer_batch(document, exchange, dispatch)
    if messages.is_unanswered(document):
        return 202, None
    request = messages.request_of(document)
    exchange = open_exchange(protocol_versions.of_request(request, headers))
    response = dispatch(request, exchange)
    code = response["error"]["code"] if "error" in response else 0
    return exchange.version.statuses.get(code, 200), response


def dispatch(request: dict[str, Any], exchange: Exchange) -> dict[str, Any]:
    """Return the response to one checked request."""
    methods = MODERN_METHODS if exchange.version.is_modern else HANDSHAKE_METHODS

    def run() -> dict[str, Any]:
        response = dispatch_to_serializable(
            request,
            methods=methods,
            context=exchange,
            deserializer=_checked,
            validator=_checked,
        )
        return cast(dict[str, Any], response)

    return observed(request, methods, run)


def _checked(request: Any) -> Any:
    """Do nothing: `messages` has already parsed and checked the request."""
    return request


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
    is_known = method == "tools/call" and isinstance(name, str) and name in TOOLS
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
