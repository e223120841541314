"""What the statements are given, from what a request asks."""

from __future__ import annotations

from typing import Any

from orgctx import keys
from orgctx.operations.exposure import Caller, ids
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS, PEOPLE_KINDS
from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS
from orgctx.resources.search.service import PARTS, RECENT, SINCE_SETTING
from orgctx.stores.quota import (
    LAST_USED_SECONDS,
    USAGE_SECONDS,
    WINDOW_SECONDS,
    last_used_name,
    today,
    usage_name,
)

NO_MESSAGE_ID = 2**31


def ip_charge(address: str, limit: int, now: int) -> tuple[list[str], list[Any]]:
    """Keys and arguments of the quota script for an IP address."""
    return [f"orgctx:quota:ip:{address}"], [*_charged(now, ""), limit]


def key_charge(caller: Caller, limits: tuple[int, int], now: int) -> tuple[list[str], list[Any]]:
    """Keys and arguments of the quota script for a key and its organization."""
    tag = f"{{{caller.organization.id}}}"
    return [
        f"orgctx:quota:{tag}:key:{caller.key_id}",
        f"orgctx:quota:{tag}",
        usage_name(caller.organization.id, today()),
        last_used_name(caller.organization.id, caller.key_id),
    ], [*_charged(now, str(caller.key_id)), *limits]


def _charged(now: int, key_id: str) -> list[Any]:
    return [1, WINDOW_SECONDS * 1000, now, LAST_USED_SECONDS, key_id, USAGE_SECONDS]


def rate_limits(counters: list[int], limits: list[int]) -> dict[str, str]:
    """The headers of the limit with the fewest requests left, from counts and milliseconds."""
    pairs = zip(limits, counters[::2], counters[1::2], strict=True)
    limit, count, milliseconds = min(pairs, key=lambda pair: (pair[0] - pair[1], -pair[2]))
    return {
        "RateLimit-Limit": str(limit),
        "RateLimit-Remaining": str(max(0, limit - count)),
        "RateLimit-Reset": str(-(-milliseconds // 1000)),
    }


def key_of(authorization: str | None) -> bytes | None:
    """The hash of a well-formed key, else None."""
    scheme, _, key = (authorization or "").partition(" ")
    is_key = scheme.lower() == "bearer" and keys.is_well_formed(key)
    return keys.digest(key) if is_key else None


def messages(caller: Caller, chat_id: Any, before: int | None, limit: int) -> dict[str, Any]:
    return {
        "organization_id": caller.organization.id,
        "chat_id": chat_id,
        "source_ids": ids(caller.exposed("telegram")),
        "before": before or NO_MESSAGE_ID,
        "row_limit": limit + 1,
    }


def asset(caller: Caller, id: Any) -> dict[str, Any]:
    source_ids = ids(caller.exposed("assets"))
    return {"organization_id": caller.organization.id, "id": id, "source_ids": source_ids}


def context(caller: Caller) -> dict[str, Any]:
    source_ids = ids(caller.exposed("token"))
    return {"organization_id": caller.organization.id, "source_ids": source_ids}


def knowledge(caller: Caller, id: str, offset: int, limit: int) -> dict[str, Any]:
    return {
        "organization_id": caller.organization.id,
        "id": id,
        "source_ids": ids(caller.approved_of(*KNOWLEDGE_KINDS)),
        "segment_start": offset - 1,
        "segment_end": offset + limit + 2,
        "first_chunk": offset - 1 - MAX_CHUNK_UNITS,
    }


def people(caller: Caller, page: int) -> dict[str, Any]:
    return {
        "organization_id": caller.organization.id,
        "source_ids": ids(caller.exposed(*PEOPLE_KINDS)),
        "page_size": 50,
        "page_offset": (page - 1) * 50,
    }


def search(caller: Caller, q: str | None, limit: int) -> dict[str, Any]:
    return {
        **{name.rpartition("/")[2]: ids(caller.exposed(*kinds)) for name, kinds in PARTS.items()},
        "organization_id": caller.organization.id,
        "q": q or None,
        "after": None,
        "before": None,
        "row_limit": limit + 1,
        "recent_limit": RECENT if q else 10 * (limit + 1),
        "since_setting": SINCE_SETTING,
    }
