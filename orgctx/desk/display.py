"""How pages show times, numbers and texts of the organization."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup

from orgctx.decisions.findings import visible

UNKNOWN = "never"
MARK = re.compile(r"(<\d+ hidden>)")
UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def time(value: datetime | None) -> str:
    """Return a time in UTC to the minute, `never` for none."""
    return f"{value.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if value else UNKNOWN


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, such as `1,204 records`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def span(seconds: int) -> str:
    """Return a duration in its largest unit, such as `7 days`."""
    unit, size = next(
        ((unit, size) for unit, size in UNITS if seconds >= size and seconds % size == 0), UNITS[-1]
    )
    return count(seconds // size, unit)


def marked(text: str) -> Markup:
    """Return a text in which right-to-left letters do not tear the marks of `visible` apart."""
    parts = MARK.split(text)
    return Markup("").join(
        Markup('<bdi dir="ltr" class="mark">{}</bdi>').format(part) if index % 2 else part
        for index, part in enumerate(parts)
    )


FILTERS: dict[str, Callable[..., Any]] = {
    "time": time,
    "count": count,
    "span": span,
    "marked": marked,
    "visible": visible,
}
