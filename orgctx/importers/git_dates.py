"""When the files of a folder were first and last committed, from one pass over its history."""

from __future__ import annotations

import os
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

# The history is read without running anything that a repository's configuration names.
COMMAND = (
    "git", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-c",
    "core.quotePath=false", "--no-pager", "log", "--no-show-signature", "--no-ext-diff",
    "--no-renames", "--relative", "--name-only", "-z", "--format=%x01%ct", "--", ".",
)  # fmt: skip
COMMIT = re.compile(rb"\x01([0-9]{1,11})")
PATIENCE_SECONDS = 120


def commit_dates(folder: Path) -> dict[str, tuple[datetime, datetime]]:
    """By path relative to the folder: first and last commit. Empty without git or a history."""
    # Within a hook, these name the hook's own repository.
    inherited = {k: v for k, v in os.environ.items() if k not in ("GIT_DIR", "GIT_WORK_TREE")}
    environment = {**inherited, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(  # noqa: S603
            COMMAND,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    return _parse(done.stdout)


def _parse(output: bytes) -> dict[str, tuple[datetime, datetime]]:
    """The newest commit stands first, so the last mention of a path is its first commit."""
    dates: dict[str, tuple[datetime, datetime]] = {}
    at = datetime.fromtimestamp(0, UTC)
    for part in output.split(b"\0"):
        part = part.lstrip(b"\n")
        if stamp := COMMIT.fullmatch(part):
            at = datetime.fromtimestamp(int(stamp[1]), UTC)
        elif part:
            path = part.decode(errors="replace")
            dates[path] = (at, dates.get(path, (at, at))[1])
    return dates
