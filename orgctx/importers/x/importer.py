"""Convert mention responses of the X API v2 to bundle records.

Accepts the field names from before and after August 2026. A file holds one page, post or event,
an array of them, or one per line. &, < and > in texts are unescaped from HTML, and t.co addresses
are replaced by those behind them.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from orgctx.importers.existing import OLDER as OLDER_EVIDENCE
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
from orgctx.importers.x.responses import DELETING, RESTORING, Event, Page, pages
from orgctx.schemas.formats import parsed_instant

MENTION = re.compile(r"(?<!\w)@([A-Za-z0-9_]{1,50})", re.ASCII)
EDITED = "newest version of an edited post that no page includes"
OLDER = "older version of an edited post"
DELETED = "deleted post"
USER_GONE = "post of a deleted, suspended or protected user"
ERASED = "repost of a post of an erased person"
OF_ANOTHER = "version {} belongs to another author"
# The type under which the deletion of all posts of a user is remembered.
AUTHOR = "x.author"


def records(
    paths: Sequence[Path],
    *,
    target: Target,
    report: Report,
    account: str | None = None,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """Yield the source and the mentions in file order; the last copy of a post wins.

    The source gets the time of the newest post or event, or the time that twarc wrote. account: by
    default that of the stored source, else the only one that all posts mention. Raises
    ImportRejected.
    """
    history = _History(target, _account(paths, target, account), report)
    for path in paths:
        for place, page in pages(path, progress, report):
            yield from history.add(place, page)
    if not history.has_begun:
        message = report.refused[0] if report.refused else f"{paths[0].name}: contains no page"
        place, _, reason = message.partition(": ")
        more = report.refused_count - 1
        raise ImportRejected(place, f"{reason}; {more:,} more were refused" if more > 0 else reason)
    yield from history.end()


def _account(paths: Sequence[Path], target: Target, username: str | None) -> str:
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
    name = stored or username or _common_mention(paths)
    if not name:
        raise ImportRejected(
            target.source_id,
            "has no account yet, and there is not exactly one account that all posts mention. "
            "Pass --account USERNAME, the account whose mentions were collected",
        )
    return str(name)


def _common_mention(paths: Sequence[Path]) -> str | None:
    """Return the only username that all posts of the files mention, or None.

    Posts that mention nobody do not count. Raises ImportRejected if a file is not JSON.
    """
    common: dict[str, str] | None = None
    for path in paths:
        for _, page in pages(path, no_progress, Report()):
            for names in filter(None, map(_mentioned, page.posts)):
                common = names if common is None else common
                common = {name: common[name] for name in common.keys() & names}
    return next(iter(common.values())) if common and len(common) == 1 else None


def _mentioned(post: Any) -> dict[str, str]:
    """Return the usernames in a post's entities, or else in its text, with keys in lower case."""
    parts = (as_dict(post), as_dict(either(as_dict(post), NOTES)))
    listed = [
        username
        for part in parts
        for mention in as_list(as_dict(part.get("entities")).get("mentions"))
        if isinstance(username := as_dict(mention).get("username"), str)
    ]
    names = listed or MENTION.findall(" ".join(str(part.get("text", "")) for part in parts))
    return {name.lower(): name for name in names if NAME.fullmatch(name)}


class _History:
    """The mentions of all pages of one import; about 300 bytes of memory each."""

    def __init__(self, target: Target, account: str, report: Report) -> None:
        self._target, self._account, self._report = target, account, report
        self._is_erased = target.existing.is_erased
        self._author_of: dict[str, str] = {}
        self._by_author: dict[str, list[str]] = defaultdict(list)
        for id_, author in target.existing.authors():
            self._remember(id_, author)
        self._gone: dict[str, str] = {}
        self._versions: dict[str, list[str]] = {}
        self._gone_users: set[str] = set()
        self._newest: datetime | None = None
        # When the current page was collected.
        self._page_at = datetime.now(UTC)
        self.has_begun = False

    def add(self, place: str, page: Page) -> Iterator[Record]:
        """Yield the records of a page; the source precedes the first page."""
        if not page.posts:
            yield from self._begin()
        for error in page.errors:
            self._report.skip("partial error of the API", f"{place}: {error}")
        includes = Includes(page.includes)
        self._collected(page.retrieved_at)
        # A page was collected after its newest post.
        times = (parsed_instant(as_dict(post).get("created_at")) for post in page.posts)
        self._page_at = max(
            filter(None, (page.retrieved_at, *times)), default=datetime.min.replace(tzinfo=UTC)
        )
        for number, post in enumerate(page.posts):
            is_dated = page.retrieved_at is not None
            yield from self._post(f"{place}: data[{number}]", post, includes, is_dated)
        for event in page.events:
            self._report.read += 1
            self._collected(event.occurred_at)
            now = datetime.now(UTC)
            self._page_at = min(event.occurred_at or now, now)
            yield from self._event(place, event)

    def end(self) -> Iterator[Record]:
        """Yield the source again, with its collection time."""
        if self._newest:
            yield self._source()

    def _begin(self) -> Iterator[Record]:
        if not self.has_begun:
            self.has_begun = True
            yield self._source()

    def _source(self) -> Record:
        name = self._account
        description = f"Posts on X that mention @{name}."
        source = self._target.source("x", f"@{name}", description, self._newest)
        source["data"]["account"] = name
        return source

    def _post(self, place: str, post: Any, includes: Includes, is_dated: bool) -> Iterator[Record]:
        """Yield the mention. is_dated: whether its page states when it was collected."""
        self._report.read += 1
        try:
            arguments = (includes, self._account, self._report.repair, self._is_erased)
            data, missing = mention(post, *arguments)
            versions = self._versions_of(post, data)
        except InvalidPost as error:
            self._report.refuse(place, str(error))
            return
        id_, author = data["id"], data["author"]["id"]
        place = f"{place}, post {id_}"
        yield from self._begin()
        if not is_dated:
            self._collected(datetime.fromisoformat(data["createdAt"]))
        if DELETED in map(self._gone.get, versions):
            yield from self._delete(id_, DELETED)
        reason = self._reason(data, reposted_authors(post, includes))
        if reason:
            self._report.skip(reason, place)
            return
        for older in versions[: versions.index(id_)]:
            yield from self._delete(older, OLDER)
        if versions[-1] != id_:
            missing.append(EDITED)
        for reason in missing:
            self._report.skip(reason, place)
        self._remember(id_, author)
        yield self._target.record("x.mention", data)

    def _remember(self, id_: str, author: str) -> None:
        self._author_of[id_] = author
        self._by_author[author].append(id_)

    def _reason(self, data: dict[str, Any], reposted: set[str]) -> str | None:
        """Return why to leave a mention out, or None. reposted: the authors of the original."""
        author = data["author"]["id"]
        reason = USER_GONE if author in self._gone_users else self._gone.get(data["id"])
        if not reason:
            # Both are asked, because that also forgets a deletion that is older than the page.
            keys = (("x.mention", data["id"]), (AUTHOR, author))
            held = [self._target.holds(*key, self._page_at) for key in keys]
            reason = OLDER_EVIDENCE if any(held) else None
        if not reason and any(map(self._is_erased, reposted)):
            reason = ERASED
        return reason

    def _versions_of(self, post: dict[str, Any], data: dict[str, Any]) -> list[str]:
        """Return the ids of all versions of a post, the oldest first.

        Raises InvalidPost if one is a mention of another author.
        """
        id_, author = data["id"], data["author"]["id"]
        values = as_list(either(post, HISTORIES))
        versions = [value for value in values if isinstance(value, str) and ID.fullmatch(value)]
        versions = versions if id_ in versions else [id_]
        for version in versions:
            if self._author_of.get(version, author) != author:
                raise InvalidPost(OF_ANOTHER.format(version))
        if len(versions) > 1:
            self._versions |= dict.fromkeys(versions, versions)
        return versions

    def _event(self, place: str, event: Event) -> Iterator[Record]:
        place = f"{place}, {event.kind} of {event.id}"
        is_user = event.kind.startswith("user_")
        if event.kind in RESTORING:
            # Forget the deletion, so that the posts can be collected again.
            self._target.holds(AUTHOR if is_user else "x.mention", event.id, self._page_at)
            self._report.skip("event that restores posts; collect them again", place)
        elif event.kind not in DELETING:
            self._report.skip("event that deletes no post", place)
        # Batch jobs use the same lines for users and posts.
        elif is_user or event.id in self._by_author:
            self._gone_users.add(event.id)
            self._target.remember(AUTHOR, event.id, self._page_at)
            for id_ in self._by_author.get(event.id, ()):
                yield from self._delete(id_, USER_GONE)
        else:
            yield from self._delete(event.id, DELETED)

    def _delete(self, id_: str, reason: str) -> Iterator[Record]:
        """Yield deletions of a post and its versions, each once."""
        versions = self._versions.get(id_, [id_]) if reason == DELETED else [id_]
        for version in versions:
            if version not in self._gone:
                # All posts of a user are remembered as one deletion, and forgotten together.
                collected_at = None if reason == USER_GONE else self._page_at
                yield self._target.deletion("x.mention", version, collected_at)
            self._gone[version] = reason

    def _collected(self, time: datetime | None) -> None:
        """Update the collection time; times in the future do not count."""
        if time and time <= datetime.now(UTC):
            self._newest = max(self._newest or time, time)
