"""Walking a folder in a fixed order, inside of it only. Nothing of what files hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from orgctx.importers.report import ImportRefused, Report


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder below the root. path: relative, with `/`; parent: "" at the root."""

    location: Path
    path: str
    is_folder: bool

    @property
    def parent(self) -> str:
        return self.path.rpartition("/")[0]


def walk(root: Path, report: Report) -> Iterator[Entry]:
    """Everything below a folder by name, each folder before what lies in it.

    Hidden names and symbolic links, which may lead outside, are skipped. Raises
    ImportRefused where the root is no folder.
    """
    if not root.is_dir():
        raise ImportRefused(str(root), "is no folder that can be read")
    yield from _walk(root, "", report)


def _walk(folder: Path, above: str, report: Report) -> Iterator[Entry]:
    try:
        found = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        report.refuse(above or str(folder), f"cannot be read: {error.strerror}")
        return
    for location in found:
        path = f"{above}/{location.name}".lstrip("/")
        if not _is_utf8(path):
            report.refuse(path.encode(errors="replace").decode(), "its name is not UTF-8")
        elif location.name.startswith("."):
            report.skip("hidden file or folder", path)
        elif location.is_symlink():
            report.skip("symbolic link", path)
        elif location.is_dir():
            yield Entry(location, path, is_folder=True)
            yield from _walk(location, path, report)
        elif location.is_file():
            yield Entry(location, path, is_folder=False)
        else:
            report.skip("neither file nor folder", path)


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
