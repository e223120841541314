"""Read from the configuration of a site generator which files it excludes."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from errno import ENAMETOOLONG
from pathlib import Path
from typing import Any

import orjson

from orgctx.importers.folder.ignore import Pattern, is_excluded, parse
from orgctx.importers.markdown.front_matter import (
    LOADER,
    BrokenFrontMatter,
    plain_members,
    read_yaml,
)
from orgctx.importers.report import ImportRejected

MAX_CONFIG_BYTES = 64 * 1024
HUGO = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json")


class _Lenient(LOADER):  # type: ignore[misc]
    """Reads tagged values as null; MkDocs uses tags that name Python functions."""


_Lenient.add_multi_constructor("", lambda loader, suffix, node: None)  # noqa: ARG005


@dataclass(slots=True)
class Site:
    """The configuration of one site."""

    is_hugo: bool = False
    # Published folders whose names begin with `_`.
    shown: set[str] = field(default_factory=set)
    _excluded: list[tuple[str, str, list[Pattern]]] = field(default_factory=list)
    _defaults: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    @classmethod
    def of(cls, root: Path) -> Site:
        """Read the configuration of a site.

        Raises ImportRejected if it cannot be read, because the excluded files are then unknown.
        """
        site = cls(any((root / name).is_file() for name in HUGO) or (root / "archetypes").is_dir())
        for name in ("mkdocs.yml", "mkdocs.yaml"):
            site._take_mkdocs(name, _yaml(root / name))
        site._take_jekyll(_yaml(root / "_config.yml"))
        zola = _toml(root / "config.toml")
        site._exclude("config.toml", "content", zola.get("ignored_content"))
        site._exclude(".eleventyignore", "", _text(root / ".eleventyignore"))
        return site

    def excluded(self, path: str) -> str | None:
        """Return which configuration excludes a path, or None."""
        for name, base, patterns in self._excluded:
            if path.startswith(base) and is_excluded(patterns, path.removeprefix(base)):
                return f"excluded by {name}"
        return None

    def defaults(self, path: str) -> Iterator[tuple[str, Any]]:
        """Yield the default members of a file."""
        for scope, members in self._defaults:
            if not scope or path == scope or path.startswith(f"{scope}/"):
                yield from members.items()

    def _take_mkdocs(self, name: str, config: dict[str, Any]) -> None:
        base = str(config.get("docs_dir") or "docs").strip("./")
        for member in ("exclude_docs", "draft_docs"):
            self._exclude(name, base, config.get(member))

    def _take_jekyll(self, config: dict[str, Any]) -> None:
        self._exclude("_config.yml", "", config.get("exclude"))
        collections = config.get("collections")
        for name, members in collections.items() if isinstance(collections, dict) else ():
            if isinstance(members, dict) and members.get("output"):
                self.shown.add(f"_{name}")
        defaults = config.get("defaults")
        for entry in defaults if isinstance(defaults, list) else ():
            scope = entry.get("scope") if isinstance(entry, dict) else None
            values = entry.get("values") if isinstance(entry, dict) else None
            if isinstance(values, dict):
                path = scope.get("path") if isinstance(scope, dict) else ""
                before_stars = str(path or "").partition("*")[0]
                self._defaults.append((before_stars.strip("/"), plain_members(values)))

    def _exclude(self, name: str, base: str, patterns: Any) -> None:
        lines = patterns.splitlines() if isinstance(patterns, str) else patterns
        if not isinstance(lines, list) or not lines:
            return
        texts = [line for line in lines if isinstance(line, str)]
        self._excluded.append((name, f"{base}/" if base else "", parse(texts, name)))


def _text(path: Path) -> str:
    try:
        if path.is_symlink() or not path.is_file():
            return ""
    except OSError as error:
        if error.errno == ENAMETOOLONG:  # beside a file whose name is nearly too long
            return ""
        raise
    with path.open("rb") as file:
        content = file.read(MAX_CONFIG_BYTES + 1)
    if len(content) > MAX_CONFIG_BYTES:
        raise ImportRejected(path.name, f"exceeds {MAX_CONFIG_BYTES >> 10} KiB")
    return content.decode(errors="replace")


def _yaml(path: Path) -> dict[str, Any]:
    try:
        config = read_yaml(_text(path), _Lenient)
    except (BrokenFrontMatter, ArithmeticError, LookupError, TypeError, ValueError) as error:
        reason = str(error).replace("its front matter", "it")
        raise ImportRejected(path.name, f"may exclude files, but {reason}") from None
    return config if isinstance(config, dict) else {}


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path).replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ImportRejected(path.name, f"may exclude files, but is not TOML: {error}") from None


def members_of_json(path: Path) -> dict[str, Any]:
    """Read the members that Eleventy takes from a data file; empty if it is not an object."""
    try:
        value = orjson.loads(_text(path) or "{}")
    except orjson.JSONDecodeError:
        return {}
    return plain_members(value) if isinstance(value, dict) else {}
