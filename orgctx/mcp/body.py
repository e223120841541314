"""Read a request's body within limits of size and time."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from orgctx.errors import BodyNotAccepted, InvalidParameter
from orgctx.mcp.body_timeout import Body, end_one, receiving
from orgctx.stores.deadline import Deadline
from orgctx.stores.tenant_queue import TenantQueue

MAX_BYTES = 1024 * 1024
SMALL_BYTES = 64 * 1024
# One worker reads this many bodies over SMALL_BYTES or of unknown length at a time.
MAX_LARGE_AT_ONCE = 16
_large = TenantQueue(MAX_LARGE_AT_ONCE)
# How often a waiting body tries again, and ends another one if its tenant has no slot.
ROOM_SECONDS = 0.2


def read(environ: dict[str, Any], tenant: Hashable, deadline: Deadline) -> bytes:
    """Read the body of a request.

    Args:
        tenant: the sender. While it sends no other large body, it waits for none.

    Raises:
        BodyNotAccepted: it is too large.
        RequestTimeout: it arrives too slowly, or has to make room for another tenant.
        InvalidParameter: it is shorter than Content-Length, or its chunks are malformed.
    """
    length = _length(environ)
    if length is not None and length > MAX_BYTES:
        raise _too_large()
    is_large = length is None or length > SMALL_BYTES
    connection = environ.get("gunicorn.socket")
    incoming = Body(deadline, monotonic(), connection, tenant if is_large else None)
    with _slot(incoming), receiving(incoming):
        body = _read(environ["wsgi.input"], MAX_BYTES + 1 if length is None else length)
    deadline.left()
    if body is None or len(body) < (length or 0):
        raise InvalidParameter(
            "the body must have the length of its Content-Length header, or well-formed chunks"
        )
    if len(body) > MAX_BYTES:
        raise _too_large()
    return body


@contextmanager
def _slot(body: Body) -> Iterator[None]:
    """Occupy a slot while a large body is read, because its parts stay in memory until it ends.

    If all slots are occupied, a tenant that occupies none ends a body of another tenant. Raises
    RequestTimeout.
    """
    if body.tenant is None:
        yield
        return
    seconds = 0.0
    while not _large.acquire(body.tenant, min(seconds, body.deadline.left())):
        if not _large.holds(body.tenant):
            end_one()
        seconds = ROOM_SECONDS
    try:
        yield
    finally:
        _large.release(body.tenant)


def _too_large() -> BodyNotAccepted:
    return BodyNotAccepted("The body must be at most 1 MiB (1,048,576 bytes).")


def _length(environ: dict[str, Any]) -> int | None:
    """Return the Content-Length; None for a chunked body, whose end the server detects."""
    header = environ.get("CONTENT_LENGTH") or ""
    if header.isascii() and header.isdigit():
        return int(header)
    return None if environ.get("wsgi.input_terminated") else 0


def _read(stream: Any, size: int) -> bytes | None:
    """Return the body, or None if the client disconnected or sent malformed chunks."""
    try:
        body: bytes = stream.read(size) if size else b""
    except Exception:  # noqa: BLE001, each server raises its own
        return None
    return body
