"""Convert Obsidian's links and comments to plain Markdown."""

from __future__ import annotations

import re
from pathlib import Path

from orgctx.importers.folder.ancestors import ancestors

# Matches code too, so that comments and links inside code are not converted. The possessive `+`
# keeps a fence whole: without it, a run of marks that opens no block takes quadratic time.
MARKS = re.compile(
    r"(?P<code>^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?:.*?^ {0,3}(?P=fence)[`~]*[ \t]*$|.*)"
    r"|`[^`\n]+`)"
    r"|(?P<comment>%%.*?(?:%%|\Z))"
    r"|!?\[\[(?P<page>[^\[\]|\n]{1,500})(?:\|(?P<words>[^\[\]\n]{0,500}))?\]\]",
    re.MULTILINE | re.DOTALL,
)


def is_vault(root: Path) -> bool:
    """Return whether a folder is an Obsidian vault, or part of one."""
    return any((folder / ".obsidian").is_dir() for folder in (root, *ancestors(root)))


def plain(text: str) -> str:
    """Replace `[[Page#Part|words]]` by the words, and remove `%%` comments.

    Obsidian does not show these comments to readers.
    """
    return MARKS.sub(_replace, text)


def _replace(mark: re.Match[str]) -> str:
    if mark["code"] is not None:
        return mark["code"]
    if mark["comment"] is not None:
        return ""
    parts = mark["page"].replace("#^", "#").split("#")
    return mark["words"] or " > ".join(part for part in parts if part)
