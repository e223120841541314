"""Read the responses of the X API that contain posts; all of them become a Page."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from orgctx.importers.decoding import opened
from orgctx.importers.report import ImportRejected, Report

MAX_PAGE_BYTES = 64 * 1024 * 1024
SAVE_AGAIN = "save the response of the X API itself"
NO_PAGE = (
    "this is no page of the X API v2, which has data, includes and meta; to delete a post, load a "
    "record `delete` of its x.mention"
)
ERROR_MEMBERS = ("errors", "error", "title", "detail", "message")
# Names of members that X has renamed in August 2026.
RENAMED = {
    b"referenced_tweets": b"referenced_posts",
    b"tweets": b"posts",
    b"note_tweet": b"note_post",
    b"retweet_count": b"repost_count",
}
OLD_NAME = re.compile(rb'"(' + b"|".join(RENAMED) + rb')"(?=\s*:)')


class InvalidPage(Exception):
    """A value that is not a page; the message says what it is and what to do."""


@dataclass(frozen=True, slots=True)
class Page:
    """One response, with its expansions by id."""

    posts: list[Any]
    users: dict[str, dict[str, Any]]
    included: dict[str, dict[str, Any]]  # posts
    media: dict[str, dict[str, Any]]


def as_list(value: Any) -> list[Any]:
    """Return an array, or an empty one instead of another value."""
    return value if isinstance(value, list) else []


def as_dict(value: Any) -> dict[str, Any]:
    """Return an object, or an empty one instead of another value."""
    return value if isinstance(value, dict) else {}


def pages(path: Path, report: Report) -> Iterator[tuple[str, Page]]:
    """Yield the pages of a file with their places: one page, an array of them, or one per line.

    Reports values that are not pages. Raises ImportRejected with the place of invalid JSON.
    """
    for place, value in _values(path):
        is_array = isinstance(value, list)
        for number, content in enumerate(value if is_array else [value], 1):
            page_place = f"{place}: page {number}" if is_array else place
            try:
                page = _page(content)
            except InvalidPage as error:
                report.refuse(page_place, str(error))
            else:
                yield page_place, page


def _values(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield each value with its place. If the first line is valid JSON, each line is a value."""
    with opened(path, SAVE_AGAIN) as file:
        first = file.readline(MAX_PAGE_BYTES).removeprefix(BOM_UTF8)
        try:
            orjson.loads(first)
        except orjson.JSONDecodeError:
            yield path.name, _parse(path.name, first + file.read(MAX_PAGE_BYTES), 1)
            return
        lines = chain([first], iter(partial(file.readline, MAX_PAGE_BYTES), b""))
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield f"{path.name}: line {number}", _parse(path.name, line, number)


def _parse(name: str, content: bytes, first_line: int) -> Any:
    """Parse JSON with the names that X uses since August 2026. Raises ImportRejected."""
    if len(content) >= MAX_PAGE_BYTES:
        raise ImportRejected(
            name, f"a page exceeds {MAX_PAGE_BYTES >> 20} MiB; write one page per line (JSON Lines)"
        )
    try:
        return orjson.loads(OLD_NAME.sub(lambda match: b'"%b"' % RENAMED[match[1]], content))
    except orjson.JSONDecodeError as error:
        place = f"{name}: line {first_line + error.lineno - 1} column {error.colno}"
        raise ImportRejected(place, f"is not JSON: {error.msg}") from None


def _page(value: Any) -> Page:
    """Read a page of posts, one post, or a line of a stream. Raises InvalidPage."""
    members = as_dict(value)
    data, includes = members.get("data"), as_dict(members.get("includes"))
    if data is None and not members.keys().isdisjoint(ERROR_MEMBERS):
        first = as_dict(next(iter(as_list(members.get("errors"))), None))
        # Other members may quote the request, and its token.
        status, title = (
            f"{members.get(name, first.get(name, ''))!s:.60}" for name in ("status", "title")
        )
        reason = f"{status} {title}".strip() or "unknown"
        raise InvalidPage(f"this is an error response of X, without posts: {reason}")
    if data is None and as_dict(members.get("meta")).get("result_count") == 0:
        data = []
    posts = data if isinstance(data, list) else [value if data is None else data]
    if not isinstance(data, list) and not {"id", "text"} <= as_dict(posts[0]).keys():
        raise InvalidPage(NO_PAGE)
    users, included = (_by(includes.get(name), "id") for name in ("users", "posts"))
    return Page(posts, users, included, _by(includes.get("media"), "media_key"))


def _by(values: Any, key: str) -> dict[str, dict[str, Any]]:
    dicts = map(as_dict, as_list(values))
    return {value[key]: value for value in dicts if isinstance(value.get(key), str)}
