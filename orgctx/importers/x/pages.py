"""Read JSON values from files: one value, an array, or one value per line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from orgctx.bundle.packed import MOST_BLANK
from orgctx.importers.json_file import opened
from orgctx.importers.records import Progress
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.x.errors import quoted

MAX_PAGE_BYTES = 64 * 1024 * 1024
BOM = b"\xef\xbb\xbf"
ACCOUNT_ARCHIVE = b"window.YTD."
SAVE_AGAIN = "save the response of the X API itself"
QUOTED_LENGTH = 60
CUT_OFF = "the last line is cut off; collect its posts again"


def values(path: Path, progress: Progress, report: Report) -> Iterator[tuple[str, Any]]:
    """Yield each value with its place. If the first line is valid JSON, each line is a value.

    The last line may be cut off, because a stream ended or its collector was stopped. Raises
    ImportRejected with the place of other invalid JSON.
    """
    with opened(path, SAVE_AGAIN, progress) as file:
        line = file.readline(MAX_PAGE_BYTES).removeprefix(BOM)
        if not _is_json(line):
            content = line + file.read(MAX_PAGE_BYTES)
            yield from _flatten(path.name, _parse(path.name, content, 1))
            return
        number, blank = 1, 0
        while line:
            place = f"{path.name}: line {number}"
            if _is_cut_off(line):
                report.refuse(place, CUT_OFF)
            elif line.strip():
                yield from _flatten(place, _parse(path.name, line, number))
            else:
                blank += len(line)
            if blank > MOST_BLANK:
                raise ImportRejected(
                    place, f"contains more than {MOST_BLANK >> 20} MiB of blank lines"
                )
            number, line = number + 1, file.readline(MAX_PAGE_BYTES)


def _is_cut_off(line: bytes) -> bool:
    """Return whether a line is the last one of a file and incomplete."""
    is_last = not line.endswith(b"\n") and len(line) < MAX_PAGE_BYTES
    return is_last and bool(line.strip()) and not _is_json(line)


def _is_json(line: bytes) -> bool:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True


def _parse(name: str, content: bytes, first_line: int) -> Any:
    if len(content) >= MAX_PAGE_BYTES:
        raise ImportRejected(
            name, f"a page exceeds {MAX_PAGE_BYTES >> 20} MiB; write one page per line (JSON Lines)"
        )
    if content.startswith(ACCOUNT_ARCHIVE):
        raise ImportRejected(
            name,
            "is an archive of your own posts, without the mentions that others wrote; "
            "collect GET /2/users/{id}/mentions of the X API",
        )
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        place = f"{name}: line {line} column {error.colno}"
        beginning = quoted(content[: 4 * QUOTED_LENGTH].decode(errors="replace"))[:QUOTED_LENGTH]
        hint = f"; it begins with {beginning!r}" if beginning else "; it is empty"
        raise ImportRejected(place, f"is not JSON: {error.msg}{hint}") from None


def _flatten(place: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the value, or the values of an array."""
    if not isinstance(value, list):
        yield place, value
        return
    for number, content in enumerate(value, 1):
        yield f"{place}: page {number}", content
