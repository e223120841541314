"""Generate the page of settings from `.env.example` and the defaults of `Config`."""

import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from orgctx.config.settings import Config

URI = "reference/settings.md"
EXAMPLE = Path(__file__).parents[2] / ".env.example"
HEAD = """\
# Settings

Settings are environment variables. For local use, put them into `.env` in the working directory.
At start, the service reports every invalid setting by name, never by value. `orgctx doctor` warns
about unknown names.

| variable | default | meaning |
|---|---|---|
"""
LINE = re.compile(r"^#?ORGCTX_([A-Z0-9_]+)=")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    files.append(File.generated(config, URI, content=HEAD + "".join(_rows())))
    return files


def _rows() -> Iterator[str]:
    defaults = {field.name: field.default for field in fields(Config)}
    for name, meaning in _descriptions():
        default = defaults[name]
        value = default if isinstance(default, str) else str(default).lower()
        cell = "" if default in (MISSING, "", ()) else f"`{value}`"
        yield f"| `ORGCTX_{name.upper()}` | {cell} | {meaning} |\n"


def _descriptions() -> Iterator[tuple[str, str]]:
    """Yield each setting with the comment above it or its group."""
    for block in EXAMPLE.read_text("utf-8").strip().split("\n\n"):
        lines = block.splitlines()
        text = " ".join(line[2:] for line in lines if line.startswith("# "))
        yield from ((match[1].lower(), text) for line in lines if (match := LINE.match(line)))
