"""Find the folders above an imported one whose files have rules for it."""

from __future__ import annotations

from os.path import lexists
from pathlib import Path

REPOSITORY = ".git"
# The number of folders above that are searched outside a repository.
MOST_LEVELS = 3


def is_repository(folder: Path) -> bool:
    """Return whether a folder is the root of a repository, of a linked tree or of a submodule."""
    return lexists(folder / REPOSITORY)


def ancestors(root: Path) -> list[Path]:
    """Return the folders above, from the outermost one: those of the same repository.

    Outside a repository, these are the next MOST_LEVELS folders.
    """
    folders = [root.resolve(), *root.resolve().parents]
    top = next((number for number, folder in enumerate(folders) if is_repository(folder)), None)
    return folders[MOST_LEVELS if top is None else top : 0 : -1]
