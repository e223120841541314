"""Hugo and Zola: `ignoreFiles`, mounts, `cascade`, and Zola's `ignored_content`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from orgctx.importers.markdown.front_matter import plain_members
from orgctx.importers.markdown.sites import config_files
from orgctx.importers.markdown.sites.site import (
    Site,
    below,
    folder_path,
    patterns_match,
    regexes,
    texts,
)

ENDINGS = ("toml", "yaml", "yml", "json")
HUGO = tuple(f"hugo.{ending}" for ending in ENDINGS)
FILES = (*HUGO, *(f"config.{ending}" for ending in ENDINGS), "archetypes", "config")
# A folder of configuration files.
FOLDER = "config/_default"


def take(site: Site, root: Path, name: str) -> None:
    """Add the rules of one file, or of the folder `config`. Raises ImportRejected."""
    if name == "config":
        for inner in (*HUGO, "config.toml", "config.yaml", "config.yml", "config.json"):
            if (root / FOLDER / inner).is_file():
                take(site, root, f"{FOLDER}/{inner}")
        return
    if name == "archetypes":
        site.is_hugo = (root / name).is_dir()
        return
    site.is_hugo = site.is_hugo or name in HUGO or name.startswith(FOLDER)
    config = plain_members(config_files.members(root / name))
    content = folder_path(config.get("contentdir"), "content")
    site.exclude_patterns(name, "content", config.get("ignoredcontent"))
    expressions = regexes(name, texts(config.get("ignorefiles")))
    if expressions:
        # Hugo matches the absolute path.
        site.exclude(
            f"excluded by {name}", lambda path: any(e.search(f"/{path}") for e in expressions)
        )
    for source, patterns in _mounts(config.get("module")):
        site.exclude_patterns(name, source, patterns)
    for patterns, members in _cascades(config.get("cascade")):
        site.set_defaults(below(content, patterns_match(name, patterns)), members)


def _mounts(module: Any) -> Iterator[tuple[str, Any]]:
    """Yield the folder and the excluded files of each mount."""
    mounts = module.get("mounts") if isinstance(module, dict) else None
    for mount in mounts if isinstance(mounts, list) else ():
        members = plain_members(mount) if isinstance(mount, dict) else {}
        if members.get("excludefiles"):
            yield folder_path(members.get("source"), "content"), members["excludefiles"]


def _cascades(cascades: Any) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """Yield the patterns and members of each cascade; a target without path is not a page."""
    for cascade in cascades if isinstance(cascades, list) else [cascades]:
        members = plain_members(cascade) if isinstance(cascade, dict) else {}
        target = members.get("target")
        path = target.get("path") if isinstance(target, dict) else "**"
        if isinstance(path, str):
            yield [path], members
