"""Apply the .gitignore files of a folder, and of the repository above it, as git does.

Unlike git, it also ignores files that match but are committed, because it does not read the index.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path

from orgctx.importers.folder import ignore
from orgctx.importers.folder.ancestors import REPOSITORY, ancestors, is_repository
from orgctx.importers.report import ImportRejected, Report

NAME = ".gitignore"
EXCLUDE = Path(REPOSITORY, "info", "exclude")
LONGEST_FILE = 64 * 1024

# The patterns of a file above the imported folder, and the path from that file's folder to the
# imported one: empty, or ending with `/`.
Above = tuple[list[ignore.Pattern], str]


class GitIgnore:
    """The patterns that apply to the entries of one folder."""

    def __init__(self, root: Path, report: Report) -> None:
        """Read the files above the folder. Raises ImportRejected."""
        self._above = list(_above(root, report))
        self._by_folder: dict[str, list[ignore.Pattern]] = {}

    def enter(self, location: Path, path: str) -> None:
        """Read the file of a folder before its entries are checked. Raises ImportRejected."""
        if patterns := _patterns(location / NAME, f"{path}/{NAME}".lstrip("/")):
            self._by_folder[path] = patterns

    def ignores(self, path: str) -> bool:
        """Return whether to ignore an entry; the path of a folder ends with `/`.

        The nearest file that has a matching pattern decides.
        """
        folder = path.rstrip("/")
        while folder:
            folder = folder.rpartition("/")[0]
            inner = path.removeprefix(f"{folder}/") if folder else path
            result = ignore.decision(self._by_folder.get(folder, ()), inner)
            if result is not None:
                return result
        results = (ignore.decision(patterns, base + path) for patterns, base in self._above)
        return next((result for result in results if result is not None), False)


def _above(root: Path, report: Report) -> Iterator[Above]:
    """Yield the patterns of the repository above, the nearest first.

    Leaves out a file that ignores the imported folder itself, because the user asked for it.
    """
    folders = [root.resolve(), *reversed(ancestors(root))]
    top = folders[-1]
    if not is_repository(top):
        return
    files = [(folder / NAME, folder) for folder in folders[1:]] + [(top / EXCLUDE, top)]
    for location, folder in files:
        base = root.resolve().relative_to(folder).as_posix()
        prefix = "" if base == "." else f"{base}/"
        patterns = _patterns(location, str(location))
        if prefix and ignore.is_excluded(patterns, prefix):
            report.note(f"{location} ignores the whole folder, and was not applied")
        elif patterns:
            yield patterns, prefix


def _patterns(location: Path, name: str) -> list[ignore.Pattern]:
    if location.is_symlink() or not location.is_file():
        return []
    try:
        with location.open("rb") as file:
            content = file.read(LONGEST_FILE + 1)
        if len(content) > LONGEST_FILE:
            raise ImportRejected(name, f"exceeds {LONGEST_FILE >> 10} KiB")
        # As in git, no other characters end a line.
        lines = content.removeprefix(BOM_UTF8).decode(errors="replace").split("\n")
        return ignore.parse((line.removesuffix("\r") for line in lines), name, "line")
    except OSError as error:
        raise ImportRejected(name, f"cannot be read: {error.strerror}") from None
    except ImportRejected as error:
        raise ImportRejected(str(error), "pass --no-gitignore to import all files") from None
