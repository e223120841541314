"""mdBook: only the pages that SUMMARY.md links are part of the book."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import normpath
from urllib.parse import unquote

from orgctx.importers.markdown.sites import config_files
from orgctx.importers.markdown.sites.site import Site, below, folder_path

FILES = ("book.toml",)
SUMMARY = "SUMMARY.md"
LINK = re.compile(r"\]\([ \t]*<?([^)>\n]+)")


def take(site: Site, root: Path, name: str) -> None:
    """Add the rule of a book. Raises ImportRejected."""
    book = config_files.members(root / name).get("book")
    folder = folder_path(book.get("src") if isinstance(book, dict) else None, "src")
    summary = config_files.text(root / folder / SUMMARY)
    if summary:
        pages = _pages(summary)
        site.exclude(f"not in {SUMMARY}", below(folder, lambda path: path not in pages))


def _pages(summary: str) -> set[str]:
    """Return the paths of the linked pages."""
    first, *commented = summary.split("<!--")
    shown = first + "".join(part.partition("-->")[2] for part in commented)
    targets = (link[1].partition("#")[0].strip() for link in LINK.finditer(shown))
    return {normpath(unquote(target)) for target in targets if target}
