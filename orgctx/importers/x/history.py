"""Track mentions across pages: edits, deletions and collection times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from orgctx.importers.deletions import OLDER as OLDER_EVIDENCE
from orgctx.importers.records import Record, Target
from orgctx.importers.report import Report
from orgctx.importers.x.post import HISTORIES, ID, Includes, instant, mention
from orgctx.importers.x.responses import USER_EVENTS, Event, Page
from orgctx.importers.x.text import InvalidPost, either

DELETING = {"delete", "drop", "user_delete", "user_suspend", "user_protect"}
RESTORING = {"undrop", "user_undelete", "user_unsuspend", "user_unprotect"}
EDITED = "newest version of an edited post that no page includes"
OLDER = "older version of an edited post"
DELETED = "deleted post"
USER_GONE = "post of a deleted, suspended or protected user"
# The type under which the deletion of all posts of a user is remembered.
AUTHOR = "x.author"


class History:
    """The mentions of all pages of one import; about 200 bytes of memory each."""

    def __init__(self, target: Target, account: str, report: Report) -> None:
        self._target, self._account, self._report = target, account, report
        self._by_author: dict[str, list[str]] = defaultdict(list)
        self._has_looked = False
        self._gone: dict[str, str] = {}
        self._versions: dict[str, list[str]] = {}
        self._gone_users: set[str] = set()
        self._newest: datetime | None = None
        # When the current page was collected.
        self._page_at = datetime.now(UTC)
        self.is_valid = False

    def add(self, place: str, page: Page) -> Iterator[Record]:
        """Yield the records of a page; the source precedes the first page."""
        if not page.posts:
            yield from self._begin()
        for error in page.errors:
            self._report.skip("partial error of the API", f"{place}: {error}")
        includes = Includes(page.includes)
        self._collected(page.retrieved_at)
        self._page_at = _collected_at(page)
        for number, post in enumerate(page.posts):
            yield from self._post(f"{place}: data[{number}]", post, includes, page.retrieved_at)
        for event in page.events:
            self._report.read += 1
            self._collected(event.occurred_at)
            now = datetime.now(UTC)
            self._page_at = min(instant(event.occurred_at or "") or now, now)
            yield from self._event(place, event)

    def _begin(self) -> Iterator[Record]:
        if not self.is_valid:
            self.is_valid = True
            yield self._source()

    def end(self) -> Iterator[Record]:
        """Yield the source again, with its collection time."""
        if self._newest:
            yield self._source()

    def _source(self) -> Record:
        name = self._account
        description = f"Posts on X that mention @{name}."
        source = self._target.source("x", f"@{name}", description, self._newest)
        source["data"]["account"] = name
        return source

    def _post(
        self, place: str, post: Any, includes: Includes, retrieved_at: str | None
    ) -> Iterator[Record]:
        self._report.read += 1
        try:
            data, missing = mention(post, includes, self._account, self._report.repair)
        except InvalidPost as error:
            self._report.refuse(place, str(error))
            return
        id_, author = data["id"], data["author"]["id"]
        place = f"{place}, post {id_}"
        yield from self._begin()
        if not retrieved_at:
            self._collected(data["createdAt"])
        versions = self._chain(post, id_)
        if DELETED in map(self._gone.get, versions):
            yield from self._delete(id_, DELETED)
        if reason := USER_GONE if author in self._gone_users else self._gone.get(id_):
            self._report.skip(reason, place)
            return
        if self._is_held(id_, author):
            self._report.skip(OLDER_EVIDENCE, place)
            return
        for older in versions[: versions.index(id_)]:
            yield from self._delete(older, OLDER)
        if versions[-1] != id_:
            missing.append(EDITED)
        for reason in missing:
            self._report.skip(reason, place)
        self._by_author[author].append(id_)
        yield self._target.record("x.mention", data)

    def _chain(self, post: dict[str, Any], id_: str) -> list[str]:
        """Return the ids of all versions of a post, the oldest first."""
        history = either(post, HISTORIES)
        values = history if isinstance(history, list) else []
        versions = [value for value in values if isinstance(value, str) and ID.fullmatch(value)]
        if id_ not in versions or len(versions) == 1:
            return [id_]
        self._versions |= dict.fromkeys(versions, versions)
        return versions

    def _event(self, place: str, event: Event) -> Iterator[Record]:
        place = f"{place}, {event.kind} of {event.id}"
        if event.kind in RESTORING:
            self._restore(event)
            self._report.skip("event that restores posts; collect them again", place)
        elif event.kind not in DELETING:
            self._report.skip("event that deletes no post", place)
        elif event.kind in USER_EVENTS:
            yield from self._forget(event.id)
        elif event.id in self._authors():
            # Batch jobs use the same lines for users and posts.
            yield from self._forget(event.id)
        else:
            yield from self._delete(event.id, DELETED)

    def _forget(self, author: str) -> Iterator[Record]:
        """Yield deletions of all mentions by a user."""
        self._gone_users.add(author)
        self._target.remember(AUTHOR, author, self._page_at)
        for id_ in self._authors().get(author, ()):
            yield from self._delete(id_, USER_GONE)

    def _authors(self) -> dict[str, list[str]]:
        """Return the mentions by author, including stored ones."""
        if not self._has_looked:
            self._has_looked = True
            for id_, author in self._target.existing.authors():
                self._by_author[author].append(id_)
        return self._by_author

    def _delete(self, id_: str, reason: str) -> Iterator[Record]:
        """Yield deletions of a post and its versions, each once."""
        versions = self._versions.get(id_, [id_]) if reason == DELETED else [id_]
        for version in versions:
            if version not in self._gone:
                # All posts of a user are remembered as one deletion, and forgotten together.
                collected_at = None if reason == USER_GONE else self._page_at
                yield self._target.deletion("x.mention", version, collected_at)
            self._gone[version] = reason

    def _is_held(self, id_: str, author: str) -> bool:
        """Return whether a post stays deleted, by its id or with its author."""
        held = [
            self._target.holds(type_, key, self._page_at)
            for type_, key in (("x.mention", id_), (AUTHOR, author))
        ]
        return any(held)

    def _restore(self, event: Event) -> None:
        """Forget an earlier deletion, so that the posts can be collected again."""
        type_ = AUTHOR if event.kind in USER_EVENTS else "x.mention"
        self._target.holds(type_, event.id, self._page_at)

    def _collected(self, text: str | None) -> None:
        """Update the collection time; ignore times in the future."""
        time = instant(text) if text else None
        if time:
            time = min(time, datetime.now(UTC).replace(microsecond=0))
            self._newest = max(self._newest or time, time)


def _collected_at(page: Page) -> datetime:
    """Return the earliest time at which a page can have been collected: after its newest post."""
    texts = [post.get("created_at") for post in page.posts if isinstance(post, dict)]
    times = [instant(text) for text in (page.retrieved_at, *texts) if isinstance(text, str)]
    return max((time for time in times if time), default=datetime.min.replace(tzinfo=UTC))
