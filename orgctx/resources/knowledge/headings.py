"""The outline of a Markdown document: its headings, and where they are."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from orgctx.schemas.text import preview, utf16_length

MAX_HEADINGS, MAX_TITLE = 50, 80
FENCE = re.compile(r" {0,3}(```|~~~)")
HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(?=\S)")


class Heading(NamedTuple):
    """A heading and its offset in UTF-16 code units."""

    level: int
    title: str
    offset: int


def outline(content: str) -> list[dict[str, Any]]:
    """Return at most MAX_HEADINGS headings of the highest levels, in order."""
    headings = list(_headings(content))
    for level in range(6, 1, -1):
        higher = [heading for heading in headings if heading.level < level]
        if len(headings) > MAX_HEADINGS and higher:
            headings = higher
    return [heading._asdict() for heading in headings[:MAX_HEADINGS]]


def _headings(content: str) -> Iterator[Heading]:
    offset, fence = 0, None
    for line in content.split("\n"):
        mark = FENCE.match(line)
        if mark and fence in (None, mark[1]):
            fence = None if fence else mark[1]
        elif fence is None and (match := HEADING.match(line)):
            yield Heading(len(match[1]), _title(line[match.end() :]), offset)
        offset += 1 + utf16_length(line)


def _title(text: str) -> str:
    """Return the text of a heading without closing `#`."""
    title, _, closing = text.rstrip().rpartition(" ")
    return preview(title if title and not closing.strip("#") else text, MAX_TITLE)
