"""Convert mention responses of the X API v2 to bundle records.

Accepts the field names from before and after August 2026. A file holds one page or post, an array
of them, or one per line. &, < and > in texts are unescaped from HTML, and t.co addresses are
replaced by those behind them.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from orgctx.importers.records import Record, Target
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.x.post import NAME, InvalidPost, mention, reposted_authors
from orgctx.importers.x.responses import as_dict, pages
from orgctx.schemas.formats import parsed_instant

MENTION = re.compile(r"(?<!\w)@([A-Za-z0-9_]{1,50})", re.ASCII)
ERASED = "repost of a post of an erased person"


def records(
    paths: Sequence[Path],
    *,
    target: Target,
    report: Report,
    account: str | None = None,
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
                try:
                    data, missing = mention(post, page, name, erased)
                except InvalidPost as error:
                    report.refuse(post_place, str(error))
                    continue
                if reposted_authors(post, page) & erased:
                    missing = [ERASED]
                else:
                    yield target.record("x.mention", data)
                for reason in missing:
                    report.skip(reason, f"{post_place}, post {data['id']}")


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
            for post in map(as_dict, page.posts):
                time = parsed_instant(post.get("created_at"))
                if time and time <= now:
                    newest = max(time, newest or time)
                if names := _mentioned(post):
                    first = names if common is None else common
                    common = {key: first[key] for key in first.keys() & names.keys()}
    if not has_page:
        refused = report.refused or [f"{paths[0].name}: contains no page"]
        raise ImportRejected(*refused[0].split(": ", 1))
    return newest, [*(common or {}).values()], people


def _mentioned(post: dict[str, Any]) -> dict[str, str]:
    """Return the usernames in the text of a post, by lower case."""
    texts = (post.get("text"), as_dict(post.get("note_post")).get("text"))
    names = MENTION.findall(" ".join(map(str, texts)))
    return {name.lower(): name for name in names}


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
