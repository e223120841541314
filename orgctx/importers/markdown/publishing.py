"""Decide which files a site generator would not publish, and why.

The rules of all generators apply together, because a folder rarely shows which one builds it. A
file that one of them excludes is excluded. Configuration above the folder applies to it too, and
configuration that is a program is not read.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from orgctx.importers.folder.files import File
from orgctx.importers.folder.ignore import ancestors
from orgctx.importers.markdown import sites
from orgctx.importers.markdown.front_matter import (
    FrontMatter,
    held_back,
    is_scheduled,
    plain_members,
    read_plain,
)
from orgctx.importers.markdown.sites import Site
from orgctx.importers.report import ImportRejected, Report

# What a plugin of MkDocs and Quarto read as front matter of all files of a folder.
META = (".meta.yml", "_metadata.yml")
MOST_NAMED = 5
DATED_POST = re.compile(r"(\d{4}-\d{2}-\d{2})-")

VERIFICATION = re.compile(
    r"(?:google[0-9a-f]{16}|yandex_[0-9a-f]{16}|pinterest-[0-9a-z]{5,}|baidu_verify_[\w-]+"
    r"|BingSiteAuth|(?:naver|wmail_|loaderio-)[0-9a-f]{32}|verifyforzoho)\.html"
)
# Where a layout shows a page.
LAYOUT = re.compile(r"\{\{-?[ \t]{0,20}content\b")

# Reasons that say only that a file is not a page of its own.
NO_PAGE = (
    "a name that begins with _", "not in SUMMARY.md", "not listed in", "headless", "render",
    "build", "permalink", "eleventyExcludeFromCollections", "routable", sites.TEMPLATE,
)  # fmt: skip
PARTS = re.compile(
    r"(?:^|/)_?(?:includes?|snippets?|partials?|shared|fragments?|reus(?:e|able)s?|templates?)/",
    re.IGNORECASE,
)
PRIVATE = re.compile(
    r"(?:^|/)(?:_?(?:drafts?|private|hidden|secrets?)|_internal)[/.]", re.IGNORECASE
)

Read = Callable[[File], FrontMatter | None]  # None if it is unreadable


@dataclass(slots=True)
class Publishing:
    """The rules for the files of one folder, which may be part of sites and contain others."""

    # The sites by folder, and those that contain the folder, by its path in them.
    sites: dict[str, Site] = field(default_factory=dict)
    above: list[tuple[str, Site]] = field(default_factory=list)
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    # By folder: what it sets for its files, and why they are excluded.
    _inherited: dict[str, dict[str, Any]] = field(default_factory=dict)
    _excluded: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Path, entries: Iterable[File], read: Read, report: Report) -> "Publishing":
        """Collect the rules, and note those that cannot be read. Raises ImportRejected."""
        publishing = cls()
        entries = list(entries)
        for ancestor in ancestors(root):
            publishing._take_ancestor(root.resolve(), ancestor, read)
        for folder in sorted({folder for entry in entries for folder in _folders(entry.parent)}):
            try:
                site = sites.read_site(root / folder)
                for name in META:
                    publishing._inherit(folder, sites.members(root / folder / name))
                if site:
                    publishing.sites[folder] = site
            except ImportRejected as error:
                publishing._exclude_unreadable(folder, error)
        for entry in entries:
            publishing._take_entry(entry, read)
        publishing._note_programs(report)
        return publishing

    def _take_ancestor(self, root: Path, folder: Path, read: Read) -> None:
        """Add the site of a folder above, and what its section sets for the imported folder."""
        try:
            site = sites.read_site(folder)
        except ImportRejected as error:
            raise ImportRejected(str(folder), str(error)) from None
        if site:
            self.above.append((f"{root.relative_to(folder).as_posix()}/", site))
        data = [folder / f"{folder.name}{ending}" for ending in (".json", ".11tydata.json")]
        for location in [*sorted(folder.glob("_index.*")), *data]:
            if location.is_file() and not location.is_symlink():
                self._take_entry(File(location.parent, location.name), read)

    def _take_entry(self, entry: File, read: Read) -> None:
        """Add what a section page or a data file sets for the files of its folder."""
        stem = entry.name.partition(".")[0]
        if stem in ("_index", "index"):
            self._take_section(entry, stem, read(entry))
        elif entry.name.endswith(".json") and stem == entry.location.parent.name:
            try:
                self._inherit(entry.parent, sites.plain_json(entry.location))
            except ImportRejected as error:
                self._exclude_unreadable(entry.parent, error)

    def _take_section(self, entry: File, stem: str, front: FrontMatter | None) -> None:
        """Add the values that the page of a section sets for all files in the section."""
        if front is None and stem == "_index":
            reason = f"{entry.path}, which applies to all files here, is unreadable"
            self._excluded[entry.parent] = reason
        if front is None:
            return
        cascades = front.members.get("cascade")
        for members in cascades if isinstance(cascades, list) else [cascades]:
            self._inherit(entry.parent, members)  # regardless of its `target`
        is_hugo = any(site.is_hugo for _, site in self._sites(entry))
        is_whole = stem == "_index" or is_hugo or front.flag("headless")
        if is_whole and (front.flag("draft") or front.flag("headless")):
            self._inherit(entry.parent, {"draft": True})

    def _inherit(self, folder: str, members: Any) -> None:
        if members and isinstance(members, dict):
            self._inherited.setdefault(folder, {}).update(plain_members(members))

    def _exclude_unreadable(self, folder: str, error: ImportRejected) -> None:
        """Exclude a folder with unreadable configuration. At the root, raise the error."""
        if not folder:
            raise error
        self._excluded[folder] = f"unreadable configuration, {folder}/{error}"

    def _note_programs(self, report: Report) -> None:
        folders = [("", site) for _, site in self.above] + list(self.sites.items())
        names = [
            f"{folder}/{name}".lstrip("/") for folder, site in folders for name in site.programs
        ]
        if names:
            more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
            report.note(
                "rules in programs were not read; exclude what they hold back with --exclude: "
                f"{', '.join(names[:MOST_NAMED])}{more}"
            )

    def reason(self, entry: File, front: FrontMatter | None) -> str | None:
        """Return why a file is not published, or None. front: None if it does not matter."""
        reasons = self._reasons(entry, front) if front else filter(None, [self._by_path(entry)])
        return next((f"not published: {reason}" for reason in reasons), None)

    def is_private(self, entry: File, front: FrontMatter) -> bool:
        """Return whether a file must not be shown, even as a part of a page that includes it.

        Files that only are not pages of their own are not private: `_note.md`, `snippets/note.md`.
        """
        no_page: tuple[str, ...] = () if PRIVATE.search(entry.path) else NO_PAGE
        no_page += ("excluded by",) if PARTS.search(entry.path) else ()
        is_stated = front.members.get("visibility") not in (None, "public")
        return is_stated or not all(
            reason.startswith(no_page) for reason in self._reasons(entry, front)
        )

    def _reasons(self, entry: File, front: FrontMatter) -> Iterator[str]:
        if reason := self._by_path(entry):
            yield reason
        yield from filter(None, map(self._excluded.get, _folders(entry.parent)))
        members = self.members(entry)
        try:
            members |= sites.plain_json(entry.location.with_suffix(".11tydata.json"))
        except ImportRejected as error:
            yield f"unreadable configuration, {error}"
        yield from held_back(FrontMatter(members | front.members), self.now)

    def members(self, entry: File) -> dict[str, Any]:
        """Return what sites and folders set for a file, unless its front matter says otherwise."""
        members: dict[str, Any] = {}
        for path, site in self._sites(entry):
            members |= site.members(path)
        for folder in _folders(entry.parent):
            members |= self._inherited.get(folder, {})
        return members

    def _by_path(self, entry: File) -> str | None:
        containing = list(self._sites(entry))
        *folders, name = max([entry.path, *(path for path, _ in containing)], key=len).split("/")
        shown = {"_posts"}.union(*(site.shown for _, site in containing))
        hidden = [part for part in folders if part.startswith("_") and part not in shown]
        if hidden or (name.startswith("_") and not name.startswith("_index.")):
            return "a name that begins with _"
        post = DATED_POST.match(name) if "_posts" in folders else None
        if post and is_scheduled(FrontMatter({"date": post[1]}), self.now):
            return "a publication date in the future"
        if VERIFICATION.fullmatch(name):
            return "a file that proves who owns a site"
        with suppress(OSError, ValueError):
            if (
                "layouts" in folders
                and entry.suffix == ".html"
                and LAYOUT.search(read_plain(entry))
            ):
                return sites.TEMPLATE
        return next((reason for path, site in containing if (reason := site.reason(path))), None)

    def _sites(self, entry: File) -> Iterator[tuple[str, Site]]:
        """Yield the sites that contain an entry, with its path in each."""
        for path, site in self.above:
            yield f"{path}{entry.path}", site
        for folder in _folders(entry.parent):
            if folder in self.sites:
                yield entry.path.removeprefix(folder).lstrip("/"), self.sites[folder]


@lru_cache(maxsize=128)
def _folders(parent: str) -> tuple[str, ...]:
    """Return a folder and those that contain it, from the root down."""
    parts = parent.split("/") if parent else []
    return "", *("/".join(parts[: i + 1]) for i in range(len(parts)))
