"""MkDocs: `exclude_docs`, `draft_docs` and the plugin `exclude`, also of inherited files."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from orgctx.importers.markdown.sites import config_files
from orgctx.importers.markdown.sites.site import Site, below, folder_path, regexes, texts

FILES = ("mkdocs.yml", "mkdocs.yaml")
MOST_PARENTS = 5


def take(site: Site, root: Path, name: str) -> None:
    """Add the rules of one configuration file. Raises ImportRejected."""
    config = _inherited(root / name)
    base = folder_path(config.get("docs_dir"), "docs")
    for member in ("exclude_docs", "draft_docs"):
        site.exclude_patterns(name, base, config.get(member))
    for options in _exclude_plugins(config.get("plugins")):
        globs = _texts(options.get("glob"))
        expressions = regexes(name, _texts(options.get("regex")))

        def is_excluded(path: str) -> bool:
            return any(fnmatchcase(path, glob) for glob in globs) or any(  # noqa: B023
                expression.match(path)
                for expression in expressions  # noqa: B023
            )

        site.exclude(f"excluded by {name}", below(base, is_excluded))


def _inherited(path: Path) -> dict[str, Any]:
    """Return the members of a file and of the files that it inherits from."""
    members: dict[str, Any] = {}
    for _ in range(MOST_PARENTS):
        own = config_files.members(path)
        members = own | members
        parent = own.get("INHERIT")
        if not isinstance(parent, str):
            break
        path = path.parent / parent
    return members


def _exclude_plugins(plugins: Any) -> Iterator[dict[str, Any]]:
    """Yield the options of the plugin; `plugins` is a list or a mapping."""
    entries = plugins if isinstance(plugins, list) else [plugins]
    for entry in entries:
        options = entry.get("exclude") if isinstance(entry, dict) else None
        if isinstance(options, dict):
            yield options


def _texts(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else texts(value)
