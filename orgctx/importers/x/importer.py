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

from orgctx.importers.records import Progress, Record, Target, no_progress
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.x.post import (
    NAME,
    NOTES,
    Includes,
    InvalidPost,
    as_dict,
    as_list,
    either,
    mention,
    reposted_authors,
)
from orgctx.importers.x.responses import Page, pages
from orgctx.schemas.formats import parsed_instant

MENTION = re.compile(r"(?<!\w)@([A-Za-z0-9_]{1,50})", re.ASCII)
ERASED = "repost of a post of an erased person"


def records(
    paths: Sequence[Path],
    *,
    target: Target,
    report: Report,
    account: str | None = None,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """Yield the source and the mentions in file order; the last copy of a post wins.

    The source gets the time of the newest post, or that which twarc wrote. account: by default that
    of the stored source, else the only one that all posts mention. Raises ImportRejected.
    """
    survey = _Survey(paths)
    name = _account(survey, target, account)
    source = target.source("x", f"@{name}", f"Posts on X that mention @{name}.", survey.newest)
    source["data"]["account"] = name
    erased = target.existing.erased(survey.people)
    has_begun = False
    for path in paths:
        for place, page in pages(path, progress, report):
            if not has_begun:
                yield source
            has_begun = True
            for error in page.errors:
                report.skip("partial error of the API", f"{place}: {error}")
            includes = Includes(page.includes)
            for number, post in enumerate(page.posts):
                report.read += 1
                post_place = f"{place}: data[{number}]"
                try:
                    data, missing = mention(post, includes, name, report.repair, erased)
                except InvalidPost as error:
                    report.refuse(post_place, str(error))
                    continue
                if reposted_authors(post, includes) & erased:
                    missing = [ERASED]
                else:
                    yield target.record("x.mention", data)
                for reason in missing:
                    report.skip(reason, f"{post_place}, post {data['id']}")
    if not has_begun:
        message = report.refused[0] if report.refused else f"{paths[0].name}: contains no page"
        place, _, reason = message.partition(": ")
        more = report.refused_count - 1
        raise ImportRejected(place, f"{reason}; {more:,} more were refused" if more > 0 else reason)


class _Survey:
    """What the files say before a post is converted. Raises ImportRejected if one is not JSON.

    newest: when they were collected, as far as they tell. people: whom they repost. common: the
    usernames that all posts mention, by lower case.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.newest: datetime | None = None
        self.people: set[str] = set()
        self.common: dict[str, str] | None = None
        for path in paths:
            for _, page in pages(path, no_progress, Report()):
                self._add(page)

    def _add(self, page: Page) -> None:
        includes = Includes(page.includes)
        posts = [post for post in page.posts if isinstance(post, dict)]
        stated = (parsed_instant(post.get("created_at")) for post in posts)
        times = [page.retrieved_at] if page.retrieved_at else [time for time in stated if time]
        past = [time for time in times if time <= datetime.now(UTC)]
        self.newest = max([*past, *filter(None, [self.newest])], default=None)
        for post in posts:
            for each in (post, *includes.posts.values()):
                self.people |= reposted_authors(each, includes)
            if names := _mentioned(post):
                common = names if self.common is None else self.common
                self.common = {name: common[name] for name in common.keys() & names}


def _account(survey: _Survey, target: Target, username: str | None) -> str:
    for id_, source in target.existing.sources.items():
        if source["kind"] == "x" and id_ != target.source_id:
            raise ImportRejected(
                target.source_id,
                f"would be a second source of mentions, and an organization has one; "
                f"import into {id_}, or delete it first",
            )
    stored = (target.existing.sources.get(target.source_id) or {}).get("account")
    username = username.strip().removeprefix("@") if username else None
    if stored and username and stored.lower() != username.lower():
        raise ImportRejected(
            target.source_id, f"belongs to @{stored}, so it cannot contain mentions of @{username}"
        )
    if username and not NAME.fullmatch(username):
        raise ImportRejected("--account", "must be a username of letters, digits and _")
    common = list((survey.common or {}).values())
    name = stored or username or (common[0] if len(common) == 1 else None)
    if not name:
        raise ImportRejected(
            target.source_id,
            "has no account yet, and there is not exactly one account that all posts mention. "
            "Pass --account USERNAME, the account whose mentions were collected",
        )
    return str(name)


def _mentioned(post: dict[str, Any]) -> dict[str, str]:
    """Return the usernames in a post's entities, or else in its text, with keys in lower case."""
    parts = (post, as_dict(either(post, NOTES)))
    listed = [
        username
        for part in parts
        for mention in as_list(as_dict(part.get("entities")).get("mentions"))
        if isinstance(username := as_dict(mention).get("username"), str)
    ]
    names = listed or MENTION.findall(" ".join(str(part.get("text", "")) for part in parts))
    return {name.lower(): name for name in names if NAME.fullmatch(name)}
