"""What HTTP must say before a message is looked at. No JSON-RPC here."""

from __future__ import annotations

from urllib.parse import urlsplit

from werkzeug.datastructures import MIMEAccept

from orgctx.errors import ApiError

METHODS = ("POST",)
JSON = "application/json"
DEFAULT_PORTS = {"http": 80, "https": 443}


class ForeignOrigin(ApiError):
    status, code = 403, "foreign_origin"
    default_message = (
        "Requests from this Origin are not accepted; the operator can add it to "
        "ORGCTX_MCP_ALLOWED_ORIGINS."
    )


class NotAcceptable(ApiError):
    status, code = 406, "not_acceptable"
    default_message = "Answers are application/json; the Accept header must allow it."


class UnsupportedMediaType(ApiError):
    status, code = 415, "unsupported_media_type"
    default_message = "Send JSON with the header `Content-Type: application/json`."


def check_origin(origin: str | None, base_url: str, allowed: tuple[str, ...]) -> None:
    """Raise ForeignOrigin for a web page of another site; without an Origin nothing is wrong.

    allowed: origins besides that of base_url.
    """
    if origin is None:
        return
    if _origin(origin) not in {_origin(url) for url in (base_url, *allowed)}:
        raise ForeignOrigin


def check_media_types(content_type: str, accept: MIMEAccept) -> None:
    """Raise unless JSON comes in and may go out.

    content_type: without its parameters. The event stream that clients offer
    to accept as well is never used.
    """
    if content_type != JSON:
        raise UnsupportedMediaType
    if accept and not accept.best_match([JSON]):
        raise NotAcceptable


def _origin(url: str) -> tuple[str, str, int | None] | None:
    """Scheme, host and port; None for what is not an origin, which equals no allowed one."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None
