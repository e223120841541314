"""Hugo and Zola: `ignoreFiles`, mounts, `cascade`, and Zola's `ignored_content`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from orgctx.importers.markdown.front_matter import plain_members
from orgctx.importers.markdown.sites import config_files
from orgctx.importers.markdown.sites.site import (
    TEMPLATE,
    Site,
    below,
    folder_path,
    patterns_match,
    regexes,
    texts,
    within,
)

ENDINGS = ("toml", "yaml", "yml", "json")
HUGO = tuple(f"hugo.{ending}" for ending in ENDINGS)
# Other programs have files of the same name.
SHARED = ("config.yaml", "config.yml", "config.json")
# Folders of a Hugo site; `config` has a folder of files for each environment.
FOLDERS = ("archetypes", "layouts", "themes")
FILES = (*HUGO, "config.toml", *SHARED, "config", *FOLDERS)
DEFAULT = "config/_default"
# Files with all members, and files with one, whose name is theirs.
TOP = ("hugo", "config")
INNER = ("module", "cascade")


def take(site: Site, root: Path, name: str) -> None:
    """Add the rules of one file, or of the folder `config`. Raises ImportRejected."""
    if name in FOLDERS:
        site.is_hugo = site.is_hugo or (name == "archetypes" and (root / name).is_dir())
    elif name == "config":
        paths = sorted((root / name).glob("*/*")) if (root / DEFAULT).is_dir() else []
        for path in paths:
            if path.stem in (*TOP, *INNER) and path.suffix[1:] in ENDINGS:
                members = config_files.members(path)
                config = members if path.stem in TOP else {path.stem: members}
                _take_members(site, path.relative_to(root).as_posix(), config)
    elif name not in SHARED or any((root / folder).is_dir() for folder in FOLDERS):
        site.is_hugo = site.is_hugo or name in HUGO
        _take_members(site, name, config_files.members(root / name))


def _take_members(site: Site, name: str, members: dict[str, Any]) -> None:
    config = plain_members(members)
    site.exclude(TEMPLATE, within(folder_path(config.get("archetypedir"), "archetypes")))
    content = folder_path(config.get("contentdir"), "content")
    site.exclude_patterns(name, "content", config.get("ignoredcontent"))
    expressions = regexes(name, texts(config.get("ignorefiles")))
    # Hugo matches the absolute path.
    site.exclude(f"excluded by {name}", lambda path: any(e.search(f"/{path}") for e in expressions))
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
