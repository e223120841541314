"""Read the bodies of requests within limits of size and time, fairly between tenants.

A socket timeout restarts with each byte that a slow sender sends, so a timer of gevent ends the
reading at the deadline.
"""

import socket
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from time import monotonic
from typing import Any, NamedTuple

from gevent import Timeout

from orgctx.errors import ApiError, BodyNotAccepted, InvalidParameter
from orgctx.stores.deadline import Deadline
from orgctx.stores.tenant_queue import TenantQueue

MAX_BYTES = 1024 * 1024
SMALL_BYTES = 64 * 1024
# One worker reads this many bodies over SMALL_BYTES or of unknown length at a time.
MAX_LARGE_AT_ONCE = 16
_large = TenantQueue(MAX_LARGE_AT_ONCE)
# How often a waiting body tries again, and ends another one if its tenant has no slot.
ROOM_SECONDS = 0.2
KEPT_SECONDS = 1.0


# Of an environ: whether the whole body was read.
IS_READ = "orgctx.body_is_read"
# The server reads less than this of a body that the application did not read.
LEFTOVER_BYTES = 64 * 1024


class BodyWithoutEnd(ApiError):
    status, code = 408, "request_timeout"
    default_message = (
        "The end of the chunked body did not arrive in time: a chunk of 0 bytes and an empty line."
    )


class LargeBody(NamedTuple):
    """A large body that is being read. tenant: its sender."""

    deadline: Deadline
    began_at: float
    connection: socket.socket
    tenant: Hashable


# In the order in which they began.
_reading: dict[Deadline, LargeBody] = {}


def read(environ: dict[str, Any], tenant: Hashable, deadline: Deadline) -> bytes:
    """Read the body of a request.

    Args:
        tenant: the sender. While it sends no other large body, it waits for none.

    Raises:
        BodyNotAccepted: it is too large.
        RequestTimeout: it arrives too slowly, or has to make room for another tenant.
        BodyWithoutEnd: it is in chunks, and the last one did not arrive in time.
        InvalidParameter: it is shorter than Content-Length, or its chunks are malformed.
    """
    length = _length(environ)
    if length is not None and length > MAX_BYTES:
        raise _too_large()
    ends_at = deadline.ends_at
    environ[IS_READ] = False
    is_large = length is None or length > SMALL_BYTES
    # None if the server does not expose its socket.
    connection = environ.get("gunicorn.socket")
    slot = _slot(tenant, connection, deadline) if is_large else nullcontext()
    body = None
    with slot, receiving(connection, deadline):
        body = _read(environ["wsgi.input"], MAX_BYTES + 1 if length is None else length)
    if body is None and length is None and monotonic() >= ends_at:
        raise BodyWithoutEnd
    deadline.left()
    if body is None or len(body) < (length or 0):
        raise InvalidParameter(
            "the body must have the length of its Content-Length header, or well-formed chunks"
        )
    if len(body) > MAX_BYTES:
        raise _too_large()
    environ[IS_READ] = True
    return body


def ends_connection(environ: dict[str, Any]) -> bool:
    """Return whether the rest of the body is too long, or too uncertain, to wait for it."""
    if IS_READ in environ:
        return not environ[IS_READ]
    return "HTTP_TRANSFER_ENCODING" in environ or (_length(environ) or 0) >= LEFTOVER_BYTES


@contextmanager
def _slot(tenant: Hashable, connection: socket.socket | None, deadline: Deadline) -> Iterator[None]:
    """Occupy a slot while a large body is read, because its parts stay in memory until it ends.

    If all slots are occupied, a tenant that occupies none ends a body of another tenant. Raises
    RequestTimeout.
    """
    seconds = 0.0
    while not _large.acquire(tenant, min(seconds, deadline.left())):
        if not _large.holds(tenant):
            _end_one()
        seconds = ROOM_SECONDS
    if connection is not None:
        _reading[deadline] = LargeBody(deadline, monotonic(), connection, tenant)
    try:
        yield
    finally:
        _reading.pop(deadline, None)
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


@contextmanager
def receiving(connection: socket.socket | None, deadline: Deadline) -> Iterator[None]:
    """Stop receiving at the deadline while the block runs; sending stays possible."""
    if connection is None:
        yield
        return
    with Timeout(deadline.left(), False):
        yield


def _end_one() -> None:
    """End the oldest body of the tenant that sends most large ones.

    If each tenant sends only one, end none that began less than KEPT_SECONDS ago.
    """
    counts = Counter(body.tenant for body in _reading.values())
    for tenant, count in counts.most_common(1):
        oldest = next(body for body in _reading.values() if body.tenant == tenant)
        if count > 1 or oldest.began_at < monotonic() - KEPT_SECONDS:
            oldest.deadline.end()
            del _reading[oldest.deadline]
            with suppress(OSError):
                # Not connection.shutdown(): on a TLS socket it continues in plain text.
                socket.socket.shutdown(oldest.connection, socket.SHUT_RD)
