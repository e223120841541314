"""The content of a document: its field, length and chunks."""

from collections.abc import Iterator
from typing import Any

from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS, MAX_CONTENT_UNITS
from orgctx.schemas.fields import Text
from orgctx.schemas.text import collapse_runs, utf16_length

# The longest term, each character with a half-width mark and white space; also a term with the
# longest preview after it.
OVERLAP = 600
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


def chunks(content: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield (first unit, unit count, text, overlap with the next chunk for searches)."""
    first_unit = 0
    starts = range(0, len(content), CHUNK_LENGTH)
    for start, overlap in zip(starts, _overlaps(content), strict=False):
        text = content[start : start + CHUNK_LENGTH]
        units = utf16_length(text)
        yield first_unit, units, text, overlap
        first_unit += units


def _overlaps(content: str) -> list[str]:
    """Return the text after each chunk, with white space collapsed, cut to OVERLAP.

    Begins with the last one, because a chunk may be white space only.
    """
    overlaps = [""]
    for start in reversed(range(CHUNK_LENGTH, len(content), CHUNK_LENGTH)):
        text = collapse_runs(content[start : start + CHUNK_LENGTH])
        overlaps.append(collapse_runs(text[: OVERLAP + 1] + overlaps[-1])[:OVERLAP])
    return overlaps[::-1]
