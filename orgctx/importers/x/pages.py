"""Read JSON values from files: one value, an array of values, or one value per line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from orgctx.bundle.packed import MOST_BLANK
from orgctx.importers.json_file import opened
from orgctx.importers.records import Progress
from orgctx.importers.report import ImportRefused
from orgctx.importers.x.errors import quoted

LONGEST = 64 * 1024 * 1024
BOM = b"\xef\xbb\xbf"
ARCHIVE = b"window.YTD."
AGAIN = "save the answer of the X API itself"
BEGINNING = 60


def values(path: Path, progress: Progress) -> Iterator[tuple[str, Any]]:
    """Each value with its place. If the first line is complete, each line is a value.

    Raises ImportRefused naming the place of invalid JSON.
    """
    with opened(path, AGAIN, progress) as file:
        line = file.readline(LONGEST).removeprefix(BOM)
        if not _is_complete(line):
            whole = line + file.read(LONGEST)
            yield from _flat(path.name, _parse(path.name, whole, 1))
            return
        number, blank = 1, 0
        while line:
            place = f"{path.name}: line {number}"
            if line.strip():
                yield from _flat(place, _parse(path.name, line, number))
            else:
                blank += len(line)
            if blank > MOST_BLANK:
                raise ImportRefused(place, f"holds more than {MOST_BLANK >> 20} MiB of blank lines")
            number, line = number + 1, file.readline(LONGEST)


def _is_complete(line: bytes) -> bool:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True


def _parse(name: str, content: bytes, first_line: int) -> Any:
    if len(content) >= LONGEST:
        raise ImportRefused(
            name, f"a page is longer than {LONGEST >> 20} MiB: write one page a line (JSON Lines)"
        )
    if content.startswith(ARCHIVE):
        raise ImportRefused(
            name,
            "is of the archive of one's own posts, and mentions are what others wrote: "
            "collect GET /2/users/{id}/mentions of the X API",
        )
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        place = f"{name}: line {line} column {error.colno}"
        begins = quoted(content[: 4 * BEGINNING].decode(errors="replace"))[:BEGINNING]
        hint = f"; it begins with {begins!r}" if begins else "; it is empty"
        raise ImportRefused(place, f"is not JSON: {error.msg}{hint}") from None


def _flat(place: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The value, or the values of an array."""
    if not isinstance(value, list):
        yield place, value
        return
    for number, content in enumerate(value, 1):
        yield f"{place}: page {number}", content
