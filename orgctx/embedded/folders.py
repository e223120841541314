"""Directories of one run. Their paths are short enough for sockets and removed at the end."""

import os
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from orgctx.embedded.account import Account, private
from orgctx.embedded.errors import EmbeddedError

PREFIX = "orgctx-"
SOCKET_PATH_BYTES = 103  # macOS; Linux takes 107
LONGEST_SOCKET = "/postgres/.s.PGSQL.5432"


@dataclass(frozen=True)
class Home:
    """Settings shared by the servers of a run.

    Only the caller can enter `sockets`; every server process must inherit `lock`.
    """

    data_dir: Path
    sockets: Path
    account: Account | None
    lock: int


@dataclass(frozen=True)
class Held:
    """An open directory: pass `descriptor` to a child, which then finds it at `path`."""

    descriptor: int
    path: str


def hold(stack: ExitStack, directory: Path) -> Held:
    """Open a directory until the stack closes.

    If the system has /proc, an unprivileged server opens the directory by its descriptor. The
    parents' permissions can then stay strict, and the path may be long or hold any character.
    """
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    stack.callback(os.close, descriptor)
    path = f"/proc/self/fd/{descriptor}"
    return Held(descriptor, path if os.path.exists(path) else str(directory))


def sockets(stack: ExitStack, data_dir: Path) -> Path:
    """Create an empty private directory, `data_dir/sockets`, or link that name to a temporary one
    if the path is unusable for a socket. It is removed when the stack closes."""
    directory = data_dir / "sockets"
    remove(directory)
    stack.callback(remove, directory)
    if _fits(directory):
        return private(directory)
    for base in temporary_bases():
        if _fits(base / (PREFIX + "x" * 8)):
            return temporary(base, directory)
    raise EmbeddedError("the path of the temporary directory is too long for a socket: set TMPDIR")


def temporary(base: Path, link: Path) -> Path:
    """Create a directory in `base`. `link` records it, in case this process is killed."""
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
    if "," in str(directory):  # libpq takes it for a list of hosts
        return False
    return len(os.fsencode(directory)) + len(LONGEST_SOCKET) <= SOCKET_PATH_BYTES
