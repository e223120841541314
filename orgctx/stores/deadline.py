"""The time budget of a request, which all of its waits share."""

from __future__ import annotations

from time import monotonic

from orgctx.errors import RequestTimeout


class Deadline:
    """A point in time, `seconds` from now."""

    __slots__ = ("ends_at",)

    def __init__(self, seconds: float) -> None:
        self.ends_at = monotonic() + seconds

    def end(self) -> None:
        """Leave no time."""
        self.ends_at = monotonic()

    def left(self) -> float:
        """Return the remaining seconds, above 0. Raises RequestTimeout if none are left."""
        seconds = self.ends_at - monotonic()
        if seconds <= 0:
            raise RequestTimeout
        return seconds
