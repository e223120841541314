"""How keys are used, which the service counts in Redis.

Functions raise ServiceUnavailable or RequestTimeout, as Quota does.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from orgctx.decisions.decision import DecisionRejected
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import NEVER, Quota, today

# How many days are counted, and for how many a scope must be unused to be taken away.
MOST_DAYS, SCOPE_DAYS = 35, 30

Key = dict[str, Any]


class ScopeUse(NamedTuple):
    """Which scopes a key used. used, unused: in the order in which the key lists them."""

    used: dict[str, date]  # the last day of use, in UTC
    unused: list[str]


def last_uses(
    quota: Quota, organization_id: UUID, key_ids: Sequence[UUID], deadline: Deadline
) -> list[dict[str, Any]]:
    """For each key, return `used` (None if unknown) and `last_used_at`, to the minute."""
    times = quota.last_used(organization_id, list(key_ids), deadline)
    return [
        {
            "used": None if time is None else int(time) != NEVER,
            "last_used_at": datetime.fromtimestamp(int(time), UTC) if int(time or NEVER) else None,
        }
        for time in times
    ]


def daily_requests(
    quota: Quota, organization_id: UUID, days: int, deadline: Deadline
) -> dict[date, dict[UUID, int]]:
    """Return the number of requests of each key, by day of UTC, newest first.

    Args:
        days: how many, with today; at most MOST_DAYS. Redis keeps no more.
    """
    dates = [today() - timedelta(days=age) for age in range(days)]
    return {day: quota.usage(organization_id, day, deadline) for day in dates}


def scope_use(
    quota: Quota, organization_id: UUID, key: Key, deadline: Deadline, *, days: int = SCOPE_DAYS
) -> ScopeUse:
    """Return which scopes of a key its answers needed in the last days.

    Args:
        key: a row of `list_keys`.

    Raises:
        DecisionRejected: Redis has no complete record for these days, or since the key was issued.
    """
    record = quota.scopes.read(organization_id, key["id"], key["scopes"], deadline)
    start = today() - timedelta(days=days)
    since = max(start, key["created_at"].astimezone(UTC).date())
    if record.since is None or record.since > since:
        known = (
            f"is known only from {record.since} on, so try again on "
            f"{record.since + timedelta(days=days)}"
            if record.since
            else "is not known, because Redis has no record of it"
        )
        raise DecisionRejected(
            f"Which scopes key {key['hint']} used {known}. Nothing was changed. To choose scopes "
            "yourself, run `orgctx keys change` with --scope."
        )
    used = {scope: day for scope, day in record.days.items() if day >= start}
    return ScopeUse(used, [scope for scope in key["scopes"] if scope not in used])
