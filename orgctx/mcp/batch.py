"""Answer the messages of a batch one after another, within its share of memory and of the worker.

The answers of a batch stay in memory until the last one is ready.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from math import inf
from time import monotonic, sleep
from typing import Any

import orjson

from orgctx.errors import RequestTimeout
from orgctx.mcp import messages
from orgctx.mcp.messages import INVALID_REQUEST, RpcError, error_document
from orgctx.mcp.methods import Exchange
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

# Returns the response to a checked request.
Dispatch = Callable[[dict[str, Any], Exchange], dict[str, Any]]


class Places:
    """The places of a batch among those that the worker answers at once."""

    def __init__(self, exchange: Exchange, stack: ExitStack) -> None:
        self._tenant = exchange.caller.organization.id
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
    batch: Sequence[Any], exchange: Exchange, dispatch: Dispatch
) -> tuple[int, list[orjson.Fragment] | None]:
    """Return the HTTP status and the responses, or None if no message gets one.

    The message whose answer exceeds MAX_BATCH_BYTES is rejected, and so are all after it. Once
    another tenant needs the place, all further messages except the first are rejected. Raises
    RequestTimeout if no place is free before the deadline.
    """
    with ExitStack() as stack:
        places = Places(exchange, stack)
        places.take(_batches)
        return _answer(batch, exchange, dispatch, places)


def _answer(
    batch: Sequence[Any], exchange: Exchange, dispatch: Dispatch, places: Places
) -> tuple[int, list[orjson.Fragment] | None]:
    answers: list[orjson.Fragment] = []
    remaining_bytes, has_id, rejection = MAX_BATCH_BYTES, False, ""
    small_bytes: float = SMALL_BATCH_BYTES
    for message in batch:
        if messages.is_unanswered(message):
            continue
        # Let other requests run: past the deadline, no message waits for anything.
        sleep(0)
        rejection = rejection or (TOO_LONG if answers and places.are_needed() else "")
        read_count = len(exchange.admission.record or ())
        response, content = _answer_one(message, exchange, dispatch, rejection)
        if len(content) > small_bytes:
            small_bytes = inf
            if not places.take(_large_batches, 0):
                # Many batches may wait here, so each drops its large answer and gets it again.
                response, content = {}, b""
                _forget_reads(exchange, read_count)
                places.take(_large_batches)
                response, content = _answer_one(message, exchange, dispatch, rejection)
        if len(content) > remaining_bytes:
            rejection = TOO_LARGE
            _forget_reads(exchange, read_count)
            response, content = _answer_one(message, exchange, dispatch, rejection)
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


def _answer_one(
    message: Any, exchange: Exchange, dispatch: Dispatch, rejection: str
) -> tuple[dict[str, Any], bytes]:
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
