"""The content of a document: its field, length and chunks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS
from orgctx.schemas.fields import Text

MAX_CONTENT_UNITS = 10_000_000
OVERLAP = 199
CHUNK_LENGTH = MAX_CHUNK_UNITS // 2


class Content(Text):
    """The content of a document, at most as long as the highest offset of the API."""

    def __init__(self) -> None:
        super().__init__(MAX_CONTENT_UNITS)

    def _parse(self, value: Any) -> str:
        text = super()._parse(value)
        if 2 * len(text) > MAX_CONTENT_UNITS and (units := utf16_length(text)) > MAX_CONTENT_UNITS:
            raise self.error(f", counted in UTF-16 units, not {units}")
        return text


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def chunks(content: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield (first unit, unit count, text, overlap with the next chunk for searches)."""
    first_unit = 0
    for start in range(0, len(content), CHUNK_LENGTH):
        end = start + CHUNK_LENGTH
        text = content[start:end]
        units = utf16_length(text)
        yield first_unit, units, text, content[end : end + OVERLAP]
        first_unit += units
