"""The shell blocks of a page, run in one shell from top to bottom, as a reader pastes them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^\n]+) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
SHELL = ("sh", "bash", "console")


class Block(NamedTuple):
    """A block of code. section: its heading. reason: why no test runs it, if none does."""

    section: str
    language: str
    text: str
    reason: str | None


def blocks(path: Path) -> list[Block]:
    """All blocks of a page, in order."""
    page = path.read_text("utf-8")
    found = []
    for match in BLOCK.finditer(page):
        headings = HEADING.findall(page[: match.start()])
        section = headings[-1] if headings else ""
        found.append(Block(section, match["language"], match["text"], match["reason"]))
    return found


def pasted(path: Path) -> list[Block]:
    """The shell blocks of a page that a test has to paste: those that do not say why not."""
    return [one for one in blocks(path) if one.language in SHELL and not one.reason]


def paste(
    texts: list[str], environment: Mapping[str, str], directory: Path, **account: Any
) -> subprocess.CompletedProcess[str]:
    """Run them in one shell that stops at the first failure, and what it left in the background
    with it. account: options of Popen that change the user."""
    script = (
        "set -eu\ntrap 'kill $(jobs -p) 2> /dev/null || true; wait || true' EXIT\n"
        + "\n".join(texts)
    )
    return subprocess.run(
        ["bash", "-c", script], env=dict(environment), cwd=directory, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=150, **account,
    )  # fmt: skip


def machine(**values: str) -> dict[str, str]:
    """What a fresh login shell has, and nothing of ORGCTX_*."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8", **values}
