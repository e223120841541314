"""From a parsed body to the status and document that answer it. No Flask here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from jsonrpcserver import dispatch_to_serializable
from werkzeug.datastructures import Headers

from orgctx.mcp import eras, messages
from orgctx.mcp.eras import Era
from orgctx.mcp.faults import RpcFault
from orgctx.mcp.methods import HANDSHAKE_METHODS, MODERN_METHODS, Exchange

# Makes the exchange once the era is known.
Open = Callable[[Era], Exchange]


def answer(document: Any, headers: Headers, open_exchange: Open) -> tuple[int, Any]:
    """HTTP status and JSON-RPC document; None for what gets no answer. Raises RpcFault."""
    if isinstance(document, list):
        return _answer_batch(document, open_exchange(eras.of_batch(headers)))
    if messages.is_unanswered(document):
        return 202, None
    request = messages.request_of(document)
    exchange = open_exchange(eras.of_request(request, headers))
    response = dispatch(request, exchange)
    code = response["error"]["code"] if "error" in response else 0
    return exchange.era.statuses.get(code, 200), response


def _answer_batch(batch: list[Any], exchange: Exchange) -> tuple[int, Any]:
    """Each message is answered or refused by itself."""
    answers = []
    for message in batch:
        if not messages.is_unanswered(message):
            try:
                answers.append(dispatch(messages.request_of(message), exchange))
            except RpcFault as fault:
                answers.append(fault.document())
    if not answers:
        return 202, None
    # Clients wait for ever on a success that answers none of their ids.
    return 400 if all(one["id"] is None for one in answers) else 200, answers


def dispatch(request: dict[str, Any], exchange: Exchange) -> dict[str, Any]:
    """The response to one checked request."""
    response = dispatch_to_serializable(
        request,
        methods=MODERN_METHODS if exchange.era.is_modern else HANDSHAKE_METHODS,
        context=exchange,
        deserializer=_checked,
        validator=_checked,
    )
    return cast(dict[str, Any], response)


def _checked(request: Any) -> Any:
    """`messages` has parsed and checked it already."""
    return request
