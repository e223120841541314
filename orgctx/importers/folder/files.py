"""Files of a folder, walked in a fixed order.

Nothing outside a folder is read: no symbolic link is followed, even if one replaces a file or a
folder during the import.
"""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from errno import EINVAL, ENAMETOOLONG
from io import BufferedReader
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import TYPE_CHECKING
from unicodedata import normalize

from orgctx.importers.folder.ignore import GITIGNORE, GitIgnore, parsed, read
from orgctx.importers.report import ImportRejected, Report

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# A pipe that replaces a file does not block.
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# In bytes, as Linux limits it. It bounds the folders that are opened for each file.
LONGEST_PATH = 4096
# Notion names the files and folders of an export by title and id.
NOTION = re.compile(r"(?P<title>[^/]*?) ?(?P<id>[0-9a-f]{32})(?P<all>_all)?(?:\.[a-z]+)?")
IGNORE_FILE = ".orgctxignore"


@dataclass(frozen=True, slots=True)
class File:
    """A file or folder below a root."""

    root: Path
    raw_path: str  # relative to the root, with `/`, as it is on disk
    status: os.stat_result  # when its folder was listed
    # When version control says that it was first and last changed.
    committed: tuple[datetime, datetime] | None = None
    link: str = ""  # the name of a link to it that the caller named

    @property
    def is_folder(self) -> bool:
        return S_ISDIR(self.status.st_mode)

    @property
    def path(self) -> str:
        """The path in NFC, by which the file is known: a Mac writes other forms than Linux."""
        return normalize("NFC", self.link or self.raw_path)

    @property
    def parent(self) -> str:
        """The path of the parent folder; empty at the root."""
        return self.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """The suffix of the name in lower case, with the dot; empty if there is none."""
        stem, dot, end = self.name.rpartition(".")
        return f".{end.lower()}" if stem and dot and end else ""

    @property
    def notion(self) -> re.Match[str] | None:
        """The parts of a name that Notion gave."""
        return NOTION.fullmatch(self.name)

    @property
    def document_path(self) -> str:
        """What determines the id of its document: the path, or the id of a web page of Notion."""
        match = self.notion if self.name.endswith(".html") else None
        return match["id"] if match else self.path

    @property
    def title(self) -> str:
        """The name without its suffix and Notion's id."""
        match = self.notion
        stem = self.name.removesuffix(self.suffix) if not match else match["title"]
        return stem.strip() or "Untitled"

    @property
    def written_at(self) -> datetime:
        """When the file was last committed, else written, to the second."""
        if self.committed:
            return self.committed[1]
        return datetime.fromtimestamp(int(self.status.st_mtime), UTC)

    def opened(self) -> BufferedReader:
        """Open the file, which no link may have replaced. Raises OSError."""
        return opened(self.root, self.raw_path)


def named(path: Path) -> File:
    """Return a file that the caller named, which may be a link."""
    location = path.resolve()
    return File(location.parent, location.name, location.stat(), link=path.name)


def opened(root: Path, path: str) -> BufferedReader:
    """Open a regular file below a folder, which alone may be a link. Raises OSError."""
    folder, _, name = path.rpartition("/")
    with folder_opened(root, folder) as parent:
        descriptor = os.open(name, FILE, dir_fd=parent)
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(EINVAL, "Not a regular file", path)
    return os.fdopen(descriptor, "rb")


@contextmanager
def folder_opened(root: Path, path: str) -> Iterator[int]:
    """Open a folder; the root if the path is empty. Yields its descriptor. Raises OSError."""
    if len(os.fsencode(f"{root}/{path}")) >= LONGEST_PATH:
        raise OSError(ENAMETOOLONG, os.strerror(ENAMETOOLONG), path)
    descriptor = os.open(root, FOLDER)
    try:
        for name in filter(None, path.split("/")):
            inner = os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def walk(root: Path, report: Report, exclude: Iterable[str] = ()) -> Iterator[File]:
    """Yield the files and folders below a folder by name, folders before their contents.

    Skips hidden names, symbolic links (which may point outside) and names that match `exclude`, the
    folder's .orgctxignore (patterns as in .gitignore) or a .gitignore. Raises ImportRejected if
    the root is not a folder, or for invalid patterns.
    """
    if not root.is_dir():
        raise ImportRejected(str(root), "is not a readable folder")
    ignores = read(root / IGNORE_FILE, IGNORE_FILE), parsed(exclude, "--exclude")
    git = GitIgnore(root, report)
    stack = [File(root, "", root.stat())]
    while stack:
        file = stack.pop()
        if file.path:
            yield file
        if file.is_folder:
            children = _list(file, report)
            if any(child.name == GITIGNORE for child in children):
                git.enter(root / file.raw_path, file.path)
            included = [child for child in children if _is_included(child, ignores, git, report)]
            stack += reversed(included)


def _list(folder: File, report: Report) -> list[File]:
    files = []
    try:
        with folder_opened(folder.root, folder.raw_path) as descriptor:
            for name in sorted(os.listdir(descriptor)):
                with suppress(FileNotFoundError):  # It has just been deleted.
                    status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                    path = f"{folder.raw_path}/{name}".lstrip("/")
                    files.append(File(folder.root, path, status))
    except OSError as error:
        report.hides_files = True
        report.refuse(folder.path or str(folder.root), f"cannot be read: {error.strerror}")
        return []
    return files


def _is_included(
    file: File, ignores: tuple["GitIgnoreSpec", ...], git: GitIgnore, report: Report
) -> bool:
    """Return whether to walk a file or folder; report it if not. The last pattern decides."""
    path = f"{file.path}/" if file.is_folder else file.path
    decisions = (spec.check_file(path).include for spec in reversed(ignores))
    if (name := file.path.encode(errors="replace").decode()) != file.path:
        report.refuse(name, "the name is not UTF-8")
    elif file.name.startswith("."):
        report.skip("hidden file or folder", file.path)
    elif S_ISLNK(file.status.st_mode):
        report.skip("symbolic link", file.path)
    elif next((each for each in decisions if each is not None), False):
        report.skip(f"excluded by --exclude or {IGNORE_FILE}", file.path)
    elif git.ignores(path):
        report.skip("ignored by .gitignore", file.path)
    elif not file.is_folder and not S_ISREG(file.status.st_mode):
        report.skip("neither file nor folder", file.path)
    else:
        return True
    return False
