"""Check the HTTP headers before the body is read."""

from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from orgctx.errors import ApiError

METHODS = ("POST",)
JSON = "application/json"
# Maximum length of the Accept header; clients list only a few types.
LONGEST_ACCEPT = 1024
# Characters of the Origin header to examine; a host name has at most 253.
LONGEST_ORIGIN = 300
DEFAULT_PORTS = {"http": 80, "https": 443}


class ForeignOrigin(ApiError):
    status, code = 403, "foreign_origin"
    default_message = (
        "Requests from this Origin are not accepted; the operator can add it to "
        "ORGCTX_MCP_ALLOWED_ORIGINS."
    )


class NotAcceptable(ApiError):
    status, code = 406, "not_acceptable"
    default_message = (
        "Responses are application/json; the Accept header must allow it and have at most 1,024 "
        "characters."
    )


class UnsupportedMediaType(ApiError):
    status, code = 415, "unsupported_media_type"
    default_message = "Send JSON with the header `Content-Type: application/json`."


def check_origin(origin: str | None, base_url: str, allowed: tuple[str, ...]) -> None:
    """Raise ForeignOrigin if the Origin header names another site; it may be absent.

    If base_url is a loopback address, every loopback origin passes, because local tools choose
    their own ports.

    Args:
        allowed: origins besides that of base_url.
    """
    if origin is None:
        return
    sender = _origin(origin[:LONGEST_ORIGIN])
    if sender in {_origin(url) for url in (base_url, *allowed)}:
        return
    if not (_is_loopback(_origin(base_url)) and _is_loopback(sender)):
        raise ForeignOrigin


def check_media_types(content_type: str, accept: str) -> None:
    """Raise UnsupportedMediaType unless the body is JSON, NotAcceptable unless JSON is accepted.

    content_type: without parameters. accept: the Accept header. Clients also accept event streams,
    which this service never sends.
    """
    if content_type != JSON:
        raise UnsupportedMediaType
    if len(accept) > LONGEST_ACCEPT or not _accepts_json(accept):
        raise NotAcceptable


@lru_cache(256)
def _accepts_json(accept: str) -> bool:
    types = parse_accept_header(accept, MIMEAccept)
    return not types or types.best_match([JSON]) is not None


def _is_loopback(origin: tuple[str, str, int | None] | None) -> bool:
    if origin is None or origin[0] not in DEFAULT_PORTS:
        return False
    try:
        return origin[1] == "localhost" or ip_address(origin[1]).is_loopback
    except ValueError:
        return False


@lru_cache(256)
def _origin(url: str) -> tuple[str, str, int | None] | None:
    """Return scheme, host and port; None for a malformed origin, which is never allowed."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None
