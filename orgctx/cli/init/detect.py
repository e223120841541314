"""Find out which importer reads a path, and propose the id of its source."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from orgctx.bundle.packed import SUFFIXES, opened
from orgctx.importers.formats.table import suffixes

# The prefix of a source's id by the command of `orgctx import`.
PREFIXES = {
    "folder": "docs",
    "markdown": "docs",
    "documents": "docs",
    "assets": "assets",
    "telegram": "telegram",
    "x": "x",
}
# Kinds whose file names say nothing about the source.
EXPORTS = ("telegram", "x")
FIRST_BYTES = 64 * 1024
UNFIT = re.compile(r"[^a-z0-9]+")
# Members of the records, by the command that reads them; the first match decides.
MEMBERS = {
    "load": re.compile(rb'"organizationId"\s*:'),
    "telegram": re.compile(
        rb'"(?:messages|chats|left_chats)"\s*:|"type"\s*:\s*"\w+_(?:super)?group"'
    ),
    "x": re.compile(rb'"(?:author_id|edit_history_\w+|public_metrics|referenced_\w+)"\s*:'),
}
JSON = (".json", ".jsonl", ".ndjson")


def detect(path: Path) -> str | None:
    """Return the command of `orgctx import` for a path; `load` for a bundle, `archive` for
    one of an X account; None if unknown.
    """
    if path.is_dir():
        if any(path.glob("data/tweet*.js")):
            return "archive"
        exports = [*path.glob("result.json*"), *path.glob("messages*.html")]
        return "telegram" if exports else "folder"
    if path.name == "datapackage.json":
        return "assets"
    parts = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in SUFFIXES]
    suffix = parts[-1] if parts else ""
    if suffix in JSON:
        return _of_json(path) or ("folder" if suffix in suffixes() else None)
    return "folder" if suffix == ".zip" or suffix in suffixes() else None


def _of_json(path: Path) -> str | None:
    with opened(path, lambda _: None) as file:
        start = file.read(FIRST_BYTES)
    return next((kind for kind, members in MEMBERS.items() if members.search(start)), None)


def propose_source(kind: str, path: Path) -> str:
    """Return the id of a new source, such as `docs:handbook`."""
    name = "" if kind in EXPORTS else slug_of(path.resolve().name.partition(".")[0])
    return f"{PREFIXES[kind]}:{name or 'main'}"


def slug_of(text: str) -> str:
    """Return a text in a-z, 0-9 and `-`; empty if it has no such letters."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return UNFIT.sub("-", plain).strip("-")[:100].strip("-")
