"""Read the responses of the X API that contain posts; all of them become a Page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from string import ascii_uppercase
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
QUOTED_LENGTH = 60
CUT_OFF = "the last line is cut off; collect its posts again"
NO_EVENTS = "this is no post; to delete one, load a record `delete` of its x.mention"
NO_PAGE = "a page must be an object with data, includes and meta"
# Members that only responses of v1.1 have, and those that only an error body has.
V1_MEMBERS = ("statuses", "id_str")
ERROR_MEMBERS = ("errors", "error", "title", "detail", "message")
MAX_LENGTH = 300
MOST_ERRORS = 3
# Members of errors of v2, OAuth and v1.1, in the order in which they are quoted.
QUOTED = ("status", "code", "title", "error", "detail", "message", "error_description", "reason")
# A name such as `token`, and a value after it that contains a digit.
NAMED_SECRET = re.compile(
    r"(?i)\b(bearer|token|secret|password|key|authorization)(\W{1,4})(?=\S{0,200}\d)[\w%.~+/=-]{8,}"
)
LONG_WORD = re.compile(r"[\w%.~+/=-]{20,}")


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
        beginning = _quoted(content[: 4 * QUOTED_LENGTH].decode(errors="replace"))[:QUOTED_LENGTH]
        hint = f"; it begins with {beginning!r}" if beginning else "; it is empty"
        raise ImportRejected(place, f"is not JSON: {error.msg}{hint}") from None


def _page(value: Any) -> Page:
    """Read a page of posts, one post, or a line of a stream. Raises InvalidPage."""
    if not isinstance(value, dict):
        raise InvalidPage(NO_PAGE)
    data, errors = value.get("data"), value.get("errors")
    if data is None and not value.keys().isdisjoint(ERROR_MEMBERS):
        parts = [value, *(errors[:MOST_ERRORS] if isinstance(errors, list) else [errors])]
        texts = dict.fromkeys(filter(None, map(_message_of, parts)))
        message = _quoted("; ".join(texts) or "an error without a message")
        raise InvalidPage(f"this is an error response of X, without posts: {message}")
    if not value.keys().isdisjoint(V1_MEMBERS):
        raise InvalidPage(f"this is a response of X API v1.1; collect again with v2 and {FIELDS}")
    if "action" in value and "id" in value:
        raise InvalidPage(NO_EVENTS)
    retrieved_at = parsed_instant(as_dict(value.get("__twarc")).get("retrieved_at"))
    if "text" in value and "id" in value:
        return Page([value], retrieved_at=retrieved_at)
    quotes = [_quoted(_message_of(error)) for error in as_list(errors)]
    meta = value.get("meta")
    is_empty = data is None and isinstance(meta, dict) and meta.get("result_count", 0) == 0
    page = Page(as_list(data), value.get("includes"), quotes, retrieved_at)
    if isinstance(data, dict):
        return _single(data, page)
    if isinstance(data, list) or is_empty:
        return page
    raise InvalidPage(NO_PAGE)


def _single(data: dict[str, Any], page: Page) -> Page:
    if "text" in data and "id" in data:
        return replace(page, posts=[data])
    payload = as_dict(data.get("payload"))  # of a stream of activities
    if "text" in payload and "id" in payload:
        return replace(page, posts=[payload], includes=data.get("includes"))
    raise InvalidPage(NO_EVENTS)


def _message_of(error: Any) -> str:
    """Return the text of one error. It may contain secrets; `_quoted` removes them."""
    if isinstance(error, str):
        return error[:MAX_LENGTH]
    values = map(as_dict(error).get, QUOTED)
    texts = [str(value)[:MAX_LENGTH] for value in values if isinstance(value, str | int)]
    return " ".join(dict.fromkeys(texts))


def _quoted(text: str) -> str:
    """Return the text on one line of at most MAX_LENGTH characters, without possible secrets."""
    line = " ".join(text[: 4 * MAX_LENGTH].split())
    line = LONG_WORD.sub(_without_token, NAMED_SECRET.sub(r"\1\2…", line))
    return line if len(line) <= MAX_LENGTH else line[: MAX_LENGTH - 1] + "…"


def _without_token(word: re.Match[str]) -> str:
    # Tokens mix digits and capital letters; field names and post ids do not.
    is_token = any(c.isdigit() for c in word[0]) and any(c in ascii_uppercase for c in word[0])
    return "…" if is_token else word[0]
