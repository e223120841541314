"""Jekyll and Hexo: `exclude`, `include`, `collections` and `defaults` of `_config.yml`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from orgctx.importers.markdown.front_matter import plain_members
from orgctx.importers.markdown.sites import config_files
from orgctx.importers.markdown.sites.site import TEMPLATE, Matches, Site, texts, within

FILES = ("_config.yml", "_config.yaml", "_config.toml")
# Hexo's patterns are relative to this folder.
SOURCE = "source"
# Holds the templates of new posts in Hexo.
SCAFFOLDS = "scaffolds"


def take(site: Site, root: Path, name: str) -> None:
    """Add the rules of one configuration file. Raises ImportRejected."""
    config = config_files.members(root / name)
    site.exclude(TEMPLATE, within(SCAFFOLDS))
    site.exclude_patterns(name, "", config.get("exclude"))
    for member in ("exclude", "ignore"):
        site.exclude_patterns(name, SOURCE, config.get(member))
    included = (text.strip("/").rpartition("/")[2] for text in texts(config.get("include")))
    site.shown |= {folder for folder in included if folder.startswith("_")}
    collections = config.get("collections")
    for folder, members in collections.items() if isinstance(collections, dict) else ():
        if isinstance(members, dict) and members.get("output"):
            site.shown.add(f"_{folder}")
    for matches, members in _defaults(config.get("defaults")):
        site.set_defaults(matches, members)


def _defaults(entries: Any) -> Iterator[tuple[Matches, dict[str, Any]]]:
    for entry in entries if isinstance(entries, list) else ():
        values = entry.get("values") if isinstance(entry, dict) else None
        if isinstance(values, dict):
            scope = entry.get("scope")
            yield _in_scope(scope if isinstance(scope, dict) else {}), plain_members(values)


def _in_scope(scope: dict[str, Any]) -> Matches:
    """Match the files of a scope: those below its path, and of its collection."""
    is_below = within(str(scope.get("path") or "").partition("*")[0])
    collection = scope.get("type")

    def matches(path: str) -> bool:
        names = [part for part in path.split("/")[:-1] if part.startswith("_")]
        is_page = collection == "pages" and not names
        return is_below(path) and (not collection or is_page or f"_{collection}" in names)

    return matches
