"""Match paths with patterns as in .gitignore: those of the user, and those of a repository.

Unlike git, a file that matches is left out even if it is committed. Patterns and paths are
compared in NFC, and in linear time, by RE2.
"""

import warnings
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

from orgctx.importers.report import ImportRejected, Report

if TYPE_CHECKING:
    # Commands of the core list importers without their libraries.
    from pathspec import GitIgnoreSpec

REPOSITORY = ".git"
GITIGNORE = ".gitignore"
EXCLUDE = Path(REPOSITORY, "info", "exclude")
LONGEST_FILE = 64 * 1024
MOST_PATTERNS = 1_000
LONGEST_PATTERN = 1_000


def parsed(lines: Iterable[str], place: str) -> "GitIgnoreSpec":
    """Parse patterns. Raises ImportRejected for an invalid or long pattern, and for too many."""
    from pathspec import GitIgnoreSpec

    lines = [normalize("NFC", line) for line in lines]
    if len(lines) > MOST_PATTERNS or max(map(len, lines), default=0) > LONGEST_PATTERN:
        limits = f"{MOST_PATTERNS:,} patterns of up to {LONGEST_PATTERN:,} characters"
        raise ImportRejected(place, f"exceeds {limits}; exclude folders instead of files")
    try:
        with warnings.catch_warnings(action="ignore"):
            return GitIgnoreSpec.from_lines(lines, backend="re2")
    except Exception as error:  # noqa: BLE001 - of re, of RE2 or of the library
        raise ImportRejected(place, f"has an invalid pattern: {error}") from None


def read(location: Path, name: str) -> "GitIgnoreSpec":
    """Read a file of patterns; no patterns if it is missing or a link. Raises ImportRejected."""
    if location.is_symlink() or not location.is_file():
        return parsed((), name)
    try:
        with location.open("rb") as file:
            content = file.read(LONGEST_FILE + 1)
    except OSError as error:
        raise ImportRejected(name, f"cannot be read: {error.strerror}") from None
    if len(content) > LONGEST_FILE:
        raise ImportRejected(name, f"exceeds {LONGEST_FILE >> 10} KiB")
    lines = content.removeprefix(BOM_UTF8).decode(errors="replace").split("\n")
    return parsed((line.removesuffix("\r") for line in lines), name)


def repository_folders(folder: Path) -> list[Path]:
    """Return a folder and those above it, up to the root of its repository; none without one."""
    folders = [folder.resolve(), *folder.resolve().parents]
    depths = (depth for depth, each in enumerate(folders, 1) if lexists(each / REPOSITORY))
    return folders[: next(depths, 0)]


class GitIgnore:
    """The .gitignore files that apply to the entries of one folder."""

    def __init__(self, root: Path, report: Report) -> None:
        """Read the files above the folder. Raises ImportRejected."""
        self._by_folder: dict[str, GitIgnoreSpec] = {}
        self._above = list(_above(root, report))

    def enter(self, location: Path, path: str) -> None:
        """Read the file of a folder before its entries are checked. Raises ImportRejected."""
        self._by_folder[path] = _read(location / GITIGNORE)

    def ignores(self, path: str) -> bool:
        """Return whether to ignore an entry; the path of a folder ends with `/`.

        The nearest file that has a matching pattern decides.
        """
        folder = path.rstrip("/")
        while folder:
            folder = folder.rpartition("/")[0]
            if (spec := self._by_folder.get(folder)) is not None:
                inner = path.removeprefix(f"{folder}/") if folder else path
                if (result := spec.check_file(inner).include) is not None:
                    return result
        results = (spec.check_file(base + path).include for spec, base in self._above)
        return next((result for result in results if result is not None), False)


def _above(root: Path, report: Report) -> Iterator[tuple["GitIgnoreSpec", str]]:
    """Yield the patterns of the repository above, the nearest first, with the path from there.

    Leaves out a file that ignores the imported folder itself, because the user asked for it.
    """
    folders = repository_folders(root)
    files = [(folder / GITIGNORE, folder) for folder in folders[1:]]
    files += [(folder / EXCLUDE, folder) for folder in folders[-1:]]
    for location, folder in files:
        base = root.resolve().relative_to(folder).as_posix()
        prefix = "" if base == "." else f"{normalize('NFC', base)}/"
        spec = _read(location)
        parents = (prefix[: end + 1] for end, character in enumerate(prefix) if character == "/")
        if any(spec.check_file(parent).include for parent in parents):
            report.note(f"{location} ignores the whole folder, and was not applied")
        else:
            yield spec, prefix


def _read(location: Path) -> "GitIgnoreSpec":
    try:
        return read(location, str(location))
    except ImportRejected as error:
        raise ImportRejected(
            str(error), "mend it, or import a copy of the folder without it"
        ) from None
