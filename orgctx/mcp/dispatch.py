"""Turn a parsed body into an HTTP status and a JSON-RPC document. Does not use Flask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from jsonrpcserver import dispatch_to_serializable
from werkzeug.datastructures import Headers

from orgctx.mcp import messages, observing, protocol_versions
from orgctx.mcp.batch import answer_batch
from orgctx.mcp.methods import HANDSHAKE_METHODS, MODERN_METHODS, Exchange
from orgctx.mcp.protocol_versions import ProtocolVersion

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

    return observing.observed(request, methods, run)


def _checked(request: Any) -> Any:
    """Do nothing: `messages` has already parsed and checked the request."""
    return request
