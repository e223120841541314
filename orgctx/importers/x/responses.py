"""Read the responses of the X API that contain posts; all of them become a Page."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from orgctx.bundle.packed import MOST_BLANK
from orgctx.importers.json_file import BOM, opened
from orgctx.importers.records import Progress
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.x.post import FIELDS, as_dict, as_list
from orgctx.schemas.formats import parsed_instant

MAX_PAGE_BYTES = 64 * 1024 * 1024
ACCOUNT_ARCHIVE = b"window.YTD."
SAVE_AGAIN = "save the response of the X API itself"
CUT_OFF = "the last line is cut off; collect its posts again"
NO_EVENTS = "this is no post; to delete one, load a record `delete` of its x.mention"
NO_PAGE = "a page must be an object with data, includes and meta"
# Members that only responses of v1.1 have, and those that only an error body has.
V1_MEMBERS = ("statuses", "id_str")
ERROR_MEMBERS = ("errors", "error", "title", "detail", "message")
# Members of errors that say what failed; others may quote the request, and its token.
QUOTED = ("status", "code", "title")
LONGEST_QUOTE = 60


class InvalidPage(Exception):
    """A value that is not a page; the message says what it is and what to do."""


@dataclass(frozen=True, slots=True)
class Page:
    """One response."""

    posts: list[Any] = field(default_factory=list)
    includes: Any = None
    errors: list[str] = field(default_factory=list)  # messages about what the API did not return
    retrieved_at: datetime | None = None  # when it was collected, if the collector states it


def pages(path: Path, progress: Progress, report: Report) -> Iterator[tuple[str, Page]]:
    """Yield the pages of a file with their places: one page, an array of them, or one per line.

    Reports values that are not pages, and a last line that is cut off because a stream ended or a
    collector was stopped. Raises ImportRejected with the place of other invalid JSON.
    """
    for place, value in _values(path, progress, report):
        is_array = isinstance(value, list)
        for number, content in enumerate(value if is_array else [value], 1):
            page_place = f"{place}: page {number}" if is_array else place
            try:
                page = _page(content)
            except InvalidPage as error:
                report.refuse(page_place, str(error))
            else:
                yield page_place, page


def _values(path: Path, progress: Progress, report: Report) -> Iterator[tuple[str, Any]]:
    """Yield each value with its place. If the first line is valid JSON, each line is a value."""
    with opened(path, SAVE_AGAIN, progress) as file:
        number, blank, line = 1, 0, file.readline(MAX_PAGE_BYTES).removeprefix(BOM)
        try:
            orjson.loads(line)
        except orjson.JSONDecodeError:
            yield path.name, _parse(path.name, line + file.read(MAX_PAGE_BYTES), number)
            return
        while line:
            place = f"{path.name}: line {number}"
            try:
                if line.strip():
                    yield place, _parse(path.name, line, number)
                else:
                    blank += len(line)
            except ImportRejected:
                if line.endswith(b"\n") or len(line) >= MAX_PAGE_BYTES:
                    raise
                report.refuse(place, CUT_OFF)
            if blank > MOST_BLANK:
                limit = f"{MOST_BLANK >> 20} MiB of blank lines"
                raise ImportRejected(place, f"contains more than {limit}")
            number, line = number + 1, file.readline(MAX_PAGE_BYTES)


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
        place = f"{name}: line {first_line + error.lineno - 1} column {error.colno}"
        hint = "" if content.strip() else "; it is empty"
        raise ImportRejected(place, f"is not JSON: {error.msg}{hint}") from None


def _page(value: Any) -> Page:
    """Read a page of posts, one post, or a line of a stream. Raises InvalidPage."""
    if not isinstance(value, dict):
        raise InvalidPage(NO_PAGE)
    data, errors = value.get("data"), as_list(value.get("errors"))
    if data is None and not value.keys().isdisjoint(ERROR_MEMBERS):
        reason = " ".join(filter(None, map(_quoted, [value, *errors[:1]])))
        raise InvalidPage(f"this is an error response of X, without posts: {reason or 'unknown'}")
    if not value.keys().isdisjoint(V1_MEMBERS):
        raise InvalidPage(f"this is a response of X API v1.1; collect again with v2 and {FIELDS}")
    retrieved_at = parsed_instant(as_dict(value.get("__twarc")).get("retrieved_at"))
    is_empty = data is None and as_dict(value.get("meta")).get("result_count") == 0
    posts = (
        [] if is_empty else data if isinstance(data, list) else [value if data is None else data]
    )
    if not isinstance(data, list) and not all(_is_post(post) for post in posts):
        is_event = isinstance(data, dict) or "action" in value
        raise InvalidPage(NO_EVENTS if is_event else NO_PAGE)
    return Page(posts, value.get("includes"), [*map(_quoted, errors)], retrieved_at)


def _is_post(value: Any) -> bool:
    return isinstance(value, dict) and "text" in value and "id" in value


def _quoted(error: Any) -> str:
    values = (as_dict(error).get(name) for name in QUOTED)
    texts = (str(value)[:LONGEST_QUOTE] for value in values if isinstance(value, str | int))
    return " ".join(texts)
