"""Walk a folder in a fixed order, without leaving it and without reading files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from orgctx.importers.report import ImportRefused, Report

IGNORE_FILE = ".orgctxignore"
LONGEST_IGNORE = 64 * 1024
# The time to match a name grows with the patterns, and exponentially with the stars of each.
MOST_PATTERNS = 1_000
MOST_STARS = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder below the root. path: relative, with `/`; parent: "" at the root."""

    location: Path
    path: str
    is_folder: bool

    @property
    def parent(self) -> str:
        return self.path.rpartition("/")[0]


def walk(root: Path, report: Report, exclude: Iterable[str] = ()) -> Iterator[Entry]:
    """Entries below a folder by name, each folder before its contents.

    Skips hidden names, symbolic links, because they may lead outside, and names that match
    `exclude` or the folder's .orgctxignore (patterns as in .gitignore). Raises ImportRefused if
    the root is no folder.
    """
    if not root.is_dir():
        raise ImportRefused(str(root), "is no folder that can be read")
    ignored = GitIgnoreSpec.from_lines([*_ignore_lines(root), *exclude])
    waiting = [Entry(root, "", is_folder=True)]
    while waiting:
        entry = waiting.pop()
        if entry.path:
            yield entry
        if entry.is_folder:
            below = [found for found in _list(entry, report) if _is_taken(found, ignored, report)]
            waiting += reversed(below)


def _ignore_lines(root: Path) -> list[str]:
    path = root / IGNORE_FILE
    if path.is_symlink() or not path.is_file():
        return []
    try:
        with path.open("rb") as file:
            lines = file.read(LONGEST_IGNORE + 1).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ImportRefused(IGNORE_FILE, f"cannot be read: {error}") from None
    if path.stat().st_size > LONGEST_IGNORE:
        raise ImportRefused(IGNORE_FILE, f"is longer than {LONGEST_IGNORE >> 10} KiB")
    count = 0
    for number, line in enumerate(lines, 1):
        count += bool(line.strip()) and not line.startswith("#")
        if count > MOST_PATTERNS:
            reason = f"has more than {MOST_PATTERNS:,} patterns: name folders instead of files"
            raise ImportRefused(f"{IGNORE_FILE}: line {number}", reason)
        if line.count("*") > MOST_STARS:
            raise ImportRefused(f"{IGNORE_FILE}: line {number}", f"has more than {MOST_STARS} *")
    return lines


def _list(folder: Entry, report: Report) -> list[Entry]:
    try:
        found = sorted(folder.location.iterdir(), key=lambda path: path.name)
        return [
            Entry(path, f"{folder.path}/{path.name}".lstrip("/"), path.is_dir()) for path in found
        ]
    except OSError as error:
        report.refuse_folder(
            folder.path or str(folder.location), f"cannot be read: {error.strerror}"
        )
        return []


def _is_taken(entry: Entry, ignored: GitIgnoreSpec, report: Report) -> bool:
    """Whether to walk an entry; skipped ones are reported."""
    if not _is_utf8(entry.path):
        report.refuse(entry.path.encode(errors="replace").decode(), "its name is not UTF-8")
    elif entry.location.name.startswith("."):
        report.skip("hidden file or folder", entry.path)
    elif entry.location.is_symlink():
        report.skip("symbolic link", entry.path)
    elif ignored.match_file(f"{entry.path}/" if entry.is_folder else entry.path):
        report.skip(f"excluded by --exclude or {IGNORE_FILE}", entry.path)
    elif not entry.is_folder and not entry.location.is_file():
        report.skip("neither file nor folder", entry.path)
    else:
        return True
    return False


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
