"""Logseq: `:publishing/all-pages-public?` and `:hidden` of config.edn, and its backups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from pathlib import Path

from orgctx.importers.markdown.sites import config_files
from orgctx.importers.markdown.sites.site import Site, within

FILES = ("logseq",)
CONFIG = "logseq/config.edn"
TOKEN = re.compile(r';[^\n]*|"(?:[^"\\]|\\.)*+"?|[\[\](){}]|[^\s,;"\[\](){}]+', re.DOTALL)


def take(site: Site, root: Path, name: str) -> None:
    """Add the rules of a graph; a folder that is only named like Logseq's own has none."""
    config = config_files.text(root / CONFIG)
    if not config and not (root / name / "bak").is_dir():
        return
    site.exclude("a file of Logseq itself", within(name))
    tokens = [token[0] for token in TOKEN.finditer(config) if token[0][0] != ";"]
    for path in _hidden(tokens):
        site.exclude(f"excluded by {CONFIG}", within(path))
    if config and (":publishing/all-pages-public?", "true") not in pairwise(tokens):
        # Logseq then publishes only pages with `public:: true`.
        site.set_defaults(lambda _: True, {"public": False})


def _hidden(tokens: list[str]) -> Iterator[str]:
    """Yield the folders and files of `:hidden`."""
    if ":hidden" in tokens:
        values = tokens[tokens.index(":hidden") + 2 :]
        for value in takewhile("]".__ne__, values):
            path = value.strip('"').lstrip("/")
            if value.startswith('"') and path:
                yield path
