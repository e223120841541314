"""Find out when the files of a folder were first and last committed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from orgctx.importers.report import Report
from orgctx.importers.sandbox import SandboxError, run

TIMEOUT_SECONDS = 120
MEMORY_BYTES = 1024 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class History:
    """Commit times of files; empty without a readable repository."""

    # First and last commit by path, where known.
    dates: dict[str, tuple[datetime, datetime]] = field(default_factory=dict)
    # The newest commit.
    committed_at: datetime | None = None


def read_history(
    folder: Path, paths: Iterable[str], report: Report, repository: Path | None = None
) -> History:
    """Read the commit times of files. Returns an empty history, and reports why, if this fails.

    Args:
        paths: relative to the folder.
        repository: the root of the repository; by default the folder.
    """
    top = (repository or folder).resolve()
    if not os.path.lexists(top / ".git"):
        return History()
    request = {
        "repository": str(top),
        "folder": folder.resolve().relative_to(top).as_posix().removeprefix("."),
        "paths": list(paths),
    }
    function = "orgctx.importers.markdown.git_history:dates"
    try:
        history = run(function, request, seconds=TIMEOUT_SECONDS, memory=MEMORY_BYTES)
    except SandboxError as error:
        report.note(f"dates are those of the files, because {error}")
        return History()
    if history["unknown"]:
        report.note(
            f"{history['unknown']:,} files are older than the history, which is shallow or "
            "incomplete; their dates come from the front matter or the files"
        )
    dates = {path: (_time(first), _time(last)) for path, (first, last) in history["dates"].items()}
    return History(dates, _time(history["committed_at"]))


def _time(seconds: int) -> datetime:
    """Convert Unix seconds, limited to the years 1970 to 9999: a commit may state any number."""
    return datetime.fromtimestamp(min(max(seconds, 0), 253_402_300_799), UTC)
