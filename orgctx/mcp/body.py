"""Read a request's body within limits of size and time."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from orgctx.errors import BodyNotAccepted, InvalidParameter, RequestTimeout
from orgctx.mcp.body_timeout import receiving_until
from orgctx.stores.deadline import Deadline
from orgctx.stores.tenant_queue import TenantQueue

MAX_BYTES = 1024 * 1024
SMALL_BYTES = 64 * 1024
# One worker reads this many bodies over SMALL_BYTES or of unknown length at a time.
MAX_LARGE_AT_ONCE = 16
_large = TenantQueue(MAX_LARGE_AT_ONCE)


def read(environ: dict[str, Any], tenant: Hashable, deadline: Deadline) -> bytes:
    """Read the body of a request.

    Args:
        tenant: the sender; its large bodies wait only for each other.

    Raises:
        BodyNotAccepted: it is too large.
        RequestTimeout: it arrives too slowly.
        InvalidParameter: it is shorter than Content-Length, or its chunks are malformed.
    """
    length = _length(environ)
    if length is not None and length > MAX_BYTES:
        raise _too_large()
    with _slot(length, tenant, deadline), receiving_until(deadline, environ.get("gunicorn.socket")):
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
def _slot(length: int | None, tenant: Hashable, deadline: Deadline) -> Iterator[None]:
    """Occupy a slot while a large body is read, because its parts stay in memory until it ends."""
    if length is not None and length <= SMALL_BYTES:
        yield
        return
    if not _large.acquire(tenant, deadline.left()):
        raise RequestTimeout
    try:
        yield
    finally:
        _large.release(tenant)


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
