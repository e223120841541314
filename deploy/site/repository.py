"""Add documents of the repository's root to the site, and rewrite links between all pages."""

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
# Page by path in the repository.
PAGES = {
    "README.md": "overview.md",
    "SECURITY.md": "security.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
SOURCES = {uri: source for source, uri in PAGES.items()}
# How much a page counts in the search, which is for users, by how its path begins.
BOOSTS = {
    "getting-started": 6, "tasks/owner": 4, "errors": 4, "operations/install": 4, "importing": 3,
    "tasks/": 2, "contract": 0.3, "reference/": 0.3,
    "overview": 0, "decisions/": 0, "contributing": 0, "changelog": 0, "architecture": 0,
    "page/": 0,
}  # fmt: skip
# Files of the repository whose content another hook puts on a page.
SHOWN = {".env.example": "reference/settings.md"}
LINK = re.compile(r'(\]\(|\b(?:src|srcset)=")([\w./-]+)')
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Replace a folder in the navigation with the list of its pages."""
    config.nav = [_expand(item) for item in config.nav or []]
    return config


def _expand(item: dict[str, str | list[object]]) -> dict[str, object]:
    [(title, target)] = item.items()
    if isinstance(target, list):
        return {title: [_expand(child) for child in target]}
    if not target.endswith("/"):
        return {title: target}
    pages = sorted(path.name for path in (ROOT / "docs" / target).glob("*.md"))
    # README.md sorts before lower-case names, and becomes the index of the section.
    return {title: [target + name for name in pages]}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for source, uri in PAGES.items():
        files.append(File.generated(config, uri, content=(ROOT / source).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    uri = page.file.src_uri
    boost = next((BOOSTS[start] for start in BOOSTS if uri.startswith(start)), 1)
    page.meta["search"] = {"boost": boost, "exclude": not boost}
    here = dirname(SOURCES.get(uri, f"docs/{uri}"))

    def rewrite(link: re.Match[str]) -> str:
        return link[1] + relpath(_uri(normpath(join(here, link[2]))), dirname(uri) or ".")

    parts = FENCED.split(markdown)
    return "".join(
        part if index % 2 else LINK.sub(rewrite, part) for index, part in enumerate(parts)
    )


def _uri(path: str) -> str:
    """Return the page for a path of the repository. A missing path remains a broken link."""
    if page := (PAGES | SHOWN).get(path):
        return page
    uri = path.removeprefix("docs/")
    return f"{uri}/README.md" if (ROOT / path).is_dir() else uri
