"""Split long texts at headings into parts whose offsets a client can address."""

from __future__ import annotations

from collections.abc import Iterator

from orgctx.importers.folder.headings import heading_starts

# The furthest offset that a client may ask for, in UTF-16 code units.
MOST_UNITS = 10_000_000


def parts(text: str, most: int = MOST_UNITS) -> list[str]:
    """Split a text into parts of at most so many UTF-16 code units, without losing anything.

    Each part ends before a heading, else after an empty line, a line or a character.
    """
    if units(text) <= most:
        return [text]
    return list(_cut(text, most))


def units(text: str) -> int:
    return len(text) + sum(1 for c in text if c > "\uffff") if not text.isascii() else len(text)


def _cut(text: str, most: int) -> Iterator[str]:
    starts = heading_starts(text)
    begin = 0
    while begin < len(text):
        end = _reach(text, begin, most)
        if end < len(text):
            headings = [start for start in starts if begin < start <= end]
            end = headings[-1] if headings else _line_end(text, begin, end)
        yield text[begin:end]
        begin = end


def _reach(text: str, begin: int, most: int) -> int:
    """The furthest possible end of a part."""
    end = min(begin + most, len(text))
    while (over := units(text[begin:end]) - most) > 0:
        end -= (over + 1) // 2
    return end


def _line_end(text: str, begin: int, end: int) -> int:
    for mark in ("\n\n", "\n"):
        found = text.rfind(mark, begin, end)
        if found >= begin:
            return found + len(mark)
    return end
