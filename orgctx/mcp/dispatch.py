"""Turn a parsed body into an HTTP status and a JSON-RPC document. Does not use Flask.

Observers learn of each message, but not what the client wrote.
"""

from collections.abc import Callable, Container, Sequence
from contextlib import ExitStack
from math import inf
from time import monotonic, sleep
from typing import Any, cast

import orjson
from jsonrpcserver import dispatch_to_serializable
from werkzeug.datastructures import Headers

from orgctx.errors import RequestTimeout
from orgctx.mcp import messages, protocol_versions
from orgctx.mcp.messages import INVALID_REQUEST, RpcError, error_document
from orgctx.mcp.methods import HANDSHAKE_METHODS, MODERN_METHODS, Exchange
from orgctx.mcp.protocol_versions import ProtocolVersion
from orgctx.mcp.tools import TOOLS
from orgctx.observability.observers import OBSERVERS
from orgctx.stores.tenant_queue import TenantQueue

MAX_BATCH_BYTES = 16 * 1024 * 1024

# One worker answers this many batches at a time, and continues this many of them beyond
# SMALL_BATCH_BYTES.
MAX_BATCHES_AT_ONCE = 64
SMALL_BATCH_BYTES = 512 * 1024
MAX_LARGE_BATCHES_AT_ONCE = 2
# How long a batch keeps its places while tenants without a place wait for one.
KEPT_SECONDS = 1.0
_batches = TenantQueue(MAX_BATCHES_AT_ONCE)
_large_batches = TenantQueue(MAX_LARGE_BATCHES_AT_ONCE)

TOO_LARGE = (
    f"The answers of a batch may take at most {MAX_BATCH_BYTES // 1024**2} MiB. Send this message "
    "again in a smaller batch."
)
TOO_LONG = (
    "This batch took long, and other organizations waited. Send this message again in a smaller "
    "batch."
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


class Places:
    """The places of a batch among those that the worker answers at once."""

    def __init__(self, exchange: Exchange, stack: ExitStack) -> None:
        self._tenant = exchange.reader.caller.organization.id
        self._deadline = exchange.admission.deadline
        self._stack = stack
        self._held: list[tuple[TenantQueue, float]] = []

    def take(self, queue: TenantQueue, seconds: float = inf) -> bool:
        """Wait up to `seconds` for a place until the stack ends; return whether it was taken.

        Raises RequestTimeout past the deadline.
        """
        is_taken = queue.acquire(self._tenant, min(seconds, self._deadline.left()))
        if is_taken:
            self._stack.callback(queue.release, self._tenant)
            self._held.append((queue, monotonic()))
        elif seconds:
            raise RequestTimeout
        return is_taken

    def are_needed(self) -> bool:
        """Return whether another tenant waits for a place that was held for KEPT_SECONDS."""
        now = monotonic()
        return any(
            now - taken_at >= KEPT_SECONDS and queue.is_needed() for queue, taken_at in self._held
        )


def answer_batch(
    batch: Sequence[Any], exchange: Exchange
) -> tuple[int, list[orjson.Fragment] | None]:
    """Return the HTTP status and the responses, or None if no message gets one.

    The message whose answer exceeds MAX_BATCH_BYTES is rejected, and so are all after it. Once
    another tenant needs the place, all further messages except the first are rejected. Raises
    RequestTimeout if no place is free before the deadline.
    """
    answers: list[orjson.Fragment] = []
    remaining_bytes, has_id, rejection = MAX_BATCH_BYTES, False, ""
    small_bytes: float = SMALL_BATCH_BYTES
    with ExitStack() as stack:
        places = Places(exchange, stack)
        places.take(_batches)
        for message in batch:
            if messages.is_unanswered(message):
                continue
            # Let other requests run: past the deadline, no message waits for anything.
            sleep(0)
            rejection = rejection or (TOO_LONG if answers and places.are_needed() else "")
            read_count = len(exchange.admission.record or ())
            response, content = _answer_one(message, exchange, rejection)
            if len(content) > small_bytes:
                small_bytes = inf
                if not places.take(_large_batches, 0):
                    # Many batches may wait here, so each drops its large answer and gets it again.
                    response, content = {}, b""
                    _forget_reads(exchange, read_count)
                    places.take(_large_batches)
                    response, content = _answer_one(message, exchange, rejection)
            if len(content) > remaining_bytes:
                rejection = TOO_LARGE
                _forget_reads(exchange, read_count)
                response, content = _answer_one(message, exchange, rejection)
            remaining_bytes = max(0, remaining_bytes - len(content))
            small_bytes -= len(content)
            has_id |= response["id"] is not None
            answers.append(orjson.Fragment(content))
    if not answers:
        return 202, None
    # A client would wait forever for a 200 that contains none of its ids.
    return 200 if has_id else 400, answers


def _forget_reads(exchange: Exchange, count: int) -> None:
    """Remove reads from the record after the first `count`, because their answer is not sent."""
    if exchange.admission.record:
        del exchange.admission.record[count:]


def _answer_one(message: Any, exchange: Exchange, rejection: str) -> tuple[dict[str, Any], bytes]:
    """Return the response to one message, and its JSON. rejection: why not to run it, or empty."""
    try:
        request = messages.request_of(message)
        response = (
            error_document(INVALID_REQUEST, rejection, request["id"])
            if rejection
            else dispatch(request, exchange)
        )
    except RpcError as error:
        response = error.document()
    return response, orjson.dumps(response)
