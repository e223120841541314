"""How keys are used, which the service counts in Redis.

Functions raise ServiceUnavailable or RequestTimeout, as Quota does.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import Quota, today

# How many days are counted.
MOST_DAYS = 35


def last_uses(
    quota: Quota, organization_id: UUID, key_ids: Sequence[UUID], deadline: Deadline
) -> list[datetime | None]:
    """Return the last use of each key, to the minute; None if none is recorded."""
    times = quota.last_used(organization_id, list(key_ids), deadline)
    return [None if time is None else datetime.fromtimestamp(int(time), UTC) for time in times]


def daily_requests(
    quota: Quota, organization_id: UUID, days: int, deadline: Deadline
) -> dict[date, dict[UUID, int]]:
    """Return the number of requests of each key, by day of UTC, newest first.

    Args:
        days: how many, with today; at most MOST_DAYS. Redis keeps no more.
    """
    dates = [today() - timedelta(days=age) for age in range(days)]
    return {day: quota.usage(organization_id, day, deadline) for day in dates}
