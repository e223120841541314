"""The time budget of a request, shared by all of its waits."""

from __future__ import annotations

from time import monotonic

from orgctx.errors import RequestTimeout


class Deadline:
    """A point in time, `seconds` from now."""

    __slots__ = ("at",)

    def __init__(self, seconds: float) -> None:
        self.at = monotonic() + seconds

    def left(self) -> float:
        """Remaining seconds, above 0. Raises RequestTimeout if none are left."""
        seconds = self.at - monotonic()
        if seconds <= 0:
            raise RequestTimeout
        return seconds
