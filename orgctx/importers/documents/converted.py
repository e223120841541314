"""A converted document, as the sandbox returns it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime


class ConversionError(Exception):
    """The file cannot be converted; the message says why."""


@dataclass(slots=True)
class Converted:
    """A document.

    key: identifies one of several documents of a file. error: why this one cannot be converted.
    """

    content: str = ""
    title: str = ""
    created: float | None = None  # in Unix seconds; None if unknown
    updated: float | None = None
    content_format: str = "markdown"
    key: str = ""
    error: str = ""
    # Parts that are left out, and defects that are repaired, by reason.
    skipped: Counter[str] = field(default_factory=Counter)
    repaired: Counter[str] = field(default_factory=Counter)


def seconds(text: str | None) -> float | None:
    """Parse an ISO 8601 time; None if it is none. Times without a zone are read as UTC."""
    try:
        time = datetime.fromisoformat((text or "").strip())
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
