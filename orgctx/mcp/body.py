"""Reading a request's body: no more than is allowed, and no longer than the request may take."""

from __future__ import annotations

from typing import Any

from orgctx.errors import BodyNotAccepted, InvalidParameter
from orgctx.mcp.hangup import hung_up_at
from orgctx.stores.deadline import Deadline

MAX_BYTES = 1024 * 1024


def read(environ: dict[str, Any], deadline: Deadline) -> bytes:
    """The body. Raises BodyNotAccepted, RequestTimeout, or InvalidParameter if it ends early."""
    length = _length(environ)
    if length is not None and length > MAX_BYTES:
        raise _too_large()
    with hung_up_at(deadline, environ.get("gunicorn.socket")):
        body = _read(environ["wsgi.input"], MAX_BYTES + 1 if length is None else length)
    deadline.left()
    if body is None or len(body) < (length or 0):
        raise InvalidParameter("the body must be as long as announced, in well-formed chunks")
    if len(body) > MAX_BYTES:
        raise _too_large()
    return body


def _too_large() -> BodyNotAccepted:
    return BodyNotAccepted("The body must be at most 1 MiB (1,048,576 bytes).")


def _length(environ: dict[str, Any]) -> int | None:
    """The announced length; None for a chunked body, whose end the server finds."""
    announced = environ.get("CONTENT_LENGTH") or ""
    if announced.isascii() and announced.isdigit():
        return int(announced)
    return None if environ.get("wsgi.input_terminated") else 0


def _read(stream: Any, size: int) -> bytes | None:
    """The body, or None if the client left or sent what the server cannot read."""
    try:
        body: bytes = stream.read(size) if size else b""
    except Exception:  # noqa: BLE001, each server has its own
        return None
    return body
