"""Makes pages of the repository's own documents, and lets links between all of them lead on."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
# By their paths in the repository.
PAGES = {
    "README.md": "overview.md",
    "SECURITY.md": "security.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
SOURCES = {uri: source for source, uri in PAGES.items()}
# Files of the repository whose content another hook puts on a page.
SHOWN = {".env.example": "reference/settings.md"}
LINK = re.compile(r'(\]\(|\b(?:src|srcset)=")([\w./-]+)')
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """A folder of the navigation becomes the list of its pages."""
    config.nav = [_expanded(item) for item in config.nav or []]
    return config


def _expanded(item: dict[str, str | list[object]]) -> dict[str, object]:
    [(title, found)] = item.items()
    if isinstance(found, list):
        return {title: [_expanded(one) for one in found]}
    if not found.endswith("/"):
        return {title: found}
    pages = sorted(path.name for path in (ROOT / "docs" / found).glob("*.md"))
    # README.md sorts before what is written small: it is the section's own page.
    return {title: [found + name for name in pages]}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for source, uri in PAGES.items():
        files.append(File.generated(config, uri, content=(ROOT / source).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    uri = page.file.src_uri
    here = dirname(SOURCES.get(uri, f"docs/{uri}"))

    def led_on(link: re.Match[str]) -> str:
        return link[1] + relpath(_uri(normpath(join(here, link[2]))), dirname(uri) or ".")

    parts = FENCED.split(markdown)
    return "".join(part if n % 2 else LINK.sub(led_on, part) for n, part in enumerate(parts))


def _uri(path: str) -> str:
    """Where a path of the repository is on the site. One that is not there stays a broken link."""
    if page := (PAGES | SHOWN).get(path):
        return page
    inside = path.removeprefix("docs/")
    return f"{inside}/README.md" if (ROOT / path).is_dir() else inside
