"""The address to which a request is charged: an IPv4 address or an IPv6 network."""

import re
from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

from orgctx.config.settings import Config

# The longest address: IPv6 in brackets, with a zone and a port.
MAX_LENGTH = 80
# The bits of an IPv6 address that its owner cannot choose, because providers assign a whole /64 to
# one customer.
NETWORK_BITS = 64
WITH_PORT = re.compile(r"(?P<v4>[0-9.]+):\d{1,5}|\[(?P<v6>[^\]]+)\](:\d{1,5})?", re.ASCII)


def client_address(environ: Mapping[str, Any], trusted_hops: int) -> str:
    """Return the address to charge; `unix` if there is none.

    Only entries of X-Forwarded-For that trusted proxies added are used.
    """
    peer: str = environ.get("REMOTE_ADDR") or "unix"
    if trusted_hops:
        # Each trusted proxy appends one entry on the right.
        forwarded = environ.get("HTTP_X_FORWARDED_FOR", "").rsplit(",", trusted_hops)
        if len(forwarded) >= trusted_hops and (address := forwarded[-trusted_hops].strip()):
            return counted(address) or counted(peer) or peer
    return counted(peer) or peer


def logged_address(environ: Mapping[str, Any], config: Config) -> str | None:
    """Return the address for the log; None if the log must not have it."""
    if not config.log_client_address:
        return None
    return client_address(environ, config.trusted_proxy_hops)


@lru_cache(4096)
def counted(address: str) -> str | None:
    """Normalize an address, with or without a port, for counting. None if it is not an address.

    An IPv4 address, even one mapped into IPv6, is kept. An IPv6 address becomes its network,
    because its owner can use another address for each request.
    """
    if len(address) > MAX_LENGTH:
        return None
    if parts := WITH_PORT.fullmatch(address):
        address = parts["v4"] or parts["v6"]
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(IPv6Network((int(parsed), NETWORK_BITS), strict=False))
    return str(parsed)
