"""How keys are used, from the counters of the service in Redis."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from orgctx.decisions import DecisionRejected, key_usage
from orgctx.decisions.key_usage import NARROW_DAYS, ScopeUse
from orgctx.decisions.keys import Key
from orgctx.desk.current import desk, member
from orgctx.stores.deadline import Deadline


def mark_unused(key_id: UUID) -> None:
    """Mark a key that is being issued as never used."""
    desk().quota.mark_unused(member().organization_id, key_id, _deadline())


def with_usage(rows: Sequence[Key]) -> list[dict[str, Any]]:
    """Add `used`, `last_used_at` and `request_count` of NARROW_DAYS to listed keys."""
    organization_id, deadline = member().organization_id, _deadline()
    ids = [row["id"] for row in rows]
    uses = key_usage.last_uses(desk().quota, organization_id, ids, deadline)
    days = key_usage.daily_requests(desk().quota, organization_id, NARROW_DAYS, deadline)
    return [
        {**row, **use, "request_count": sum(counts.get(row["id"], 0) for counts in days.values())}
        for row, use in zip(rows, uses, strict=True)
    ]


def used_ids() -> set[UUID]:
    """Return the ids of the keys of the organization that made requests in NARROW_DAYS."""
    organization_id = member().organization_id
    days = key_usage.daily_requests(desk().quota, organization_id, NARROW_DAYS, _deadline())
    return {key_id for counts in days.values() for key_id in counts}


def per_day(key_id: UUID) -> dict[date, int]:
    """Return the number of requests of a key in NARROW_DAYS, by day of UTC, oldest first."""
    organization_id = member().organization_id
    days = key_usage.daily_requests(desk().quota, organization_id, NARROW_DAYS, _deadline())
    return {day: days[day].get(key_id, 0) for day in sorted(days)}


def scope_use(key: Key) -> ScopeUse:
    """Return which scopes a key used in NARROW_DAYS. Raises DecisionRejected if it is unknown."""
    return key_usage.scope_use(desk().quota, member().organization_id, key, _deadline())


def known_scope_use(key: Key) -> tuple[ScopeUse | None, str]:
    """Return what `scope_use` returns, or None and why it is unknown."""
    try:
        return scope_use(key), ""
    except DecisionRejected as error:
        return None, str(error)


def _deadline() -> Deadline:
    return Deadline(desk().config.request_timeout_seconds)
