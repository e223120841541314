"""MkDocs: `exclude_docs`, `draft_docs` and the plugin `exclude`, even in inherited files."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from orgctx.importers.folder import ignore
from orgctx.importers.markdown.sites import config_files
from orgctx.importers.markdown.sites.site import Matches, Site, below, folder_path, regexes, texts
from orgctx.importers.report import ImportRejected

FILES = ("mkdocs.yml", "mkdocs.yaml")
MOST_FILES = 5


def take(site: Site, root: Path, name: str) -> None:
    """Add the rules of one configuration file. Raises ImportRejected."""
    config = _inherited(root / name)
    base = folder_path(config.get("docs_dir"), "docs")
    for member in ("exclude_docs", "draft_docs"):
        site.exclude_patterns(name, base, config.get(member))
    for options in _exclude_plugins(config.get("plugins")):
        site.exclude(f"excluded by {name}", below(base, _matches(name, options)))


def _matches(name: str, options: dict[str, Any]) -> Matches:
    """Match what the plugin excludes; a `*` of its globs matches `/` too. Raises ImportRejected."""
    globs = _texts(options.get("glob"))
    if len(globs) > ignore.MOST_PATTERNS:
        raise ImportRejected(name, f"excludes more than {ignore.MOST_PATTERNS:,} patterns")
    expressions = regexes(name, _texts(options.get("regex")))
    return lambda path: (
        any(fnmatchcase(path, glob) for glob in globs) or any(e.match(path) for e in expressions)
    )


def _inherited(path: Path) -> dict[str, Any]:
    """Return the members of a file and of the files that it inherits from."""
    members: dict[str, Any] = {}
    for _ in range(MOST_FILES):
        inherited = config_files.members(path)
        members = inherited | members
        parent = inherited.get("INHERIT")
        if not isinstance(parent, str):
            return members
        path = path.parent / parent
    raise ImportRejected(path.name, f"is inherited through more than {MOST_FILES - 1} files")


def _exclude_plugins(plugins: Any) -> Iterator[dict[str, Any]]:
    """Yield the options of the plugin; `plugins` is a list or a mapping."""
    entries = plugins if isinstance(plugins, list) else [plugins]
    for entry in entries:
        options = entry.get("exclude") if isinstance(entry, dict) else None
        if isinstance(options, dict):
            yield options


def _texts(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else texts(value)
