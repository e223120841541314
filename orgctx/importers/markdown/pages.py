"""Choose the title and the dates of a page."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from orgctx.importers.folder.documents import LONGEST_TITLE
from orgctx.importers.folder.files import File
from orgctx.importers.folder.titles import first_heading, plain_title, title_of
from orgctx.importers.markdown.dates import date_in_path, guess, parse
from orgctx.importers.markdown.front_matter import (
    BrokenFrontMatter,
    FrontMatter,
    format_of,
    read,
    text_of,
)
from orgctx.importers.report import Report
from orgctx.importers.sandbox import TookTooLong, time_limit

# Names of the page of a folder. They may contain a language: `README.de.md`.
INDEX = re.compile(r"(?:_?index|readme)(?:[._-][a-z]{2}(?:[-_][a-z]{2,4})?)?", re.IGNORECASE)

# Names of folders that say less than that of the folder above: versions and languages.
NO_NAME = re.compile(r"(?:version-|v)?\d[\d.x]{0,20}|[a-z]{2}(?:[-_][a-z]{2,4})?", re.IGNORECASE)
# The folders in which Docusaurus keeps versions and translations of `docs`.
DOCUSAURUS = (
    (re.compile(r"(^|/)i18n/([\w-]+)/docusaurus-plugin-content-(docs|blog|pages)/"), r"\1\2/\3/"),
    (re.compile(r"(^|/)(docs/|[\w-]+/docs/)current/"), r"\1\2"),
    (re.compile(r"(^|/)versioned_docs/"), r"\1docs/"),
)
# Characters of texts to keep between finding their titles and converting them.
MAX_KEPT_LENGTH = 64 * 1024 * 1024
# How many names of a path tell equal titles apart.
MOST_NAMES = 2

# Normalized names of members, in the order of preference.
CREATED = (
    "created", "createdat", "createdon", "createddate", "creationdate", "datecreated",
    "date created", "dgcreated", "date", "datepublished", "published", "publishedat",
    "publisheddate", "publishdate", "pubdate",
)  # fmt: skip
UPDATED = (
    "updated", "updatedat", "updatedon", "updateddate", "dateupdated", "dgupdated", "lastmod",
    "lastmodified", "lastmodifiedat", "lastmodifieddate", "lastupdated", "lastupdatedat",
    "lastupdate", "modified", "modifiedat", "modifieddate", "datemodified", "date modified",
    "ms.date", "revdate",
)  # fmt: skip
# Values that name no date: Eleventy's words for the times of the file, and switches.
NO_DATES = (
    "", "true", "false", "yes", "no",
    "created", "last modified", "git created", "git last modified",
)  # fmt: skip


class Titles:
    """The titles of the pages of a folder.

    Files of one name in several folders or languages may have one title: then the part of their
    path that differs follows it, such as `Install (v2)`.
    """

    def __init__(self, label: str, files: Sequence[File], *, is_vault: bool = False) -> None:
        """Read the files of equal names.

        label: the label of the source, which becomes the title of the page of the root folder.
        is_vault: whether the name of a file is its title, unless it begins with a heading `#`.
        """
        self._label = label
        self._is_vault = is_vault
        self._labels: dict[str, str] = {}
        self._kept: dict[str, tuple[FrontMatter, str]] = {}
        remaining = MAX_KEPT_LENGTH
        named: defaultdict[str, list[File]] = defaultdict(list)
        for file in files:
            named[file.location.name.partition(".")[0].lower()].append(file)
        for same in named.values():
            titles: defaultdict[str, list[str]] = defaultdict(list)
            for file in same if len(same) > 1 else ():
                with suppress(OSError, ValueError, BrokenFrontMatter, TookTooLong), time_limit():
                    front, content = read(file)
                    titles[self._title(file, front, content)].append(file.path)
                    if (remaining := remaining - len(content)) > 0:
                        self._kept[file.path] = front, content
            for paths in titles.values():
                self._labels |= _differences(paths)

    def read(self, file: File) -> tuple[FrontMatter, str]:
        """Read a file, unless its text is kept since its title was found."""
        return self._kept.pop(file.path, None) or read(file)

    def title(self, entry: File, front: FrontMatter, content: str) -> str:
        """Return the title of a page, such as `Install (v2)`.

        It is that of the front matter, else the first heading, else the name of its file or folder.
        """
        title, label = self._title(entry, front, content), self._labels.get(entry.path, "")
        if not label or label.lower() in title.lower().split():
            return title
        return f"{title[: LONGEST_TITLE - len(label) - 3]} ({label})"

    def _title(self, entry: File, front: FrontMatter, content: str) -> str:
        title = plain_title(front.text("title") or "") or self._heading(entry, content)
        return self._name(entry) if title is None or INDEX.fullmatch(title) else title

    def _heading(self, entry: File, content: str) -> str | None:
        if format_of(entry) != "markdown":
            return title_of(content, entry.suffix)
        if self._is_vault and not content.lstrip().startswith("# "):
            return None
        return first_heading(content)

    def _name(self, entry: File) -> str:
        """Return the name of a file, or of its folder if it stands for the folder."""
        stem = entry.location.stem
        if not INDEX.fullmatch(stem):
            return stem.replace("___", "/")  # as Logseq names a page below another
        folders = [name for name in entry.parent.split("/") if name and not NO_NAME.fullmatch(name)]
        return folders[-1] if folders else self._label


def _differences(paths: Sequence[str]) -> dict[str, str]:
    """Return the last names of each path that not all paths have."""
    names = {path: _names(path) for path in paths}
    counts = Counter(name for each in names.values() for name in set(each))
    differing = {
        path: [name.removeprefix("version-") for name in each if counts[name] < len(paths)]
        for path, each in names.items()
    }
    return {path: ", ".join(each[-MOST_NAMES:]) for path, each in differing.items() if each}


def _names(path: str) -> list[str]:
    """Return the folders of a path, and the parts of the file's name but the first and last."""
    for pattern, replacement in DOCUSAURUS:
        path = pattern.sub(replacement, path)
    *folders, name = path.split("/")
    return folders + name.split(".")[1:-1]


def page_dates(file: File, front: FrontMatter, report: Report) -> tuple[datetime, datetime]:
    """Return when a page was created and updated, and report the dates that are unreadable.

    The front matter states them, then the history, then the path, then the file.
    """
    created = _first(_stated(front, CREATED, "created"), file, report)
    updated = _first(_stated(front, UPDATED, "updated"), file, report)
    first, last = file.committed or (None, None)
    created = created or date_in_path(file.path.rpartition(".")[0])
    updated = updated or last or created or file.written_at
    created = created or min(first or updated, updated)
    return created, max(created, updated)


def _stated(front: FrontMatter, names: tuple[str, ...], key: str) -> Iterator[tuple[str, Any]]:
    """Yield the members that state a date; `date` may hold `{created, updated}`."""
    dates = front.members.get("date")
    if isinstance(dates, dict) and key in dates:
        yield f"date.{key}", dates[key]
    for name in filter(front.members.__contains__, names):
        value = front.members[name]
        if isinstance(value, dict):
            value = value.get("date") if name != "date" else None
        is_word = isinstance(value, str) and (
            value.strip().lower() in NO_DATES or value.lstrip().startswith("`r ")  # a call in R
        )
        if value is not None and not isinstance(value, bool) and not is_word:
            yield name, value


def _first(stated: Iterator[tuple[str, Any]], file: File, report: Report) -> datetime | None:
    """Return the first readable date that is not in the future."""
    first = None
    for name, value in stated:
        found = parse(value)
        if found is None:
            place = f"{file.path}: {name}: {text_of(value) or 'no text'}"
            report.skip("unreadable date in the front matter", place)
        elif first is None and found <= datetime.now(UTC):
            first = found
            if name != "ms.date" and (guessed := guess(value)):
                report.repair(guessed)
    return first
