"""Find out whether the files of an import have changed, without reading them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path
from stat import S_ISDIR

from orgctx import __version__
from orgctx.cli.sync.entry import Entry
from orgctx.importers.folder.ancestors import REPOSITORY, ancestors

# The files that determine the history of a repository. `git fetch` and `git status` change others.
HISTORY = ("HEAD", "packed-refs", "shallow", "info/exclude", "refs/heads")


def digest(entry: Entry) -> bytes:
    """Return the SHA-256 of an import's options and of the names, sizes and times of its files.

    Includes files directly in the folders above, which may contain rules for those below, and the
    version of orgctx, because another version may convert the files differently.
    """
    folders = entry.paths if entry.is_folder else ()
    above = dict.fromkeys(folder for path in folders for folder in ancestors(path))
    repositories = dict.fromkeys((*folders, *above, *entry.folders))
    lines = chain(
        [f"{__version__} {entry.arguments}"],
        chain.from_iterable(map(_tree, entry.paths)),
        chain.from_iterable(map(_files, above)),
        chain.from_iterable(map(_history, repositories)),
    )
    total = sha256()
    for line in lines:
        total.update(os.fsencode(line) + b"\0")
    return total.digest()


def _tree(path: Path) -> Iterator[str]:
    """List a file, or a folder and everything below except repositories, in a fixed order."""
    path = path.resolve()
    yield _line(str(path))
    for folder, names, files in os.walk(path):
        names[:] = sorted(name for name in names if name != REPOSITORY)
        yield from _lines(folder, [*names, *files])


def _files(folder: Path) -> Iterator[str]:
    """List the files directly in a folder."""
    for _, _, files in os.walk(folder):
        yield from _lines(str(folder), files)
        return


def _history(folder: Path) -> Iterator[str]:
    return chain.from_iterable(_tree(folder / REPOSITORY / name) for name in HISTORY)


def _lines(folder: str, names: Iterable[str]) -> Iterator[str]:
    for name in sorted(names):
        yield _line(os.path.join(folder, name))


def _line(path: str) -> str:
    try:
        status = os.lstat(path)
    except OSError as error:
        return f"{path} {error.errno}"
    if S_ISDIR(status.st_mode):
        return f"{path} {status.st_mode}"
    return f"{path} {status.st_mode} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"
