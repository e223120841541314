"""What a peer needs to check a key and its quota."""

import os
from typing import Any

from orgctx import key_format
from orgctx.operations.exposure import Caller
from orgctx.stores.quota import (
    LAST_USED_SECONDS,
    USAGE_SECONDS,
    WINDOW_SECONDS,
    last_used_name,
    today,
    usage_name,
)

LIMITS = [int(os.environ[f"ORGCTX_LIMIT_{name}"]) for name in ("IP", "KEY", "ORGANIZATION")]


def address_charge(address: str, now: int) -> tuple[list[str], list[Any]]:
    """Return keys and arguments of the quota script for an IP address."""
    return [f"orgctx:quota:ip:{address}"], [*_arguments(now, ""), LIMITS[0]]


def key_charge(caller: Caller, now: int) -> tuple[list[str], list[Any]]:
    """Return keys and arguments of the quota script for a key and its organization."""
    tag = f"{{{caller.organization.id}}}"
    return [
        f"orgctx:quota:{tag}:key:{caller.key_id}",
        f"orgctx:quota:{tag}",
        usage_name(caller.organization.id, today()),
        last_used_name(caller.organization.id, caller.key_id),
    ], [*_arguments(now, str(caller.key_id)), *LIMITS[1:]]


def _arguments(now: int, key_id: str) -> list[Any]:
    return [1, WINDOW_SECONDS * 1000, now, LAST_USED_SECONDS, key_id, USAGE_SECONDS, 0]


def headers(counters: list[int]) -> dict[str, str]:
    """Return the RateLimit headers of the limit with the fewest requests left.

    Args:
        counters: for each of LIMITS its request count and the milliseconds until its reset.
    """
    pairs = zip(LIMITS, counters[::2], counters[1::2], strict=True)
    limit, count, milliseconds = min(pairs, key=lambda pair: (pair[0] - pair[1], -pair[2]))
    return {
        "RateLimit-Limit": str(limit),
        "RateLimit-Remaining": str(max(0, limit - count)),
        "RateLimit-Reset": str(-(-milliseconds // 1000)),
    }


def key_hash(authorization: str | None) -> bytes | None:
    """Return the hash of the key in an Authorization header, or None if it is malformed."""
    scheme, _, key = (authorization or "").partition(" ")
    is_key = scheme.lower() == "bearer" and key_format.is_well_formed(key)
    return key_format.digest(key) if is_key else None
