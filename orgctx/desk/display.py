"""How pages show times, numbers and texts of the organization."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from orgctx.decisions.findings import visible

UNKNOWN = "never"


def time(value: datetime | None) -> str:
    """Return a time in UTC to the minute, `never` for none."""
    return f"{value.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if value else UNKNOWN


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, such as `1,204 records`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


FILTERS: dict[str, Callable[..., Any]] = {"time": time, "count": count, "visible": visible}
