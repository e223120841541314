"""Ask git when the files of a repository were first and last committed.

A repository's configuration can name programs, so git runs without any that `log` would start:
no pager, signature check, external or converted differences, file system monitor and lazy fetch.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Timer
from typing import IO
from unicodedata import normalize

from orgctx.importers.folder.ignore import repository_folders
from orgctx.importers.report import Report

TIMEOUT_SECONDS = 30
MOST_BYTES = 512 * 1024 * 1024
MOST_PATHS = 1_000_000
CHUNK = 256 * 1024
COMMIT = re.compile("\1(\\d{1,15})")
ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C.UTF-8",
}
SETTINGS = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "safe.directory=*")
# For each commit U+0001 and its time, then its paths, all with NUL in between.
LOG = (
    "log", "-z", "--format=%x01%ct", "--name-only", "--diff-merges=combined", "--no-renames",
    "--full-history", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color",
    "--ignore-submodules", "--end-of-options", "HEAD",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class History:
    """Commit times of files; empty without a readable repository."""

    # First and last commit by path in the repository, in NFC.
    dates: dict[str, tuple[datetime, datetime]] = field(default_factory=dict)
    # Of the imported folder: its path in the repository, empty or ending with `/`, and the newest
    # commit that changed it.
    prefix: str = ""
    committed_at: datetime | None = None

    def of(self, path: str) -> tuple[datetime, datetime] | None:
        return self.dates.get(self.prefix + path)


class HistoryError(Exception):
    """The history cannot be read; the message says why."""


def read_history(folder: Path, report: Report) -> History:
    """Read the commit times of the repository that contains a folder, or report why not."""
    if not (folders := repository_folders(folder)):
        return History()
    top = folders[-1]
    parts = folders[0].relative_to(top).parts
    prefix = normalize("NFC", "".join(f"{part}/" for part in parts))
    dates: dict[str, tuple[int, int]] = {}
    committed_at = 0
    try:
        _check(top / ".git")
        for path, time in _changes(top):
            if path.startswith(prefix):
                committed_at = max(committed_at, time)
            if len(dates) > MOST_PATHS:
                raise HistoryError(f"its history names more than {MOST_PATHS:,} files")
            first, last = dates.get(path, (time, time))
            dates[path] = min(first, time), max(last, time)
    except (HistoryError, OSError) as error:
        report.note(f"dates are those of the files, because {error}")
        return History()
    times = {path: (_time(first), _time(last)) for path, (first, last) in dates.items()}
    return History(times, prefix, _time(committed_at) if committed_at else None)


def _check(git: Path) -> None:
    """Raise HistoryError if a repository is not whole, or not only in its folder."""
    if git.is_symlink() or not git.is_dir():
        raise HistoryError("its .git points to another repository")
    if (git / "objects" / "info" / "alternates").exists():
        raise HistoryError("its repository uses objects of another one")
    if (git / "shallow").exists():
        raise HistoryError("its clone is shallow; run git fetch --unshallow")


def _changes(top: Path) -> Iterator[tuple[str, int]]:
    """Yield each changed path with the time of its commit. Raises HistoryError."""
    settings = [part for setting in SETTINGS for part in ("-c", setting)]
    command = ["git", "--no-pager", "--git-dir", str(top / ".git"), *settings, *LOG]
    environment = {**ENVIRONMENT, "PATH": os.environ.get("PATH", os.defpath)}
    try:
        process = subprocess.Popen(  # noqa: S603
            command,
            cwd="/",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise HistoryError("git is not installed") from None
    assert process.stdout
    timer = Timer(TIMEOUT_SECONDS, process.kill)
    timer.start()
    try:
        time = 0
        for part in _parts(process.stdout):
            text = part.decode(errors="replace").strip("\n")
            if header := COMMIT.fullmatch(text):
                time = int(header[1])
            elif text:
                yield normalize("NFC", text), time
        if process.wait() != 0:
            raise HistoryError("git cannot read its repository, or takes too long")
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        process.stdout.close()


def _parts(output: IO[bytes]) -> Iterator[bytes]:
    """Yield what NUL separates. Raises HistoryError if it is too much."""
    rest, size = b"", 0
    while chunk := output.read(CHUNK):
        size += len(chunk)
        if size > MOST_BYTES:
            raise HistoryError(f"its history exceeds {MOST_BYTES >> 20} MiB")
        *parts, rest = (rest + chunk).split(b"\0")
        yield from parts
    yield rest


def _time(seconds: int) -> datetime:
    """Convert Unix seconds, limited to the years 1970 to 9999: a commit may state any number."""
    return datetime.fromtimestamp(min(max(seconds, 0), 253_402_300_799), UTC)
