"""Refuse the sources of sites: their configuration decides what readers see, and it is not read."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from orgctx.importers.folder.files import File, opened
from orgctx.importers.folder.ignore import repository_folders
from orgctx.importers.formats import FORMATS
from orgctx.importers.report import ImportRejected

FIRST_BYTES = 64 * 1024


class Generator(NamedTuple):
    """A program that builds sites, or publishes notes.

    configuration: matches the path of its file in the folder of the site.
    contains: what the file has, if other programs use its name, too.
    command: what builds the site. result: the folder with its pages.
    """

    program: str
    configuration: re.Pattern[str]
    command: str
    result: str
    contains: re.Pattern[bytes] | None = None


def _row(program: str, name: str, command: str, result: str, contains: str = "") -> Generator:
    pattern = re.compile(contains.encode(), re.MULTILINE) if contains else None
    return Generator(program, re.compile(name), command, result, pattern)


SCRIPT = r"\.[cm]?[jt]s"
GENERATORS = (
    _row("MkDocs", r"mkdocs\.ya?ml", "mkdocs build", "site"),
    _row("Zensical", r"zensical\.toml", "zensical build", "site"),
    _row("Hugo", r"hugo\.(?:toml|ya?ml|json)|config/_default/.+", "hugo", "public"),
    _row("Hugo", r"config\.(?:ya?ml|json)", "hugo", "public", r"^[ \t\"]*(?:baseURL|theme)\b"),
    _row("Zola", r"config\.toml", "zola build", "public", r"^base_url\b"),
    _row("Hugo", r"config\.toml", "hugo", "public", r"^[ \t]*(?i:baseurl|languagecode|theme)\b"),
    _row("Jupyter Book", r"_toc\.yml", "jupyter-book build .", "_build/html"),
    _row("Hexo", r"_config\.yml", "hexo generate", "public", r"^(?:source_dir|public_dir)\s*:"),
    _row("Jekyll", r"_config\.(?:ya?ml|toml)", "bundle exec jekyll build", "_site"),
    _row("Eleventy", rf"(?:\.eleventy|eleventy\.config){SCRIPT}", "npx @11ty/eleventy", "_site"),
    _row("Docusaurus", rf"docusaurus\.config{SCRIPT}", "npm run build", "build"),
    _row("VitePress", rf"\.vitepress/config{SCRIPT}", "npx vitepress build", ".vitepress/dist"),
    _row("VuePress", rf"\.vuepress/config{SCRIPT}", "npx vuepress build", ".vuepress/dist"),
    _row("Astro", rf"astro\.config{SCRIPT}", "npm run build", "dist"),
    _row("Nikola", r"conf\.py", "nikola build", "output", r"^BLOG_TITLE\b"),
    _row(
        "Sphinx", r"conf\.py", "sphinx-build -b html . _build/html", "_build/html",
        r"^(?:extensions|html_theme|master_doc|root_doc|project)\s*=",
    ),
    _row("Pelican", r"pelicanconf\.py", "pelican content", "output"),
    _row("MyST", r"myst\.yml", "myst build --html", "_build/html"),
    _row("Antora", r"antora(?:-playbook)?\.ya?ml", "npx antora antora-playbook.yml", "build/site"),
    _row("mdBook", r"book\.toml", "mdbook build", "book"),
    _row("GitBook", r"\.gitbook\.ya?ml|book\.json", "honkit build", "_book"),
    _row("bookdown", r"_bookdown\.ya?ml", "Rscript -e 'bookdown::render_book()'", "_book"),
    _row("Quarto", r"_quarto\.ya?ml", "quarto render", "_site"),
    _row("Dendron", r"dendron\.ya?ml", "dendron publish export", ".next/out"),
    _row("Logseq", r"logseq/config\.edn", "Export graph, as public HTML pages", "the export"),
    _row(
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
    folders = {parent for file in files if file.suffix in TEXTS for parent in _parents(file)}
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


def _parents(file: File) -> Iterator[str]:
    folder = file.raw_path
    while folder:
        folder = folder.rpartition("/")[0]
        yield folder


def _found(folder: Path) -> Iterator[tuple[Generator, str]]:
    inner = [f"{each}/{name}" for each in INNER for name in _names(folder / each)]
    names = sorted([*_names(folder), *inner])
    for generator in GENERATORS:
        for name in names:
            if generator.configuration.fullmatch(name) and _has(folder, name, generator.contains):
                yield generator, name


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []


def _has(folder: Path, name: str, contains: re.Pattern[bytes] | None) -> bool:
    if contains is None:
        return True
    with suppress(OSError), opened(folder, name) as file:
        return contains.search(file.read(FIRST_BYTES)) is not None
    return False
