"""Create the directories of one run, with paths short enough for sockets, and remove them."""

import os
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from orgctx.embedded.account import Account, EmbeddedError, private

PREFIX = "orgctx-"
SOCKET_PATH_BYTES = 103  # the limit of macOS; 107 on Linux
LONGEST_SOCKET = "/postgres/.s.PGSQL.5432"


@dataclass(frozen=True)
class Home:
    """Settings shared by the servers of a run."""

    data_dir: Path
    sockets: Path  # accessible only by the caller
    account: Account | None
    lock: int  # descriptor of the lock file, which every server process must inherit


@dataclass(frozen=True)
class OpenDirectory:
    descriptor: int  # to pass to a child process
    path: str  # the directory's path in the child process


def open_directory(stack: ExitStack, directory: Path) -> OpenDirectory:
    """Open a directory until the stack closes.

    With /proc, an unprivileged server opens the directory by its descriptor. Then the permissions
    of its parents do not matter, and the path may be long and contain any character.
    """
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    stack.callback(os.close, descriptor)
    path = f"/proc/self/fd/{descriptor}"
    return OpenDirectory(descriptor, path if os.path.exists(path) else str(directory))


def create_socket_directory(stack: ExitStack, data_dir: Path) -> Path:
    """Create the private directory `data_dir/sockets`, and remove it when the stack closes.

    If its path is unusable for a socket, it is a link to a temporary directory.
    """
    directory = data_dir / "sockets"
    remove(directory)
    stack.callback(remove, directory)
    if _fits(directory):
        return private(directory)
    for base in temporary_bases():
        if _fits(base / (PREFIX + "x" * 8)):
            return temporary(base, directory)
    raise EmbeddedError(
        "The path of the temporary directory is too long for a socket. Set TMPDIR to a shorter one."
    )


def temporary(base: Path, link: Path) -> Path:
    """Create a directory in `base`. `link` points to it, for cleanup if this process is killed."""
    directory = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
    link.symlink_to(directory)
    return directory


def temporary_bases() -> list[Path]:
    return [Path(base) for base in (tempfile.gettempdir(), "/tmp", "/var/tmp")]  # noqa: S108


def remove(directory: Path) -> None:
    """Remove a directory, or a link and the temporary directory that it points to."""
    if not directory.is_symlink():
        shutil.rmtree(directory, ignore_errors=True)
        return
    target = Path(os.readlink(directory))
    directory.unlink()
    if target.parent in temporary_bases() and target.name.startswith(PREFIX):
        shutil.rmtree(target, ignore_errors=True)


def _fits(directory: Path) -> bool:
    if "," in str(directory):  # libpq would parse it as a list of hosts
        return False
    return len(os.fsencode(directory)) + len(LONGEST_SOCKET) <= SOCKET_PATH_BYTES
