"""When the files of a folder were first and last committed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from orgctx.importers.confined import Unfinished, run
from orgctx.importers.report import Report

PATIENCE_SECONDS = 120
MEMORY = 1024 * 1024 * 1024

Dates = dict[str, tuple[datetime, datetime]]


def commit_dates(
    folder: Path, paths: Iterable[str], report: Report, repository: Path | None = None
) -> Dates:
    """By path relative to the folder: first and last commit, as far as they are known.

    Only a repository that begins in the folder is read, or the one that the operator names.
    What is missing for the others is noted in the report.
    """
    top = (repository or folder).resolve()
    if not (top / ".git").exists():
        return {}
    request = {
        "repository": str(top),
        "folder": folder.resolve().relative_to(top).as_posix().removeprefix("."),
        "paths": list(paths),
    }
    history = "orgctx.importers.git_history:dates"
    try:
        found = run(history, request, seconds=PATIENCE_SECONDS, memory=MEMORY)
    except Unfinished as error:
        report.note(f"dates are those of the files, since {error}")
        return {}
    if found["unknown"]:
        report.note(
            f"{found['unknown']:,} files are older than the history, which is a shallow clone or "
            "incomplete: their dates are those of the files where the front matter has none"
        )
    return {path: (_at(first), _at(last)) for path, (first, last) in found["dates"].items()}


def _at(seconds: int) -> datetime:
    """A commit may claim any time."""
    return datetime.fromtimestamp(min(max(seconds, 0), 253_402_300_799), UTC)
