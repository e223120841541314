"""Usage of keys for commands, which warn if Redis is unavailable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date
from typing import Any
from uuid import UUID

from orgctx.cli.output import say
from orgctx.config.settings import Config
from orgctx.decisions import key_usage
from orgctx.errors import ApiError
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import Quota


@contextmanager
def _open_quota() -> Iterator[tuple[Quota, Deadline]]:
    config = Config.from_environment()
    seconds = config.request_timeout_seconds
    with closing(Quota(config.redis_url, timeout_seconds=seconds)) as quota:
        yield quota, Deadline(seconds)


def mark_unused(organization_id: UUID, key_id: UUID) -> None:
    """Mark a new key as unused. A key without a mark was used, or Redis has lost the mark."""
    with _open_quota() as (quota, deadline):
        try:
            quota.mark_unused(organization_id, key_id, deadline)
        except ApiError:
            say("Warning: Redis is unavailable. `keys list` cannot tell that the key is unused.")


def last_uses(organization_id: UUID, key_ids: Sequence[UUID]) -> list[dict[str, Any]]:
    """Return what `decisions.key_usage.last_uses` returns; unknown if Redis is unavailable."""
    with _open_quota() as (quota, deadline):
        try:
            return key_usage.last_uses(quota, organization_id, key_ids, deadline)
        except ApiError:
            say("Warning: Redis is unavailable, so the last use of keys is unknown.")
            return [{"used": None, "last_used_at": None} for _ in key_ids]


def daily_requests(organization_id: UUID, days: int) -> dict[date, dict[UUID, int]]:
    """Return what `decisions.key_usage.daily_requests` returns."""
    with _open_quota() as (quota, deadline):
        return key_usage.daily_requests(quota, organization_id, days, deadline)


def scope_use(organization_id: UUID, key: dict[str, Any], days: int) -> key_usage.ScopeUse:
    """Return what `decisions.key_usage.scope_use` returns."""
    with _open_quota() as (quota, deadline):
        return key_usage.scope_use(quota, organization_id, key, deadline, days=days)
