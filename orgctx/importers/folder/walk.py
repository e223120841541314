"""Walk a folder in a fixed order, without leaving it or reading its files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from orgctx.importers.folder import beneath
from orgctx.importers.folder.gitignore import NAME as GITIGNORE
from orgctx.importers.folder.gitignore import GitIgnore
from orgctx.importers.folder.ignore import Pattern, is_excluded, parse
from orgctx.importers.report import ImportRejected, Report

IGNORE_FILE = ".orgctxignore"
LONGEST_IGNORE = 64 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder below the root."""

    location: Path
    path: str  # relative to the root, with `/`
    is_folder: bool
    is_file: bool = False
    is_link: bool = False

    @property
    def root(self) -> Path:
        return self.location.parents[self.path.count("/")] if self.path else self.location

    def opened(self) -> BufferedReader:
        """Open the file. Raises OSError, even if only a link has replaced it or a folder above."""
        root, path = self.place()
        return beneath.opened(root, path)

    def status(self) -> os.stat_result:
        """Return the status, without following a link. Raises OSError."""
        root, path = self.place()
        return beneath.status(root, path)

    def place(self) -> tuple[Path, str]:
        """Return the folder below which no link is followed, and the path below it."""
        if self.is_link:
            location = self.location.resolve()
            return location.parent, location.name
        return self.root, self.path

    @property
    def parent(self) -> str:
        """The path of the parent folder; empty at the root."""
        return self.path.rpartition("/")[0]


def named(path: Path) -> Entry:
    """Return the entry of a file that the caller named. Only such a file may be a link."""
    return Entry(path, path.name, is_folder=False, is_file=True, is_link=path.is_symlink())


def walk(
    root: Path, report: Report, exclude: Iterable[str] = (), *, gitignore: bool = True
) -> Iterator[Entry]:
    """Yield the entries below a folder sorted by name, folders before their contents.

    Skips hidden names, symbolic links (which may point outside) and names that match `exclude`, the
    folder's .orgctxignore (patterns as in .gitignore) or, unless `gitignore` is false, a
    .gitignore. Raises ImportRejected if the root is not a folder, or for invalid patterns.
    """
    if not root.is_dir():
        raise ImportRejected(str(root), "is not a readable folder")
    ignore = [*parse(_ignore_lines(root), IGNORE_FILE, "line"), *parse(exclude, "--exclude")]
    git = GitIgnore(root, report) if gitignore else None
    stack = [Entry(root, "", is_folder=True)]
    while stack:
        entry = stack.pop()
        if entry.path:
            yield entry
        if entry.is_folder:
            children = _list(entry, report)
            if git and any(child.location.name == GITIGNORE for child in children):
                git.enter(entry.location, entry.path)
            included = [child for child in children if _is_included(child, ignore, git, report)]
            stack += reversed(included)


def _ignore_lines(root: Path) -> list[str]:
    path = root / IGNORE_FILE
    if path.is_symlink() or not path.is_file():
        return []
    try:
        with beneath.opened(root, IGNORE_FILE) as file:
            content = file.read(LONGEST_IGNORE + 1)
        lines = content.decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ImportRejected(IGNORE_FILE, f"cannot be read: {error}") from None
    if len(content) > LONGEST_IGNORE:
        raise ImportRejected(IGNORE_FILE, f"exceeds {LONGEST_IGNORE >> 10} KiB")
    return lines


def _list(folder: Entry, report: Report) -> list[Entry]:
    try:
        with (
            beneath.folder_opened(folder.root, folder.path) as descriptor,
            os.scandir(descriptor) as found,
        ):
            return [
                Entry(
                    folder.location / child.name,
                    f"{folder.path}/{child.name}".lstrip("/"),
                    child.is_dir(follow_symlinks=False),
                    child.is_file(follow_symlinks=False),
                    child.is_symlink(),
                )
                for child in sorted(found, key=lambda child: child.name)
            ]
    except OSError as error:
        report.refuse_folder(
            folder.path or str(folder.location), f"cannot be read: {error.strerror}"
        )
        return []


def _is_included(
    entry: Entry, ignore: Sequence[Pattern], git: GitIgnore | None, report: Report
) -> bool:
    """Return whether to walk an entry; report it if not."""
    path = f"{entry.path}/" if entry.is_folder else entry.path
    if not _is_utf8(entry.path):
        report.refuse(entry.path.encode(errors="replace").decode(), "the name is not UTF-8")
    elif entry.location.name.startswith("."):
        report.skip("hidden file or folder", entry.path)
    elif entry.is_link:
        report.skip("symbolic link", entry.path)
    elif is_excluded(ignore, path):
        report.skip(f"excluded by --exclude or {IGNORE_FILE}", entry.path)
    elif git and git.ignores(path):
        report.skip("ignored by .gitignore", entry.path)
    elif not entry.is_folder and not entry.is_file:
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
