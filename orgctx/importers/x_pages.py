"""Pages of API responses in files: one JSON value, or JSON Lines. Nothing of posts here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from orgctx.importers.records import Progress
from orgctx.importers.report import ImportRefused, Report

LONGEST = 64 * 1024 * 1024
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Page:
    """One response and where it stands."""

    place: str
    content: dict[str, Any]

    def errors(self) -> Iterator[str]:
        """What the API could not return of this page."""
        errors = self.content.get("errors")
        for error in errors if isinstance(errors, list) else []:
            members = error if isinstance(error, dict) else {}
            yield str(members.get("detail") or members.get("title") or error)[:200]


def pages(path: Path, report: Report, progress: Progress) -> Iterator[Page]:
    """The pages of a file. A file whose first line is complete has one page a line.

    Raises ImportRefused where the JSON is broken, naming the place.
    """
    with path.open("rb") as file:
        line = file.readline(LONGEST).removeprefix(BOM)
        if not _is_complete(line):
            whole = line + file.read(LONGEST)
            progress(len(whole))
            yield from _flat(path.name, _parse(path.name, whole, 1), report)
            return
        number = 1
        while line:
            progress(len(line))
            if line.strip():
                place = f"{path.name}: line {number}"
                yield from _flat(place, _parse(path.name, line, number), report)
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
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        place = f"{name}: line {line} column {error.colno}"
        raise ImportRefused(place, f"is not JSON: {error.msg}") from None


def _flat(place: str, value: Any, report: Report) -> Iterator[Page]:
    """One page, or an array of them."""
    several = isinstance(value, list)
    for number, content in enumerate(value if several else [value]):
        where = f"{place}: page {number + 1}" if several else place
        if isinstance(content, dict) and content.keys() & {"data", "meta", "errors"}:
            yield Page(where, content)
        else:
            report.refuse(where, "a page must be an object with data, includes and meta")
