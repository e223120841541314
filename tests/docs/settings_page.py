"""Generate docs/operations/settings.md from Config and the comments of .env.example:
`python -m tests.docs.settings_page > docs/operations/settings.md`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import MISSING, fields

from orgctx.config.settings import Config
from tests.docs.pages import ROOT

HEAD = """\
# Settings

Settings are environment variables. For local use, orgctx also reads `.env` in the working
directory. At start it reports all invalid settings at once, by name and never by value.
`orgctx doctor` warns of unknown settings.

`python -m tests.docs.settings_page` generates this page from the code.

| variable | default | |
|---|---|---|
"""
LINE = re.compile(r"^#?ORGCTX_([A-Z0-9_]+)=")


def descriptions() -> Iterator[tuple[str, str]]:
    """Yield each setting of .env.example with the comment above its block."""
    for block in (ROOT / ".env.example").read_text("utf-8").strip().split("\n\n"):
        lines = block.splitlines()
        text = " ".join(line[2:] for line in lines if line.startswith("# "))
        yield from ((match[1].lower(), text) for line in lines if (match := LINE.match(line)))


def page() -> str:
    defaults = {field.name: field.default for field in fields(Config)}
    rows = []
    for name, text in descriptions():
        default = defaults[name]
        value = default if isinstance(default, str) else str(default).lower()
        cell = "" if default in (MISSING, "", ()) else f"`{value}`"
        rows.append(f"| `ORGCTX_{name.upper()}` | {cell} | {text} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    print(page(), end="")
