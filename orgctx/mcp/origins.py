"""Which web pages may use the endpoint: the check of the header Origin, and headers of CORS."""

from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from orgctx.config.settings import DEFAULT_BASE_URL, Config
from orgctx.errors import ApiError

# Characters of the Origin header to examine; a host name has at most 253.
LONGEST_ORIGIN = 300
DEFAULT_PORTS = {"http": 80, "https": 443}
PREFLIGHT = {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, Last-Event-ID, "
    "MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id",
    "Access-Control-Max-Age": "7200",
}
# Response headers that scripts may read.
EXPOSED = (
    "Mcp-Session-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, "
    "WWW-Authenticate"
)


class ForeignOrigin(ApiError):
    status, code = 403, "foreign_origin"
    default_message = (
        "Requests from this Origin are not accepted; the operator can add it to "
        "ORGCTX_MCP_ALLOWED_ORIGINS."
    )


def is_allowed(origin: str, config: Config) -> bool:
    """Return whether pages of an Origin may send requests.

    These are the origin of the base URL and those that the operator allows. If the base URL is a
    loopback address, so is every loopback origin, because local tools choose their own ports.
    """
    sender, own = _origin(origin[:LONGEST_ORIGIN]), config.base_url or DEFAULT_BASE_URL
    if sender in {_origin(url) for url in (own, *config.mcp_allowed_origins)}:
        return True
    return _is_loopback(_origin(own)) and _is_loopback(sender)


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
