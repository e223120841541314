"""The tenants whose searches were slow lately. Their next ones probably are slow too."""

from __future__ import annotations

from collections.abc import Hashable
from time import monotonic

SLOW_SECONDS = 0.25
REMEMBERED_SECONDS = 60


class SlowSearches:
    """Remembers a tenant for REMEMBERED_SECONDS after a search of SLOW_SECONDS or more."""

    def __init__(self) -> None:
        self._remembered_until: dict[Hashable, float] = {}

    def __contains__(self, tenant: object) -> bool:
        return self._remembered_until.get(tenant, 0) > monotonic()

    def note(self, tenant: Hashable, seconds: float) -> None:
        """Note how long a search took."""
        if seconds < SLOW_SECONDS:
            return
        now = monotonic()
        kept = {other: until for other, until in self._remembered_until.items() if until > now}
        self._remembered_until = kept | {tenant: now + REMEMBERED_SECONDS}
