"""When the files of a folder were first and last committed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from orgctx.importers.confined import Unfinished, run
from orgctx.importers.report import Report

PATIENCE_SECONDS = 120
MEMORY = 1024 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class History:
    """dates: times of first and last commit by path, if known. at: time of the newest commit."""

    dates: dict[str, tuple[datetime, datetime]] = field(default_factory=dict)
    at: datetime | None = None


def read_history(
    folder: Path, paths: Iterable[str], report: Report, repository: Path | None = None
) -> History:
    """Read the history of paths relative to a folder.

    Reads only a repository whose root is the folder, or the one that the operator names.
    Missing history is noted in the report.
    """
    top = (repository or folder).resolve()
    if not os.path.lexists(top / ".git"):
        return History()
    request = {
        "repository": str(top),
        "folder": folder.resolve().relative_to(top).as_posix().removeprefix("."),
        "paths": list(paths),
    }
    history = "orgctx.importers.folder.git_history:dates"
    try:
        found = run(history, request, seconds=PATIENCE_SECONDS, memory=MEMORY)
    except Unfinished as error:
        report.note(f"dates are those of the files, since {error}")
        return History()
    if found["unknown"]:
        report.note(
            f"{found['unknown']:,} files are older than the history, which is a shallow clone or "
            "incomplete: their dates are those of the files where the front matter has none"
        )
    dates = {path: (_at(first), _at(last)) for path, (first, last) in found["dates"].items()}
    return History(dates, _at(found["at"]))


def _at(seconds: int) -> datetime:
    """Convert a commit's time, which may be any number."""
    return datetime.fromtimestamp(min(max(seconds, 0), 253_402_300_799), UTC)
