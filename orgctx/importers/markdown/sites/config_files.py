"""Read the configuration files of site generators.

A file that cannot be read raises ImportRejected, because it may exclude any page.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from errno import ENAMETOOLONG
from pathlib import Path
from typing import Any

import orjson

from orgctx.importers.folder import beneath
from orgctx.importers.markdown.front_matter import (
    LOADER,
    BrokenFrontMatter,
    plain_members,
    read_yaml,
)
from orgctx.importers.report import ImportRejected

MAX_CONFIG_BYTES = 64 * 1024


class _Lenient(LOADER):  # type: ignore[misc]
    """Reads tagged values as null; MkDocs uses tags that name Python functions."""


_Lenient.add_multi_constructor("", lambda loader, suffix, node: None)  # noqa: ARG005


def text(path: Path) -> str:
    """Return the text of a file, or an empty text if it is missing or a symbolic link."""
    try:
        if path.is_symlink() or not path.is_file():
            return ""
        with beneath.opened(path.parent, path.name) as file:
            content = file.read(MAX_CONFIG_BYTES + 1)
    except OSError as error:
        if error.errno == ENAMETOOLONG:  # beside a file whose name is nearly too long
            return ""
        raise ImportRejected(path.name, f"cannot be read: {error.strerror}") from None
    if len(content) > MAX_CONFIG_BYTES:
        raise ImportRejected(path.name, f"exceeds {MAX_CONFIG_BYTES >> 10} KiB")
    return content.decode(errors="replace").lstrip("\N{ZERO WIDTH NO-BREAK SPACE}")


def members(path: Path) -> dict[str, Any]:
    """Return the members of a TOML, JSON or else YAML file; empty if it is missing."""
    try:
        value = READERS.get(path.suffix, _yaml)(text(path))
    except (BrokenFrontMatter, ArithmeticError, LookupError, TypeError, ValueError) as error:
        reason = str(error).replace("its front matter", "it")
        if not isinstance(error, BrokenFrontMatter):
            reason = f"it is not valid: {error}"
        raise ImportRejected(path.name, f"may exclude files, but {reason}") from None
    except RecursionError:
        raise ImportRejected(path.name, "may exclude files, but it is nested too deeply") from None
    return value if isinstance(value, dict) else {}


def plain_json(path: Path) -> dict[str, Any]:
    """Return the members of a data file of Eleventy; empty if it is not an object."""
    try:
        value = orjson.loads(text(path) or "{}")
    except orjson.JSONDecodeError:
        return {}
    return plain_members(value) if isinstance(value, dict) else {}


def _yaml(content: str) -> Any:
    return read_yaml(content, _Lenient)


def _toml(content: str) -> Any:
    return tomllib.loads(content.replace("\r\n", "\n"))


READERS: dict[str, Callable[[str], Any]] = {
    ".toml": _toml,
    ".json": lambda content: orjson.loads(content or "{}"),
}
