"""Convert mention responses of the X API v2 to bundle records.

Accepts the field names from before and after August 2026. A file holds one page or post, an array
of them, or one per line. &, < and > in texts are unescaped from HTML, and t.co addresses are
replaced by those behind them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from orgctx.importers.records import Progress, Record, Target, no_progress
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.x.post import (
    HISTORIES,
    ID,
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
OLDER = "older version of an edited post"
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
    source = target.source(
        "x", f"@{name}", f"Posts on X that mention @{name}.", survey.newest, is_stated=True
    )
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
            mentions = _Mentions(Includes(page.includes), name, target, report, erased)
            for number, post in enumerate(page.posts):
                yield from mentions.add(f"{place}: data[{number}]", post, survey.superseded)
    if not has_begun:
        message = report.refused[0] if report.refused else f"{paths[0].name}: contains no page"
        place, _, reason = message.partition(": ")
        more = report.refused_count - 1
        raise ImportRejected(place, f"{reason}; {more:,} more were refused" if more > 0 else reason)


@dataclass(frozen=True, slots=True)
class _Mentions:
    """Converts the posts of one page."""

    includes: Includes
    account: str
    target: Target
    report: Report
    erased: set[str]

    def add(self, place: str, post: Any, superseded: set[str]) -> Iterator[Record]:
        self.report.read += 1
        arguments = (self.includes, self.account, self.report.repair, self.erased)
        try:
            data, missing = mention(post, *arguments)
        except InvalidPost as error:
            self.report.refuse(place, str(error))
            return
        place = f"{place}, post {data['id']}"
        if data["id"] in superseded:
            missing = [OLDER]
        elif reposted_authors(post, self.includes) & self.erased:
            missing = [ERASED]
        else:
            for version in _older_versions(post):
                yield self.target.deletion("x.mention", version)
            yield self.target.record("x.mention", data)
        for reason in missing:
            self.report.skip(reason, place)


class _Survey:
    """What the files say before a post is converted. Raises ImportRejected if one is not JSON.

    newest: when they were collected, as far as they tell. superseded: older versions of edited
    posts. people: whom they repost. common: the usernames that all posts mention, by lower case.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.newest: datetime | None = None
        self.superseded: set[str] = set()
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
            self.superseded.update(_older_versions(post))
            for each in (post, *includes.posts.values()):
                self.people |= reposted_authors(each, includes)
            if names := _mentioned(post):
                common = names if self.common is None else self.common
                self.common = {name: common[name] for name in common.keys() & names}


def _older_versions(post: dict[str, Any]) -> list[str]:
    """Return the ids of the versions of a post that it replaces."""
    values = as_list(either(post, HISTORIES))
    versions = [value for value in values if isinstance(value, str) and ID.fullmatch(value)]
    return versions[: versions.index(post["id"])] if post.get("id") in versions else []


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
