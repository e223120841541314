"""Convert mention responses of the X API v2 to bundle records.

Accepts the field names from before and after August 2026. A file holds one page or post, an array
of them, or one per line. &, < and > in texts are unescaped from HTML, and t.co addresses are
replaced by those behind them.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from orgctx.importers.decoding import opened
from orgctx.importers.records import Record, Target
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.x.post import (
    NAME,
    InvalidInput,
    Page,
    as_dict,
    as_list,
    mention,
    reposted_authors,
)
from orgctx.schemas.formats import parsed_instant

MENTION = re.compile(r"(?<!\w)@([A-Za-z0-9_]{1,50})", re.ASCII)
ERASED = "repost of a post of an erased person"
MAX_PAGE_BYTES = 64 * 1024 * 1024
SAVE_AGAIN = "save the response of the X API itself"
NO_PAGE = (
    "this is no page of the X API v2, which has data, includes and meta, or an error response; to "
    "delete a post, load a record `delete` of its x.mention"
)
# Names of members that X has renamed in August 2026.
RENAMED = {
    b"referenced_tweets": b"referenced_posts",
    b"tweets": b"posts",
    b"note_tweet": b"note_post",
    b"retweet_count": b"repost_count",
}
OLD_NAME = re.compile(rb'"(' + b"|".join(RENAMED) + rb')"(?=\s*:)')


def records(
    paths: Sequence[Path], *, target: Target, report: Report, account: str | None = None
) -> Iterator[Record]:
    """Yield the source and the mentions in file order; the last copy of a post wins.

    The source gets the time of the newest post. account: by default that of the stored source, else
    the only one that all posts mention. Raises ImportRejected.
    """
    newest, common, people = _survey(paths)
    erased = target.existing.erased(people)
    name = _account(target, account, common)
    source = target.source("x", f"@{name}", f"Posts on X that mention @{name}.", newest)
    source["data"]["account"] = name
    yield source
    for path in paths:
        for place, page in pages(path, report):
            for number, post in enumerate(page.posts):
                report.read += 1
                post_place = f"{place}: data[{number}]"
                if reposted_authors(post, page) & erased:
                    report.skip(ERASED, post_place)
                    continue
                try:
                    yield target.record("x.mention", mention(post, page, name, erased))
                except InvalidInput as error:
                    report.refuse(post_place, str(error))
            for reason in page.lacks:
                report.skip(reason, place)


def _survey(paths: Sequence[Path]) -> tuple[datetime | None, list[str], set[str]]:
    """Return the newest time of a post, the usernames that all posts mention, and who is reposted.

    Raises ImportRejected if a file is not JSON, or none has a page.
    """
    report, now = Report(), datetime.now(UTC)
    newest: datetime | None = None
    common: dict[str, str] | None = None
    people: set[str] = set()
    has_page = False
    for path in paths:
        for _, page in pages(path, report):
            has_page = True
            for post in (*page.posts, *page.included.values()):
                people |= reposted_authors(post, page)
            for post in page.posts:
                time = parsed_instant(post.get("created_at"))
                if time and time <= now:
                    newest = max(time, newest or time)
                texts = (post.get("text"), as_dict(post.get("note_post")).get("text"))
                if found := MENTION.findall(" ".join(map(str, texts))):
                    names = {name.lower(): name for name in found}
                    first = names if common is None else common
                    common = {key: first[key] for key in first.keys() & names.keys()}
    if not has_page:
        refused = report.refused or [f"{paths[0].name}: contains no page"]
        raise ImportRejected(*refused[0].split(": ", 1))
    return newest, [*(common or {}).values()], people


def _account(target: Target, username: str | None, common: Sequence[str]) -> str:
    stored = (target.existing.sources.get(target.source_id) or {}).get("account")
    username = username.strip().removeprefix("@") if username else None
    if stored and username and stored.lower() != username.lower():
        raise ImportRejected(
            target.source_id, f"belongs to @{stored}, so it cannot contain mentions of @{username}"
        )
    if username and not NAME.fullmatch(username):
        raise ImportRejected("--account", "must be a username of letters, digits and _")
    name = stored or username or (common[0] if len(common) == 1 else None)
    if not name:
        raise ImportRejected(
            target.source_id,
            "has no account yet, and there is not exactly one account that all posts mention. "
            "Pass --account USERNAME, the account whose mentions were collected",
        )
    return str(name)


def pages(path: Path, report: Report) -> Iterator[tuple[str, Page]]:
    """Yield the pages of a file with their places: one page, an array of them, or one per line.

    Reports values that are not pages. Raises ImportRejected with the place of invalid JSON.
    """
    for place, value in _values(path):
        is_array = isinstance(value, list)
        for number, content in enumerate(value if is_array else [value], 1):
            page_place = f"{place}: page {number}" if is_array else place
            try:
                yield page_place, _page(content)
            except InvalidInput as error:
                report.refuse(page_place, str(error))


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
    """Read a page of posts, one post, or a line of a stream. Raises InvalidInput."""
    members = as_dict(value)
    posts, includes = members.get("data"), as_dict(members.get("includes"))
    if posts is None and as_dict(members.get("meta")).get("result_count") == 0:
        posts = []
    if not isinstance(posts, list):
        posts = [value if posts is None else posts]
        if not {"id", "text"} <= as_dict(posts[0]).keys():
            raise InvalidInput(NO_PAGE)
    users, included = (_by(includes.get(name), "id") for name in ("users", "posts"))
    media = _by(includes.get("media"), "media_key")
    return Page([*map(as_dict, posts)], users, included, media)


def _by(values: Any, key: str) -> dict[str, dict[str, Any]]:
    dicts = map(as_dict, as_list(values))
    return {value[key]: value for value in dicts if isinstance(value.get(key), str)}
