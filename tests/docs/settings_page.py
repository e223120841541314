"""docs/operations/settings.md, from Config and the comments of .env.example. Run it to write the
page: `python -m tests.docs.settings_page > docs/operations/settings.md`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import MISSING, fields

from orgctx.config.settings import Config
from tests.docs.pages import ROOT

HEAD = """\
# Settings

All of them are variables of the environment; `.env` in the working directory is read for local
use. All that cannot be used is said at once at start, by name and never by value. `orgctx doctor`
warns of names that are no setting.

This page is written by `python -m tests.docs.settings_page` from the code; a test holds it.

| variable | default | |
|---|---|---|
"""
LINE = re.compile(r"^#?ORGCTX_([A-Z0-9_]+)=")


def described() -> Iterator[tuple[str, str]]:
    """Each setting of .env.example, with the comment above it or its group."""
    for block in (ROOT / ".env.example").read_text("utf-8").strip().split("\n\n"):
        lines = block.splitlines()
        text = " ".join(line[2:] for line in lines if line.startswith("# "))
        yield from ((found[1].lower(), text) for line in lines if (found := LINE.match(line)))


def page() -> str:
    defaults = {field.name: field.default for field in fields(Config)}
    rows = []
    for name, text in described():
        default = defaults[name]
        shown = "" if default in (MISSING, "", ()) else f"`{str(default).lower()}`"
        shown = f"`{default}`" if isinstance(default, str) and default else shown
        rows.append(f"| `ORGCTX_{name.upper()}` | {shown} | {text} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    print(page(), end="")
