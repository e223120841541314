"""Decide which files a site generator would not publish, and why.

The rules of all generators apply together, because a folder rarely shows which one builds it. A
file that one of them excludes is excluded. Configuration above the folder applies to it too, and
configuration that is a program is not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from orgctx.importers.folder.ancestors import ancestors
from orgctx.importers.folder.walk import Entry
from orgctx.importers.markdown.front_matter import FrontMatter, plain_members
from orgctx.importers.markdown.rules import RULES, is_scheduled
from orgctx.importers.markdown.sites import config_files
from orgctx.importers.markdown.sites.reading import read_site
from orgctx.importers.markdown.sites.site import Site
from orgctx.importers.report import ImportRejected, Report

# Members that Material for MkDocs gives all pages of a folder.
META = ".meta.yml"
MOST_NAMED = 5
DATED_POST = re.compile(r"(\d{4}-\d{2}-\d{2})-")

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

Read = Callable[[Entry], FrontMatter | None]


@dataclass(slots=True)
class Publishing:
    """The rules for the files of one folder, which may be part of sites and contain others."""

    # The sites by folder, and those that contain the folder, by its path in them.
    sites: dict[str, Site] = field(default_factory=dict)
    above: list[tuple[str, Site]] = field(default_factory=list)
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    _inherited: dict[str, dict[str, Any]] = field(default_factory=dict)
    _excluded: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Path, entries: Iterable[Entry], read: Read, report: Report) -> Publishing:
        """Collect the rules, and note those that cannot be read. Raises ImportRejected.

        read: returns the front matter of a file, or None if it is unreadable.
        """
        publishing = cls()
        entries = list(entries)
        for ancestor in ancestors(root):
            publishing._take_ancestor(root.resolve(), ancestor, read)
        for folder in sorted({folder for entry in entries for folder in _folders(entry)}):
            publishing._take_site(root, folder)
        for entry in entries:
            publishing._take_entry(entry, read)
        publishing._note_programs(report)
        return publishing

    def _take_ancestor(self, root: Path, folder: Path, read: Read) -> None:
        """Add the site of a folder above, and what its section sets for the imported folder."""
        path = root.relative_to(folder).as_posix()
        try:
            site = read_site(folder)
        except ImportRejected as error:
            raise ImportRejected(str(folder), str(error)) from None
        if site != Site():
            self.above.append((f"{path}/", site))
        for location in sorted(folder.glob("_index.*")) + _data_files(folder):
            if location.is_file() and not location.is_symlink():
                self._take_entry(Entry(location, location.name, is_folder=False), read)

    def _take_site(self, root: Path, folder: str) -> None:
        """Add a site. Unreadable configuration excludes the folder; at the root, it is an error."""
        try:
            site = read_site(root / folder)
            self._inherit(folder, plain_members(config_files.members(root / folder / META)))
        except ImportRejected as error:
            if not folder:
                raise
            self._excluded[folder] = f"unreadable configuration, {folder}/{error}"
            return
        if site != Site():
            self.sites[folder] = site

    def _take_entry(self, entry: Entry, read: Read) -> None:
        """Add what a section page or a data file sets for the files of its folder."""
        stem = entry.location.name.partition(".")[0]
        if stem in ("_index", "index"):
            self._take_section(entry, stem, read(entry))
        elif entry.location.suffix == ".json" and stem == entry.location.parent.name:
            self._inherit(entry.parent, config_files.plain_json(entry.location))

    def _inherit(self, folder: str, members: dict[str, Any]) -> None:
        self._inherited.setdefault(folder, {}).update(members)

    def _note_programs(self, report: Report) -> None:
        """Note the configuration that is a program, and thus is not read."""
        sites = [("", site) for _, site in self.above]
        sites += [(f"{folder}/" if folder else "", site) for folder, site in self.sites.items()]
        names = [f"{folder}{name}" for folder, site in sites for name in site.programs]
        if names:
            more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
            report.note(
                "rules in programs were not read; exclude what they hold back with --exclude: "
                f"{', '.join(names[:MOST_NAMED])}{more}"
            )

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
        self._inherit(entry.parent, values)

    def reason(self, entry: Entry, front: FrontMatter) -> str | None:
        """Return why a file is not published, or None if it is."""
        return next((f"not published: {reason}" for reason in self._reasons(entry, front)), None)

    def path_reason(self, entry: Entry) -> str | None:
        """Return why a file is not published whatever its front matter says, or None."""
        reason = self._by_path(entry)
        return f"not published: {reason}" if reason else None

    def is_private(self, entry: Entry, front: FrontMatter) -> bool:
        """Return whether a file must not be shown, even as a part of a page that includes it.

        Files that only are not pages of their own are not private: `_note.md`, `snippets/note.md`.
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
        paths = [path for path, _ in self._sites(entry)]
        *folders, name = max([entry.path, *paths], key=len).split("/")
        shown = {"_posts"}.union(*(site.shown for _, site in self._sites(entry)))
        hidden = [part for part in folders if part.startswith("_") and part not in shown]
        if hidden or (name.startswith("_") and not name.startswith("_index.")):
            return "a name that begins with _"
        if "_posts" in folders and (post := DATED_POST.match(name)):
            front = FrontMatter({"date": post[1]})
            if is_scheduled(front, self.now):
                return "a publication date in the future"
        excluded = (site.reason(path) for path, site in self._sites(entry))
        return next((reason for reason in excluded if reason), None)

    def _sites(self, entry: Entry) -> Iterator[tuple[str, Site]]:
        """Yield the sites that contain an entry, with its path in each."""
        for path, site in self.above:
            yield f"{path}{entry.path}", site
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
        merged = FrontMatter(members | config_files.plain_json(data_file) | front.members)
        yield from (label for label, rule in RULES.items() if rule(merged, self.now))


def _data_files(folder: Path) -> list[Path]:
    """Return the files that may have Eleventy's data of a folder."""
    return [folder / f"{folder.name}{ending}" for ending in (".json", ".11tydata.json")]


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
