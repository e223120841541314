"""Turn a parsed body into an HTTP status and a JSON-RPC document. Does not use Flask."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import orjson
from jsonrpcserver import dispatch_to_serializable
from werkzeug.datastructures import Headers

from orgctx.errors import RequestTimeout
from orgctx.mcp import messages, protocol_versions
from orgctx.mcp.messages import INVALID_REQUEST, RpcError, error_document
from orgctx.mcp.methods import HANDSHAKE_METHODS, MODERN_METHODS, Exchange
from orgctx.mcp.protocol_versions import ProtocolVersion
from orgctx.stores.deadline import let_others_run
from orgctx.stores.tenant_queue import TenantQueue

MAX_BATCH_BYTES = 16 * 1024 * 1024

# One worker answers this many batches at a time, because it keeps their answers in memory.
MAX_BATCHES = 8
_batches = TenantQueue(MAX_BATCHES)

TOO_LARGE = (
    f"The answers of a batch may take at most {MAX_BATCH_BYTES // 1024**2} MiB. Send this message "
    "again in a smaller batch."
)

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
        return answer_batch(document, exchange)
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

    response = dispatch_to_serializable(
        request, methods=methods, context=exchange, deserializer=_checked, validator=_checked
    )
    return cast(dict[str, Any], response)


def _checked(request: Any) -> Any:
    """Do nothing: `messages` has already parsed and checked the request."""
    return request


def answer_batch(
    batch: Sequence[Any], exchange: Exchange
) -> tuple[int, list[orjson.Fragment] | None]:
    """Return the HTTP status and the responses, or None if no message gets one.

    The message whose answer exceeds MAX_BATCH_BYTES is rejected, and so are all after it. Raises
    RequestTimeout if MAX_BATCHES other batches run until the deadline.
    """
    tenant = exchange.reader.caller.organization.id
    if not _batches.acquire(tenant, exchange.admission.deadline.left()):
        raise RequestTimeout
    try:
        answers = [*_answers(batch, exchange)]
    finally:
        _batches.release(tenant)
    if not answers:
        return 202, None
    # A client would wait forever for a 200 that contains none of its ids.
    has_id = any(message_id is not None for message_id, _ in answers)
    return 200 if has_id else 400, [orjson.Fragment(content) for _, content in answers]


def _answers(batch: Sequence[Any], exchange: Exchange) -> Iterator[tuple[Any, bytes]]:
    """Yield the id and the JSON of each response, in order."""
    remaining_bytes = MAX_BATCH_BYTES
    for message in batch:
        if messages.is_unanswered(message):
            continue
        # Past the deadline, no message waits for anything.
        let_others_run()
        read_count = len(exchange.admission.recorded_reads or ())
        response = _response(message, exchange, fits=remaining_bytes > 0)
        content = orjson.dumps(response)
        if len(content) > remaining_bytes > 0:
            remaining_bytes = 0
            if exchange.admission.recorded_reads:
                # The answer is not sent.
                del exchange.admission.recorded_reads[read_count:]
            content = orjson.dumps(_response(message, exchange, fits=False))
        yield response["id"], content
        remaining_bytes = max(0, remaining_bytes - len(content))


def _response(message: Any, exchange: Exchange, *, fits: bool) -> dict[str, Any]:
    """Return the response to one message. fits: False rejects it, because the answer is full."""
    try:
        request = messages.request_of(message)
    except RpcError as error:
        return error.document()
    if not fits:
        return error_document(INVALID_REQUEST, TOO_LARGE, request["id"])
    return dispatch(request, exchange)
