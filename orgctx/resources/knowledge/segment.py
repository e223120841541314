"""Cut segments, counted in UTF-16 code units, from a text without splitting a character."""

from collections.abc import Sequence
from typing import Any

MAX_CHUNK_UNITS = 16_384
MAX_CONTENT_UNITS = 10_000_000


def cut(
    chunks: Sequence[tuple[int, str]], total: int, offset: int, limit: int
) -> tuple[str, dict[str, Any]]:
    """Return the segment at `offset` of at most `limit` units, and the members of its ContentRange.

    An offset inside a surrogate pair moves back to its start. A pair that the limit would split is
    left out, unless the segment would be empty.

    Args:
        chunks: (first unit, text), adjacent. They cover the segment and, within the text, the unit
            after it. No chunk splits a pair.
        total: length of the whole text in units.
    """
    if offset >= total or not chunks:
        return "", _range(total, 0, total)
    base = chunks[0][0]
    units = "".join(text for _, text in chunks).encode("utf-16-le")
    start = offset - base
    if _splits_pair(units, start):
        start -= 1
    end = min(start + limit, total - base)
    if _splits_pair(units, end):
        end = end - 1 if end - 1 > start else end + 1
    return units[2 * start : 2 * end].decode("utf-16-le"), _range(base + start, end - start, total)


def _splits_pair(units: bytes, index: int) -> bool:
    """Return whether the unit at `index` is the second half of a character."""
    high_byte = units[2 * index + 1 : 2 * index + 2]
    return bool(high_byte) and 0xDC <= high_byte[0] <= 0xDF


def _range(offset: int, length: int, total: int) -> dict[str, Any]:
    end = offset + length
    return {
        "offset": offset,
        "length": length,
        "total": total,
        "next_offset": end if end < total else None,
    }
