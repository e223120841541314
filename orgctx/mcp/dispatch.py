"""Turn a parsed body into an HTTP status and a JSON-RPC document. Does not use Flask."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import orjson
from jsonrpcserver import dispatch_to_serializable
from werkzeug.datastructures import Headers

from orgctx.errors import RequestTimeout
from orgctx.mcp import messages, protocol_versions
from orgctx.mcp.errors import INVALID_REQUEST, RpcError, error_document
from orgctx.mcp.methods import HANDSHAKE_METHODS, MODERN_METHODS, Exchange
from orgctx.mcp.protocol_versions import ProtocolVersion
from orgctx.stores.tenant_queue import TenantQueue

MAX_BATCH_BYTES = 16 * 1024 * 1024

MAX_BATCHES_AT_ONCE = 2
_batches = TenantQueue(MAX_BATCHES_AT_ONCE)

# Creates the exchange once the protocol version is known.
Open = Callable[[ProtocolVersion], Exchange]


def answer(document: Any, headers: Headers, open_exchange: Open) -> tuple[int, Any]:
    """Return the HTTP status and the JSON-RPC document, or None for messages without an answer.

    Raises:
        RpcError: the request cannot be dispatched.
    """
    if isinstance(document, list):
        exchange = open_exchange(protocol_versions.of_batch(headers))
        with _batch_slot(exchange):
            return _answer_batch(document, exchange)
    if messages.is_unanswered(document):
        return 202, None
    request = messages.request_of(document)
    exchange = open_exchange(protocol_versions.of_request(request, headers))
    response = dispatch(request, exchange)
    code = response["error"]["code"] if "error" in response else 0
    return exchange.version.statuses.get(code, 200), response


@contextmanager
def _batch_slot(exchange: Exchange) -> Iterator[None]:
    """Occupy a slot while a batch is answered, because its answers stay in memory until the last
    is ready. Raises RequestTimeout."""
    organization = exchange.caller.organization.id
    if not _batches.acquire(organization, exchange.admission.deadline.left()):
        raise RequestTimeout
    try:
        yield
    finally:
        _batches.release(organization)


def _answer_batch(batch: list[Any], exchange: Exchange) -> tuple[int, Any]:
    """Answer each message separately, until the answers exceed MAX_BATCH_BYTES."""
    answers: list[orjson.Fragment] = []
    remaining_bytes, has_id = MAX_BATCH_BYTES, False
    for message in batch:
        if messages.is_unanswered(message):
            continue
        response = _answer_one(message, exchange, remaining_bytes)
        content = orjson.dumps(response)
        if len(content) > remaining_bytes:
            response, remaining_bytes = _too_large(response["id"]), 0
            content = orjson.dumps(response)
        remaining_bytes = max(0, remaining_bytes - len(content))
        has_id |= response["id"] is not None
        answers.append(orjson.Fragment(content))
    if not answers:
        return 202, None
    # A client would wait forever for a 200 that contains none of its ids.
    return 200 if has_id else 400, answers


def _answer_one(message: Any, exchange: Exchange, remaining_bytes: int) -> dict[str, Any]:
    """Answer one message. Returns an error if the batch has no bytes left for its responses."""
    try:
        request = messages.request_of(message)
        return dispatch(request, exchange) if remaining_bytes else _too_large(request["id"])
    except RpcError as error:
        return error.document()


def _too_large(message_id: Any) -> dict[str, Any]:
    return error_document(
        INVALID_REQUEST,
        f"The answers of a batch may take at most {MAX_BATCH_BYTES // 1024**2} MiB. Send this "
        "message again in a smaller batch.",
        message_id,
    )


def dispatch(request: dict[str, Any], exchange: Exchange) -> dict[str, Any]:
    """Return the response to one checked request."""
    response = dispatch_to_serializable(
        request,
        methods=MODERN_METHODS if exchange.version.is_modern else HANDSHAKE_METHODS,
        context=exchange,
        deserializer=_checked,
        validator=_checked,
    )
    return cast(dict[str, Any], response)


def _checked(request: Any) -> Any:
    """Do nothing: `messages` has already parsed and checked the request."""
    return request
