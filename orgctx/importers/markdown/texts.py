"""Convert Markdown and other texts of a folder.

The id of a document is derived from its path, so that edits keep it. Texts stay as they are, except
that Markdown loses its front matter, and that includes are replaced.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import reduce
from pathlib import Path, PurePosixPath
from typing import Any

from orgctx.importers.folder.conversion import ConversionError, Converted
from orgctx.importers.folder.documents import LONGEST_TITLE, DocumentSet
from orgctx.importers.folder.files import File
from orgctx.importers.folder.ignore import ancestors
from orgctx.importers.folder.titles import first_heading, plain_title, title_of
from orgctx.importers.markdown import front_matter
from orgctx.importers.markdown.comments import LINK, is_code, without_comments
from orgctx.importers.markdown.dates import date_in_path, parse
from orgctx.importers.markdown.front_matter import (
    BrokenFrontMatter,
    FrontMatter,
    format_of,
    read,
    read_front_matter,
    read_plain,
    split,
    text_of,
)
from orgctx.importers.markdown.includes import Includes
from orgctx.importers.markdown.publishing import PARTS, Publishing
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
    "revdate",
)  # fmt: skip
# Values that name no date: Eleventy's words for the times of the file, and switches.
NO_DATES = (
    "", "true", "false", "yes", "no",
    "created", "last modified", "git created", "git last modified",
)  # fmt: skip
# Front matter to append to the text, so that a search finds it.
SEARCHABLE = ("description", "summary", "aliases", "tags", "keywords", "categories")


class Texts:
    """What the texts of one folder share: rules, history, includes and titles."""

    def __init__(
        self, folder: Path, files: Sequence[File], report: Report, include_drafts: bool
    ) -> None:
        """Read them; `begin` completes them. files: those of other formats may be configuration."""
        self.report, self.includes_drafts = report, include_drafts
        texts = (file for file in files if format_of(file))
        # Parts come last: those that a page contains are not pages.
        self.files = sorted(texts, key=lambda file: PARTS.search(file.path) is not None)
        self.publishing = Publishing.of(folder, files, read_front_matter, report)
        around = (folder, *ancestors(folder))
        self.is_vault = any((place / ".obsidian").is_dir() for place in around)
        parents = {PurePosixPath(file.parent) for file in files}
        folders = {name for parent in parents for name in (parent, *parent.parents)}
        has_vault = self.is_vault or any((folder / name / ".obsidian").is_dir() for name in folders)
        self.includes = Includes(
            folder.resolve().name, files, self.publishing, report, is_vault=has_vault
        )

    def begin(self, documents: DocumentSet) -> None:
        """Prepare to convert. documents: those of the source."""
        self.titles = Titles(documents.label, self.files, self.is_vault)


def convert(file: File, texts: Texts) -> Converted | None:
    """Convert a text, or report why it is not published. Raises OSError or ValueError."""
    reason = texts.publishing.reason(file, None)  # also if its front matter is broken
    if not reason or texts.includes_drafts:
        front, content = texts.titles.read(file)
        reason = texts.publishing.reason(file, front)
        if file.path in texts.includes.parts:
            reason = reason or "not published: a part of other pages"
    if reason and not texts.includes_drafts:
        texts.report.skip(reason, file.path)
        return None
    content_format = format_of(file) or ""
    is_markdown = content_format == "markdown"
    content, skipped = texts.includes.expand(file, front, content)
    if is_markdown and texts.is_vault:
        content = LINK.sub(_words, f"\n{content}")[1:]
    created, updated = page_dates(file, front, texts.report)
    return Converted(
        title=texts.titles.title(file, front, content),
        content=content + _searchable(front, content) if is_markdown else content,
        content_format=content_format,
        created=created,
        updated=updated,
        visibility=front_matter.visibility_of(front),
        is_archived=front.flag("archived") is True,
        skipped=skipped,
        is_draft=reason is not None,
    )


def _words(link: re.Match[str]) -> str:
    """Return the words of a link of Obsidian: `words`, or `Page > Part` of `[[Page#Part]]`."""
    if is_code(link):
        return link[0]
    # Without a page, it precedes an embedded one.
    parts = (link["page"] or "").replace("#^", "#").split("#")
    return link["words"] or " > ".join(filter(None, parts))


def convert_notion(file: File, _: None) -> Converted:
    """Convert a page of a Notion export. Raises one of DAMAGED, and ConversionError.

    Front matter is rejected, because only imports of folders follow its rules.
    """
    text = read_plain(file)
    front, content = split(text)
    if front.members or content != text:
        raise ConversionError("has front matter; unpack the archive and import the folder")
    document = Converted()
    document.content = without_comments(text, ".md", document.skipped)
    return document


def _searchable(front: FrontMatter, content: str) -> str:
    """Format the searchable front matter as a list to append to the text."""
    stated = {name: front_matter.texts_of(front.get(name)) for name in SEARCHABLE}
    new = ((name, [word for word in stated[name] if word not in content]) for name in stated)
    lines = [f"- {name.capitalize()}: {', '.join(words)}\n" for name, words in new if words]
    before = "\n" if content.endswith("\n") else "\n\n"
    return f"{before}---\n\n{''.join(lines)}" if lines else ""


class Titles:
    """The titles of the pages of a folder.

    Files of one name in several folders or languages may have one title: then the part of their
    path that differs follows it, such as `Install (v2)`.
    """

    def __init__(self, label: str, files: Sequence[File], is_vault: bool) -> None:
        """Read the files of equal names.

        label: the label of the source, which becomes the title of the page of the root folder.
        is_vault: whether the name of a file is its title, unless it begins with a heading `#`.
        """
        self._label, self._is_vault = label, is_vault
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
        """Return the title of the front matter, else the first heading, else a name."""
        title, label = self._title(entry, front, content), self._labels.get(entry.path, "")
        if not label or label.lower() in title.lower().split():
            return title
        return f"{title[: LONGEST_TITLE - len(label) - 3]} ({label})"

    def _title(self, entry: File, front: FrontMatter, content: str) -> str:
        title = plain_title(front.text("title") or "") or None
        if not title and format_of(entry) != "markdown":
            title = title_of(content, entry.suffix)
        elif not title and (not self._is_vault or content.lstrip().startswith("# ")):
            title = first_heading(content)
        if title is not None and not INDEX.fullmatch(title):
            return title
        # The name of a file, or of its folder if it stands for the folder.
        stem = entry.location.stem
        if not INDEX.fullmatch(stem):
            return stem.replace("___", "/")  # as Logseq names a page below another
        folders = [name for name in entry.parent.split("/") if name and not NO_NAME.fullmatch(name)]
        return folders[-1] if folders else self._label


def _differences(paths: Sequence[str]) -> dict[str, str]:
    """Return the last names of each path that not all paths have.

    Names are the folders, and the parts of the file's name but the first and last.
    """
    names: dict[str, list[str]] = {}
    for path in paths:
        plain = reduce(lambda path, row: row[0].sub(row[1], path), DOCUSAURUS, path)
        *folders, name = plain.split("/")
        names[path] = folders + name.split(".")[1:-1]
    counts = Counter(name for each in names.values() for name in set(each))
    differing = {
        path: [name.removeprefix("version-") for name in each if counts[name] < len(paths)]
        for path, each in names.items()
    }
    return {path: ", ".join(each[-MOST_NAMES:]) for path, each in differing.items() if each}


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
    return first
