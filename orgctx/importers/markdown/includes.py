"""Insert the files that a page includes, if they are in the imported folder.

A file that is not published as a draft or as private is not inserted. What is not inserted leaves
the mark `[not included: NAME]` in the text, and the report counts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from posixpath import dirname, normpath
from typing import Protocol

from orgctx.importers.folder.walk import Entry
from orgctx.importers.markdown import mdbook, mdx, shortcodes, snippets
from orgctx.importers.markdown.blocks import split
from orgctx.importers.markdown.front_matter import BrokenFrontMatter, FrontMatter
from orgctx.importers.markdown.snippets import Select
from orgctx.importers.markdown.text_file import format_of, read, read_plain
from orgctx.importers.report import Report

MOST_DEPTH = 10
# Limits of one page.
MOST_FILES = 200
MAX_LENGTH = 1024 * 1024  # characters
# Limits of one import.
MAX_TOTAL_LENGTH = 256 * 1024 * 1024  # characters
MAX_SEARCHED_LENGTH = 4 * 1024 * 1024 * 1024  # characters of files from which lines are selected
MAX_FILE_BYTES = 1024 * 1024
# Files are looked up by the end of their path only if at most this many have the name.
MOST_EQUAL_NAMES = 100
FILES_IN_MEMORY = 16
# Other formats that may have front matter.
WEB_PAGES = (".html", ".htm", ".xhtml")

PRIVATE = "a private file"
TOO_MUCH = "over the limit of included files or text"


class NotIncluded(Exception):
    """A file that is not inserted; the message is the reason."""


class Publishing(Protocol):
    """Decides which files may be inserted."""

    def is_private(self, entry: Entry, front: FrontMatter) -> bool: ...


@dataclass(slots=True)
class _Page:
    """What may still be inserted into a page."""

    path: str
    front: FrontMatter
    files: int
    length: int  # characters


class Includes:
    """The files of one import that pages may include."""

    def __init__(
        self, root_name: str, entries: Iterable[Entry], publishing: Publishing, report: Report
    ) -> None:
        self._root_name = root_name
        self._entries = {entry.path: entry for entry in entries}
        self._publishing = publishing
        self._report = report
        self._length = MAX_TOTAL_LENGTH
        self._searched_length = MAX_SEARCHED_LENGTH
        self._by_name: dict[str, list[str]] = {}
        self._text = lru_cache(maxsize=FILES_IN_MEMORY)(self._read)

    def expand(self, entry: Entry, front: FrontMatter, text: str) -> str:
        """Return the text of a page with its includes and shortcodes replaced."""
        return self._expand(text, _Page(entry.path, front, MOST_FILES, MAX_LENGTH), (entry.path,))

    def _expand(self, text: str, page: _Page, stack: tuple[str, ...]) -> str:
        def include(name: str, select: Select | None = None, *, anywhere: bool = False) -> str:
            return self._include(name, select, page, stack, anywhere=anywhere)

        is_markdown = stack[-1] == page.path or format_of(self._entries[stack[-1]]) == "markdown"
        if is_markdown:
            text = mdx.replace(text, include, self._report)
        if "8<-" in text:
            text = snippets.replace(text, include)
        if "{{#" in text:
            text = mdbook.replace(text, include, self._report)
        if is_markdown and ("{{<" in text or "{{%" in text):
            text = shortcodes.replace(text, include, page.front, page.path, self._report)
        return text

    def _include(
        self,
        name: str,
        select: Select | None,
        page: _Page,
        stack: tuple[str, ...],
        *,
        anywhere: bool,
    ) -> str:
        """Return the text of a file, or the mark.

        anywhere: the name is relative to a folder that only the configuration knows.
        """
        try:
            path = self._find(name, stack[-1], anywhere=anywhere)
            if path in stack:
                raise NotIncluded("a file that includes itself")
            if len(stack) > MOST_DEPTH or not page.files or page.length <= 0 or self._length <= 0:
                raise NotIncluded(TOO_MUCH)
            page.files -= 1
            text = self._selected(path, select)
            page.length -= len(text)
            self._length -= len(text)
            if page.length < 0:
                raise NotIncluded(TOO_MUCH)
            text = self._expand(text, page, (*stack, path))
        except NotIncluded as error:
            self._report.skip(f"not included: {error}", f"{page.path}: {name}")
            # The name of a private file may be private too.
            return "[not included]" if str(error) == PRIVATE else f"[not included: {name}]"
        self._report.repair("includes replaced by the file")
        return text

    def _selected(self, path: str, select: Select | None) -> str:
        text = self._text(path)
        if select is None:
            return text
        self._searched_length -= len(text)
        if self._searched_length < 0:
            raise NotIncluded(TOO_MUCH)
        lines = select(text.split("\n"))
        if lines is None:
            raise NotIncluded("no such section or lines")
        return "\n".join(lines)

    def _find(self, name: str, page: str, *, anywhere: bool) -> str:
        if "://" in name:
            raise NotIncluded("an address")
        for path in self._candidates(name, page, anywhere=anywhere):
            if path in self._entries:
                return path
        paths = self._ending(name.lstrip("./")) if anywhere else []
        if len(paths) == 1:
            self._report.repair("includes found by the end of their path")
            return paths[0]
        raise NotIncluded("no such file in the folder")

    def _candidates(self, name: str, page: str, *, anywhere: bool) -> Iterator[str]:
        folder = dirname(page)
        yield normpath(f"{folder}/{name}").lstrip("/") if folder else normpath(name)
        if not anywhere:
            return
        plain_name = normpath(name).lstrip("/")
        yield plain_name
        yield plain_name.removeprefix(f"{self._root_name}/")
        while folder:
            yield normpath(f"{folder}/{plain_name}")
            folder = dirname(folder)

    def _ending(self, name: str) -> list[str]:
        """Return the files whose paths end with a name."""
        if not self._by_name:
            for path in self._entries:
                self._by_name.setdefault(path.rpartition("/")[2], []).append(path)
        paths = self._by_name.get(name.rpartition("/")[2], [])
        is_common = len(paths) > MOST_EQUAL_NAMES
        return [] if is_common else [path for path in paths if f"/{path}".endswith(f"/{name}")]

    def _read(self, path: str) -> str:
        """Return the text of a file without front matter. Raises NotIncluded."""
        entry = self._entries[path]
        try:
            if entry.status().st_size > MAX_FILE_BYTES:
                raise NotIncluded(TOO_MUCH)
            is_text = format_of(entry) is not None
            front, text = read(entry) if is_text else _read_other(entry)
        except (OSError, ValueError, BrokenFrontMatter):
            raise NotIncluded("an unreadable file") from None
        if self._publishing.is_private(entry, front):
            raise NotIncluded(PRIVATE)
        return text.replace("\r\n", "\n").removesuffix("\n")


def _read_other(entry: Entry) -> tuple[FrontMatter, str]:
    """Read a file that is no text format. Raises OSError, BrokenFrontMatter and ValueError."""
    text = read_plain(entry)
    has_front = entry.location.suffix.lower() in WEB_PAGES
    return split(text, is_markdown=False)[0] if has_front else FrontMatter({}), text
