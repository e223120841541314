"""Usage of keys, which the service counts in Redis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from orgctx.cli.output import say
from orgctx.config.settings import Config
from orgctx.errors import ApiError
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import NEVER, Quota


@contextmanager
def _open_quota() -> Iterator[tuple[Quota, float]]:
    config = Config.from_environment()
    seconds = config.request_timeout_seconds
    with closing(Quota(config.redis_url, timeout_seconds=seconds)) as quota:
        yield quota, seconds


def mark_unused(organization_id: UUID, key_id: UUID) -> None:
    """Mark a new key as unused. A key without a mark was used, or Redis has lost the mark."""
    with _open_quota() as (quota, seconds):
        try:
            quota.mark_unused(organization_id, key_id, Deadline(seconds))
        except ApiError:
            say("Warning: Redis is unavailable. `keys list` cannot tell that the key is unused.")


def last_uses(organization_id: UUID, key_ids: Sequence[UUID]) -> list[dict[str, Any]]:
    """For each key, return `used` (None if unknown) and `last_used_at`, to the minute."""
    with _open_quota() as (quota, seconds):
        try:
            times = quota.last_used(organization_id, list(key_ids), Deadline(seconds))
        except ApiError:
            say("Warning: Redis is unavailable, so the last use of keys is unknown.")
            times = [None] * len(key_ids)
    return [
        {
            "used": None if time is None else int(time) != NEVER,
            "last_used_at": datetime.fromtimestamp(int(time), UTC) if int(time or NEVER) else None,
        }
        for time in times
    ]


def count_requests(organization_id: UUID, days: Sequence[date]) -> list[dict[UUID, int]]:
    """For each day, return the number of requests of each key."""
    with _open_quota() as (quota, seconds):
        return [quota.usage(organization_id, day, Deadline(seconds)) for day in days]
