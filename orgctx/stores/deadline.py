"""The one time budget of a request, on which every wait draws."""

from __future__ import annotations

from time import monotonic

from orgctx.errors import RequestTimeout


class Deadline:
    """A point in time, `seconds` from now."""

    __slots__ = ("at",)

    def __init__(self, seconds: float) -> None:
        self.at = monotonic() + seconds

    def left(self) -> float:
        """Seconds that remain, above 0. Raises RequestTimeout when none do."""
        seconds = self.at - monotonic()
        if seconds <= 0:
            raise RequestTimeout
        return seconds
