"""Choose the title of a page: front matter, then the first heading, then its name or folder."""

from __future__ import annotations

import re
from collections.abc import Collection

from orgctx.importers.folder.document_set import LONGEST_TITLE
from orgctx.importers.folder.headings import first_heading, title_of
from orgctx.importers.folder.titles import plain_title
from orgctx.importers.folder.versions import labels
from orgctx.importers.folder.walk import Entry
from orgctx.importers.markdown.front_matter import FrontMatter
from orgctx.importers.markdown.text_file import format_of

# Names of the page of a folder. They may contain a language: `README.de.md`.
INDEX = re.compile(r"(?:_?index|readme)(?:[._-][a-z]{2}(?:[-_][a-z]{2,4})?)?", re.IGNORECASE)


class Titles:
    """The titles of the pages of a folder. Versions and languages of a page are told apart."""

    def __init__(self, label: str, paths: Collection[str], *, is_vault: bool = False) -> None:
        """Collect the versions and languages of pages.

        label: the label of the source, which becomes the title of the page of the root folder.
        is_vault: whether the name of a file is its title, unless it begins with a heading `#`.
        """
        self._label = label
        self._is_vault = is_vault
        self._labels = labels(paths)

    def title(self, entry: Entry, front: FrontMatter, content: str) -> str:
        """Return the title of a page, such as `Install (v2)`."""
        label = self._labels.get(entry.path, "")
        title = plain_title(front.text("title") or "") or self._heading(entry, content)
        if title is None or INDEX.fullmatch(title):
            title = self._name(entry, label.split(", "))
        if not label or label.lower() in title.lower().split():
            return title
        return f"{title[: LONGEST_TITLE - len(label) - 3]} ({label})"

    def _heading(self, entry: Entry, content: str) -> str | None:
        if format_of(entry) != "markdown":
            return title_of(content, entry.location.suffix.lower())
        if self._is_vault and not content.lstrip().startswith("# "):
            return None
        return first_heading(content)

    def _name(self, entry: Entry, marks: list[str]) -> str:
        """Return the name of a file, or of its folder if it stands for the folder."""
        stem = entry.location.stem
        if not INDEX.fullmatch(stem):
            return stem
        folders = [name for name in entry.parent.split("/") if name and name not in marks]
        return folders[-1] if folders else self._label
