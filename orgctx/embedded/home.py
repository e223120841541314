"""What the servers of one run share: a locked data directory, a temporary one, and a user.

PostgreSQL does not run as root. For root it runs as `nobody`, who may not enter most directories of
root: it gets the directories that it needs open, and a copy of its programs if it needs one.
"""

import fcntl
import os
import pwd
import shutil
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

# How long servers whose owner was killed get to end, which Linux tells them.
PATIENCE_SECONDS = 5
PREFIX = "orgctx-"
# The path of a socket has at most 103 bytes on macOS, of which 47 follow that of the base.
LONGEST_BASE = 56

Account = pwd.struct_passwd


class EmbeddedError(Exception):
    """A server could not start. The message is one line that says what to do."""


@dataclass(frozen=True)
class Home:
    data_dir: Path
    lock: int  # descriptor of the lock file, which every server process must inherit
    temporary: Path  # removed at the end of the run
    sockets: Path  # in it, so that its path is short; accessible only by the caller
    account: Account | None  # the user of PostgreSQL; None: that of this process


def open_home(stack: ExitStack, data_dir: Path) -> Home:
    """Prepare a run, until the stack closes. Raises EmbeddedError if `data_dir` is in use."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = _lock(stack, data_dir)
    temporary = _temporary(stack, data_dir)
    account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
    return Home(data_dir, lock, temporary, private(temporary / "sockets"), account)


def _lock(stack: ExitStack, data_dir: Path) -> int:
    """Lock the directory until this process, and every server that inherits the descriptor, ends.

    A pid file would be less reliable, because process ids are reused.
    """
    descriptor = os.open(data_dir / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    stack.callback(os.close, descriptor)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() > deadline:
                owner = os.pread(descriptor, 100, 0).decode().strip()
                raise EmbeddedError(
                    f"{data_dir} is in use by process {owner}, or by servers that it started. Stop "
                    "it, or choose another data directory."
                ) from None
            time.sleep(0.02)
    os.truncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())
    return descriptor


def _temporary(stack: ExitStack, data_dir: Path) -> Path:
    """Create a temporary directory, until the stack closes.

    `data_dir/run` points to it, so that the next start removes that of a killed owner.
    """
    link = data_dir / "run"
    if link.is_symlink():
        if link.readlink().name.startswith(PREFIX):
            shutil.rmtree(link.readlink(), ignore_errors=True)
        link.unlink()
    base = gettempdir()
    if len(os.fsencode(base)) > LONGEST_BASE:
        base = "/tmp"  # noqa: S108
    directory = Path(stack.enter_context(TemporaryDirectory(prefix=PREFIX, dir=base)))
    link.symlink_to(directory)
    stack.callback(link.unlink)
    return directory


def credentials(account: Account | None) -> dict[str, Any]:
    """Return the arguments of `subprocess.Popen` that change the user."""
    if account is None:
        return {}
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def private(directory: Path, account: Account | None = None) -> Path:
    """Create and return a directory that only `account` (None: the caller) can enter."""
    directory.mkdir(mode=0o700, exist_ok=True)
    if account is not None:
        os.chown(directory, account.pw_uid, account.pw_gid)
    return directory


def open_directory(stack: ExitStack, directory: Path) -> tuple[int, str]:
    """Open a directory until the stack closes.

    With /proc, a server opens the directory by its descriptor. Then the permissions of its parents
    do not matter, and the path may be long and contain any character.

    Returns:
        the descriptor, to pass to a child process, and the directory's path there.
    """
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    stack.callback(os.close, descriptor)
    path = f"/proc/self/fd/{descriptor}"
    return descriptor, path if os.path.exists(path) else str(directory)
