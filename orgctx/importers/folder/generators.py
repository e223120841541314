"""Refuse the sources of sites: their configuration decides what readers see, and it is not read."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from orgctx.importers.folder.files import File, opened
from orgctx.importers.folder.ignore import repository_folders
from orgctx.importers.formats import FORMATS
from orgctx.importers.report import ImportRejected

FIRST_BYTES = 64 * 1024


class Generator(NamedTuple):
    """A program that builds sites, or publishes notes.

    configuration: pattern of the path of its file in the folder of the site.
    command: what builds the site. result: the folder with its pages.
    contains: pattern of what the file has, if other programs use its name, too.
    """

    program: str
    configuration: str
    command: str
    result: str
    contains: str = ""


SCRIPT = r"\.[cm]?[jt]s"
GENERATORS = (
    Generator("MkDocs", r"mkdocs\.ya?ml", "mkdocs build", "site"),
    Generator("Zensical", r"zensical\.toml", "zensical build", "site"),
    Generator("Hugo", r"hugo\.(?:toml|ya?ml|json)|config/_default/.+", "hugo", "public"),
    Generator("Hugo", r"config\.(?:ya?ml|json)", "hugo", "public", r"^[ \t\"]*(?:baseURL|theme)\b"),
    Generator("Zola", r"config\.toml", "zola build", "public", r"^base_url\b"),
    Generator(
        "Hugo", r"config\.toml", "hugo", "public", r"^[ \t]*(?i:baseurl|languagecode|theme)\b",
    ),
    Generator("Jupyter Book", r"_toc\.yml", "jupyter-book build .", "_build/html"),
    Generator(
        "Hexo", r"_config\.yml", "hexo generate", "public", r"^(?:source_dir|public_dir)\s*:",
    ),
    Generator("Jekyll", r"_config\.(?:ya?ml|toml)", "bundle exec jekyll build", "_site"),
    Generator(
        "Eleventy", rf"(?:\.eleventy|eleventy\.config){SCRIPT}", "npx @11ty/eleventy", "_site",
    ),
    Generator("Docusaurus", rf"docusaurus\.config{SCRIPT}", "npm run build", "build"),
    Generator(
        "VitePress", rf"\.vitepress/config{SCRIPT}", "npx vitepress build", ".vitepress/dist",
    ),
    Generator("VuePress", rf"\.vuepress/config{SCRIPT}", "npx vuepress build", ".vuepress/dist"),
    Generator("Astro", rf"astro\.config{SCRIPT}", "npm run build", "dist"),
    Generator("Nikola", r"conf\.py", "nikola build", "output", r"^BLOG_TITLE\b"),
    Generator(
        "Sphinx", r"conf\.py", "sphinx-build -b html . _build/html", "_build/html",
        r"^(?:extensions|html_theme|master_doc|root_doc|project)\s*=",
    ),
    Generator("Pelican", r"pelicanconf\.py", "pelican content", "output"),
    Generator("MyST", r"myst\.yml", "myst build --html", "_build/html"),
    Generator(
        "Antora", r"antora(?:-playbook)?\.ya?ml", "npx antora antora-playbook.yml", "build/site",
    ),
    Generator("mdBook", r"book\.toml", "mdbook build", "book"),
    Generator("GitBook", r"\.gitbook\.ya?ml|book\.json", "honkit build", "_book"),
    Generator("bookdown", r"_bookdown\.ya?ml", "Rscript -e 'bookdown::render_book()'", "_book"),
    Generator("Quarto", r"_quarto\.ya?ml", "quarto render", "_site"),
    Generator("Dendron", r"dendron\.ya?ml", "dendron publish export", ".next/out"),
    Generator("Logseq", r"logseq/config\.edn", "Export graph, as public HTML pages", "the export"),
    Generator(
        "Obsidian Publish", r"\.obsidian/publish\.json", "the pages that Obsidian Publish shows",
        "their folder",
    ),
)  # fmt: skip
# Folders of such files.
INNER = (".vitepress", ".vuepress", "logseq", ".obsidian", "config/_default")
# The texts that these programs build sites of.
TEXTS = tuple(suffix for format_ in FORMATS[:5] for suffix in format_.suffixes)


def check(root: Path, files: Iterable[File]) -> None:
    """Raise ImportRejected if a text is the source of a site, by a configuration beside or above.

    Configuration counts in the folder, and above it up to the root of its repository.
    """
    texts = (PurePosixPath(file.raw_path) for file in files if file.suffix in TEXTS)
    folders = {folder for text in texts for folder in text.parents}
    above = repository_folders(root)[1:] if folders else []
    places = [*(root / folder for folder in sorted(folders)), *above]
    for place in places:
        for generator, name in _found(place):
            raise ImportRejected(
                str(root),
                f"is the source of a site: {generator.program} builds it, as {place / name} says. "
                f"Build it ({generator.command}) and import the result ({generator.result}), or "
                "pass --source-files to import the files as they are",
            )


def _found(folder: Path) -> Iterator[tuple[Generator, str]]:
    inner = [f"{each}/{name}" for each in INNER for name in _names(folder / each)]
    names = sorted([*_names(folder), *inner])
    for generator in GENERATORS:
        for name in names:
            if re.fullmatch(generator.configuration, name) and (
                not generator.contains or has(folder, name, generator.contains)
            ):
                yield generator, name


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []


def has(folder: Path, name: str, pattern: str) -> bool:
    """Return whether the first bytes of a file match."""
    with suppress(OSError), opened(folder, name) as file:
        return re.search(pattern.encode(), file.read(FIRST_BYTES), re.MULTILINE) is not None
    return False
