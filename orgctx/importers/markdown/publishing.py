"""Decide which files a site generator would not publish, and why.

The rules of Hugo, Jekyll, Zola, Astro and Starlight, MkDocs, Docusaurus, Obsidian Publish, Eleventy
and VitePress apply together, because a folder rarely shows which generator builds it. A file that
one of them excludes is excluded. Configuration written as a program is not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from orgctx.importers.folder.walk import Entry
from orgctx.importers.markdown.front_matter import FrontMatter, plain_members
from orgctx.importers.markdown.site import Site, members_of_json
from orgctx.importers.report import ImportRejected
from orgctx.importers.time_limit import TookTooLong, time_limit

YEAR = re.compile(r"\b[2-9]\d{3}\b")
DATED_POST = re.compile(r"(\d{4}-\d{2}-\d{2})-")
NEVER = (False, "never", "false", "link")

# Reasons that say only that a file is no page of its own.
NO_PAGE = (
    "a name that begins with _", "not in SUMMARY.md", "headless", "render", "build", "permalink",
    "eleventyExcludeFromCollections", "routable",
)  # fmt: skip
PARTS = re.compile(
    r"(?:^|/)_?(?:includes?|snippets?|partials?|shared|fragments?|reus(?:e|able)s?|templates?)/",
    re.IGNORECASE,
)
PRIVATE = re.compile(r"(?:^|/)(?:_?(?:drafts?|private|hidden|secrets?)|_internal)/", re.IGNORECASE)

Rule = Callable[[FrontMatter, datetime], bool | None]


def _is(name: str) -> Rule:
    return lambda front, _: front.flag(name)


def _is_not(name: str) -> Rule:
    return lambda front, _: front.flag(name) is False


def _is_not_built(front: FrontMatter, _: datetime) -> bool:
    build = front.get("build")
    members = plain_members(build) if isinstance(build, dict) else {}
    return members.get("render", True) in NEVER or members.get("list", True) in NEVER


def _is_scheduled(front: FrontMatter, now: datetime) -> bool:
    for names in (("publishdate", "pubdate", "published"), ("date",)):
        time = front.time_of(*names)
        if time:
            return time > now
        text = front.get(*names)
        if isinstance(text, str) and (year := YEAR.search(text)):
            return int(year[0]) > now.year
    return False


def _is_expired(front: FrontMatter, now: datetime) -> bool:
    time = front.time_of("expirydate", "unpublishdate", "expires")
    return time is not None and time <= now


def _has_no_permalink(front: FrontMatter, _: datetime) -> bool:
    value = front.get("permalink")
    return value is False or (isinstance(value, str) and value.strip().lower() == "false")


RULES: dict[str, Rule] = {
    "draft: true": _is("draft"),
    "status: draft": lambda front, _: str(front.get("status")).lower() in ("draft", "private"),
    "private: true": _is("private"),
    "unlisted: true": _is("unlisted"),
    "published: false": _is_not("published"),
    "publish: false": _is_not("publish"),
    "headless: true": _is("headless"),
    "render: false": _is_not("render"),
    "build: never": _is_not_built,
    "permalink: false": _has_no_permalink,
    "eleventyExcludeFromCollections: true": _is("eleventyexcludefromcollections"),
    "a password": lambda front, _: front.get("password") is not None,
    "a publication date in the future": _is_scheduled,
    "an expiry date in the past": _is_expired,
}


@dataclass(slots=True)
class Publishing:
    """The rules for the files of one folder. Each folder below it may be the root of a site."""

    sites: dict[str, Site] = field(default_factory=dict)
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    _inherited: dict[str, dict[str, Any]] = field(default_factory=dict)
    _excluded: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, root: Path, entries: Iterable[Entry], read: Callable[[Entry], FrontMatter | None]
    ) -> Publishing:
        """Collect the rules. Raises ImportRejected.

        read: returns the front matter of a file, or None if it is unreadable.
        """
        publishing = cls()
        entries = list(entries)
        for folder in sorted({folder for entry in entries for folder in _folders(entry)}):
            publishing._take_site(root, folder)
        for entry in entries:
            stem = entry.location.name.partition(".")[0]
            if stem in ("_index", "index"):
                publishing._take_section(entry, stem, read(entry))
            elif entry.location.suffix == ".json" and stem == entry.parent.rpartition("/")[2]:
                members = members_of_json(entry.location)
                publishing._inherited.setdefault(entry.parent, {}).update(members)
        return publishing

    def _take_site(self, root: Path, folder: str) -> None:
        """Add a site. Unreadable configuration excludes the folder; at the root, it is an error."""
        try:
            site = _site(root / folder)
        except ImportRejected as error:
            if not folder:
                raise
            self._excluded[folder] = f"unreadable configuration, {folder}/{error}"
            return
        if site != Site():
            self.sites[folder] = site

    def _take_section(self, entry: Entry, stem: str, front: FrontMatter | None) -> None:
        """Add the values that the page of a section sets for all files in the section."""
        if front is None:
            if stem == "_index":
                self._excluded[entry.parent] = (
                    f"{entry.path}, which applies to all files here, is unreadable"
                )
            return
        values = dict(_cascade(front.members.get("cascade")))
        is_hugo = any(site.is_hugo for _, site in self._sites(entry))
        is_whole = stem == "_index" or is_hugo or front.flag("headless")
        if is_whole and (front.flag("draft") or front.flag("headless")):
            values["draft"] = True
        self._inherited.setdefault(entry.parent, {}).update(values)

    def reason(self, entry: Entry, front: FrontMatter) -> str | None:
        """Return why a file is not published, or None if it is."""
        return next((f"not published: {reason}" for reason in self._reasons(entry, front)), None)

    def is_private(self, entry: Entry, front: FrontMatter) -> bool:
        """Return whether a file may not even be shown as a part of a page that includes it.

        Files that are no page of their own may be, such as `_note.md` and `snippets/note.md`.
        """
        if front.members.get("visibility") not in (None, "public"):
            return True
        no_page: tuple[str, ...] = () if PRIVATE.search(entry.path) else NO_PAGE
        if PARTS.search(entry.path):
            no_page += ("excluded by",)
        return not all(reason.startswith(no_page) for reason in self._reasons(entry, front))

    def _reasons(self, entry: Entry, front: FrontMatter) -> Iterator[str]:
        yield from filter(None, (self._by_path(entry), *self._by_front_matter(entry, front)))

    def _by_path(self, entry: Entry) -> str | None:
        *folders, name = entry.path.split("/")
        shown = {"_posts"}.union(*(site.shown for _, site in self._sites(entry)))
        hidden = [part for part in folders if part.startswith("_") and part not in shown]
        if hidden or (name.startswith("_") and not name.startswith("_index.")):
            return "a name that begins with _"
        if "_posts" in folders and (post := DATED_POST.match(name)):
            front = FrontMatter({"date": post[1]})
            if _is_scheduled(front, self.now):
                return "a publication date in the future"
        excluded = (site.excluded(path) for path, site in self._sites(entry))
        return next((reason for reason in excluded if reason), None)

    def _sites(self, entry: Entry) -> Iterator[tuple[str, Site]]:
        """Yield the sites that contain an entry, with its path in each."""
        for folder in _folders(entry):
            if folder in self.sites:
                yield entry.path.removeprefix(folder).lstrip("/"), self.sites[folder]

    def _by_front_matter(self, entry: Entry, front: FrontMatter) -> Iterator[str]:
        members: dict[str, Any] = {}
        for path, site in self._sites(entry):
            members |= dict(site.defaults(path))
        for folder in _folders(entry):
            if folder in self._excluded:
                yield self._excluded[folder]
            members |= self._inherited.get(folder, {})
        data_file = entry.location.with_suffix(".11tydata.json")
        merged = FrontMatter(members | members_of_json(data_file) | front.members)
        yield from (label for label, rule in RULES.items() if rule(merged, self.now))


def _site(folder: Path) -> Site:
    try:
        with time_limit():
            return Site.of(folder)
    except TookTooLong as error:
        raise ImportRejected("the configuration of the site", str(error)) from None


def _folders(entry: Entry) -> Iterator[str]:
    """Yield the folders that contain an entry, from the root down."""
    yield ""
    parts = entry.parent.split("/") if entry.parent else []
    yield from ("/".join(parts[: i + 1]) for i in range(len(parts)))


def _cascade(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the values that a section passes on to its files, regardless of its `target`."""
    for members in value if isinstance(value, list) else [value]:
        if isinstance(members, dict):
            yield from plain_members(members).items()
