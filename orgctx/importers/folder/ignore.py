"""Match paths with patterns as in .gitignore: those of the user, and those of a repository.

Unlike git, a file that matches is left out even if it is committed. Patterns and paths are
compared in NFC, and in linear time, by RE2.
"""

import warnings
from codecs import BOM_UTF8
from collections.abc import Iterable
from os.path import lexists
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from unicodedata import normalize

from orgctx.importers.report import ImportRejected, Report

if TYPE_CHECKING:
    # Commands of the core list importers without their libraries.
    from pathspec import GitIgnoreSpec

REPOSITORY = ".git"
GITIGNORE = ".gitignore"
EXCLUDE = PurePosixPath(REPOSITORY, "info", "exclude")
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
    """The .gitignore files of a folder, and those above it in its repository."""

    def __init__(self, root: Path, report: Report) -> None:
        """Read the files above the folder. Raises ImportRejected.

        Leaves out a file that ignores the folder itself, because the user asked for it.
        """
        folders = repository_folders(root)
        path = root.resolve().relative_to(folders[-1]).as_posix() if folders else ""
        self._path = PurePosixPath(normalize("NFC", path))
        self._by_folder: dict[str, GitIgnoreSpec] = {}
        above = zip(self._path.parents, folders[1:], strict=True)
        files = [(parent, folder / GITIGNORE) for parent, folder in above]
        files += [(EXCLUDE, folder / EXCLUDE) for folder in folders[-1:]]
        for folder, location in files:
            spec = _read(location)
            inner = self._path if folder == EXCLUDE else self._path.relative_to(folder)
            if any(spec.check_file(f"{each}/").include for each in (inner, *inner.parents)[:-1]):
                report.note(f"{location} ignores the whole folder, and was not applied")
            else:
                self._by_folder[str(folder)] = spec

    def enter(self, location: Path, path: str) -> None:
        """Read the file of a folder before its entries are checked. Raises ImportRejected."""
        self._by_folder[str(self._path / path)] = _read(location / GITIGNORE)

    def ignores(self, path: str) -> bool:
        """Return whether to ignore an entry; the path of a folder ends with `/`.

        The nearest file that has a matching pattern decides.
        """
        path = f"{self._path}/{path}".removeprefix("./")
        for folder in map(str, (*PurePosixPath(path).parents, EXCLUDE)):
            if (spec := self._by_folder.get(folder)) is not None:
                result = spec.check_file(path.removeprefix(f"{folder}/")).include
                if result is not None:
                    return result
        return False


def _read(location: Path) -> "GitIgnoreSpec":
    try:
        return read(location, str(location))
    except ImportRejected as error:
        raise ImportRejected(
            str(error), "mend it, or import a copy of the folder without it"
        ) from None
