"""Read the rules of the site in a folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from orgctx.importers.markdown.sites import (
    config_files,
    dendron,
    hugo,
    jekyll,
    logseq,
    mdbook,
    mkdocs,
)
from orgctx.importers.markdown.sites.site import TEMPLATE, Site, texts, within
from orgctx.importers.report import ImportRejected
from orgctx.importers.time_limit import TookTooLong, time_limit

GENERATORS = (mkdocs, jekyll, hugo, mdbook, logseq, dendron)
TAKERS = {name: generator.take for generator in GENERATORS for name in generator.FILES}
ELEVENTY = ".eleventyignore"
OBSIDIAN = ".obsidian/publish.json"
OBSIDIAN_TEMPLATES = ".obsidian/templates.json"
# Configuration of Docusaurus, Eleventy, Astro, Quartz, Nuxt, Gatsby, Sphinx and Pelican.
PROGRAM = re.compile(
    r"(?:(?:docusaurus|eleventy|astro|quartz|nuxt)\.config|gatsby-(?:config|node))\.[cm]?[jt]s"
    r"|\.eleventy\.c?js|[^/]+\.11tydata\.[cm]?js|(?:conf|pelicanconf)\.py"
)
# Folders with the configuration of VitePress and VuePress.
PROGRAM_FOLDERS = (".vitepress", ".vuepress")


def read_site(root: Path) -> Site:
    """Return the rules of the site in a folder, without any if no generator is known.

    Raises ImportRejected if a configuration cannot be read, because what it excludes is unknown.
    """
    try:
        with time_limit():
            return _site(root)
    except TookTooLong as error:
        raise ImportRejected("the configuration of the site", str(error)) from None


def _site(root: Path) -> Site:
    names = _names(root)
    configurations = sorted(names & TAKERS.keys())
    site = Site(is_configured=any((root / name).is_file() for name in configurations))
    for name in configurations:
        TAKERS[name](site, root, name)
    if ELEVENTY in names:
        site.exclude_patterns(ELEVENTY, "", config_files.text(root / ELEVENTY))
    if ".obsidian" in names:
        for path in texts(config_files.members(root / OBSIDIAN).get("excluded")):
            site.exclude(f"excluded by {OBSIDIAN}", within(path))
        folder = config_files.plain_json(root / OBSIDIAN_TEMPLATES).get("folder")
        if isinstance(folder, str) and folder.strip("/"):
            site.exclude(TEMPLATE, within(folder))
    site.programs += sorted(name for name in names if PROGRAM.fullmatch(name))
    for folder in PROGRAM_FOLDERS:
        if folder in names:
            configs = (name for name in _names(root / folder) if name.startswith("config."))
            site.programs += sorted(f"{folder}/{name}" for name in configs)
    return site


def _names(folder: Path) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()
