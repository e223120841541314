"""Turn a parsed body into an HTTP status and a JSON-RPC document. Does not use Flask."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from math import inf
from time import sleep
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

# The answers of a batch stay in memory until the last one is ready. One worker answers this many
# batches at a time, and continues this many of them beyond SMALL_BATCH_BYTES.
MAX_BATCHES_AT_ONCE = 64
SMALL_BATCH_BYTES = 512 * 1024
MAX_LARGE_BATCHES_AT_ONCE = 2
_batches = TenantQueue(MAX_BATCHES_AT_ONCE)
_large_batches = TenantQueue(MAX_LARGE_BATCHES_AT_ONCE)

# Creates the exchange once the protocol version is known.
Open = Callable[[ProtocolVersion], Exchange]


def answer(document: Any, headers: Headers, open_exchange: Open) -> tuple[int, Any]:
    """Return the HTTP status and the JSON-RPC document, or None for messages without an answer.

    Raises:
        RpcError: the request cannot be dispatched.
    """
    if isinstance(document, list):
        exchange = open_exchange(protocol_versions.of_batch(headers))
        with ExitStack() as slots:
            _occupy(_batches, slots, exchange)
            return _answer_batch(document, exchange, slots)
    if messages.is_unanswered(document):
        return 202, None
    request = messages.request_of(document)
    exchange = open_exchange(protocol_versions.of_request(request, headers))
    response = dispatch(request, exchange)
    code = response["error"]["code"] if "error" in response else 0
    return exchange.version.statuses.get(code, 200), response


def _occupy(queue: TenantQueue, slots: ExitStack, exchange: Exchange, seconds: float = inf) -> bool:
    """Wait up to `seconds` for a slot and occupy it until the batch ends; return if it is occupied.

    Raises RequestTimeout.
    """
    organization, deadline = exchange.caller.organization.id, exchange.admission.deadline
    is_occupied = queue.acquire(organization, min(seconds, deadline.left()))
    if is_occupied:
        slots.callback(queue.release, organization)
    elif seconds:
        raise RequestTimeout
    return is_occupied


def _answer_batch(batch: list[Any], exchange: Exchange, slots: ExitStack) -> tuple[int, Any]:
    """Answer each message separately, until the answers exceed MAX_BATCH_BYTES."""
    answers: list[orjson.Fragment] = []
    remaining_bytes, has_id = MAX_BATCH_BYTES, False
    small_bytes: float = SMALL_BATCH_BYTES
    for message in batch:
        if messages.is_unanswered(message):
            continue
        # Let other requests run: past the deadline, no message waits for anything.
        sleep(0)
        response, content = _answer_one(message, exchange, remaining_bytes)
        if len(content) > small_bytes:
            small_bytes = inf
            if not _occupy(_large_batches, slots, exchange, 0):
                # Many batches may wait here, so each drops its large answer and gets it again.
                response, content = {}, b""
                _occupy(_large_batches, slots, exchange)
                response, content = _answer_one(message, exchange, remaining_bytes)
        if len(content) > remaining_bytes:
            remaining_bytes = 0
            response, content = _answer_one(message, exchange, remaining_bytes)
        remaining_bytes = max(0, remaining_bytes - len(content))
        small_bytes -= len(content)
        has_id |= response["id"] is not None
        answers.append(orjson.Fragment(content))
    if not answers:
        return 202, None
    # A client would wait forever for a 200 that contains none of its ids.
    return 200 if has_id else 400, answers


def _answer_one(
    message: Any, exchange: Exchange, remaining_bytes: int
) -> tuple[dict[str, Any], bytes]:
    """Answer one message, also as JSON: an error if the batch has no bytes left for responses."""
    try:
        request = messages.request_of(message)
        response = dispatch(request, exchange) if remaining_bytes else _too_large(request["id"])
    except RpcError as error:
        response = error.document()
    return response, orjson.dumps(response)


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
