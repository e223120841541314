"""Split long texts at headings, so that clients can address every offset."""

from __future__ import annotations

from collections.abc import Iterator

from orgctx.bundle.content import utf16_length
from orgctx.importers.folder.headings import heading_starts

# The highest offset that a client may request, in UTF-16 code units.
MAX_UNITS = 10_000_000


def parts(text: str, limit: int = MAX_UNITS) -> list[str]:
    """Split a text into parts of at most `limit` UTF-16 code units; joined, they are the text.

    Each part ends before a heading, else after an empty line, a line or a character.
    """
    if utf16_length(text) <= limit:
        return [text]
    return list(_split(text, limit))


def _split(text: str, limit: int) -> Iterator[str]:
    headings = heading_starts(text)
    start = 0
    while start < len(text):
        end = _furthest_end(text, start, limit)
        if end < len(text):
            ends = [offset for offset in headings if start < offset <= end]
            end = ends[-1] if ends else _line_end(text, start, end)
        yield text[start:end]
        start = end


def _furthest_end(text: str, start: int, limit: int) -> int:
    """Return the highest possible end of a part."""
    end = min(start + limit, len(text))
    while (over := utf16_length(text[start:end]) - limit) > 0:
        end -= (over + 1) // 2
    return end


def _line_end(text: str, start: int, end: int) -> int:
    for separator in ("\n\n", "\n"):
        position = text.rfind(separator, start, end)
        if position >= start:
            return position + len(separator)
    return end
