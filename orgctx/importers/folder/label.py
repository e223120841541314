"""Name a folder: by the title of its site, else the heading of its README, else its path."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from orgctx.importers.folder import beneath
from orgctx.importers.folder.headings import first_heading
from orgctx.schemas.fields import MAX_NAME

# The member that names the site, by the file of its configuration.
NAMES = {
    "mkdocs.yml": "site_name",
    "mkdocs.yaml": "site_name",
    "zensical.toml": "site_name",
    "book.toml": "title",
    "antora.yml": "title",
    "_config.yml": "title",
    "hugo.toml": "title",
    "hugo.yaml": "title",
    "config.toml": "title",
}
# A text in YAML or TOML. Only the line is read: the rest may name functions of Python.
MEMBER = r"""^{name}[ \t]*+[:=][ \t]*+(?:"([^"\n]*)"|'([^'\n]*)'|([^"'#>|{{\n][^#\n]*))"""
README = re.compile(r"readme\.(?:md|markdown|mdx)", re.IGNORECASE)
# Folders whose name says less than that of the project that contains them.
GENERIC = {"docs", "doc", "content", "src", "documentation", "site", "website", "pages", "book"}
FIRST_BYTES = 64 * 1024
# Front matter or a header of members. It may say that the page is a draft.
MEMBERS = re.compile(r"\s*+(?:---|\+\+\+|;;;|\{|[A-Za-z][\w-]{0,60}:)")
# An image or badge, which is removed; a link, whose text stays.
IMAGE = re.compile(r"\[?!\[[^\]]{0,300}\]\([^)]{0,2000}\)(?:\]\([^)]{0,2000}\))?")
LINK = re.compile(r"\[([^\]]{0,300})\]\([^)]{0,2000}\)")
TAG = re.compile(r"<[^<>]{0,2000}>")


def label_of(folder: Path, paths: Collection[str]) -> str:
    """Return the default label of a folder's source.

    Looks into the folder above too if the folder has a generic name such as `docs`.

    Args:
        paths: the files that are not excluded. An excluded README names nothing.
    """
    folder = folder.resolve()
    folders = [folder]
    if folder.name.lower() in GENERIC and folder.parent != folder:
        folders.append(folder.parent)

    def headings(place: Path) -> Iterator[str]:
        return _heading(place, paths if place == folder else None)

    labels = (name for place in folders for name in (*_site_names(place), *headings(place)))
    fallback = folders[-1].name or "/"
    return next(filter(None, map(_plain, labels)), fallback)[:MAX_NAME]


def _site_names(folder: Path) -> Iterator[str]:
    for name, member in NAMES.items():
        text = _text(folder / name)
        if match := re.search(MEMBER.format(name=member), text, re.MULTILINE):
            yield match[1] or match[2] or match[3] or ""


def _text(path: Path) -> str:
    """Return the beginning of a file; empty if there is none."""
    try:
        if path.is_symlink() or not path.is_file():
            return ""
        with beneath.opened(path.parent, path.name) as file:
            content = file.read(FIRST_BYTES)
        return content.decode(errors="replace").replace("\r\n", "\n")
    except OSError:
        return ""


def _heading(folder: Path, included: Collection[str] | None) -> Iterator[str]:
    """Yield the heading of the README, unless it has front matter or is not included."""
    try:
        paths = [
            path
            for path in folder.iterdir()
            if README.fullmatch(path.name) and (included is None or path.name in included)
        ]
    except OSError:
        return
    for path in sorted(paths):
        text = _text(path).lstrip("\N{ZERO WIDTH NO-BREAK SPACE}")
        yield "" if MEMBERS.match(text) else first_heading(text) or ""


def _plain(text: str) -> str:
    """Return a heading without badges, links and tags, on one printable line."""
    text = TAG.sub("", LINK.sub(r"\1", IMAGE.sub("", text)))
    text = " ".join(text.replace("`", "").replace("**", "").split())
    return "".join(c for c in text if c.isprintable())
