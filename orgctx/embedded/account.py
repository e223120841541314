"""The account that runs the servers: the caller's, or an unprivileged one if that is root."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class EmbeddedError(Exception):
    """A server could not start. The message is one line that says what to do."""


@dataclass(frozen=True)
class Account:
    """The ids of another user."""

    uid: int
    gid: int


def unprivileged() -> Account | None:
    """Return `nobody` for root, because PostgreSQL does not run as root, and None for others.

    Raises EmbeddedError if the account does not exist: initdb needs an id that has a name.
    """
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        raise EmbeddedError(
            "The account `nobody` is missing, which runs the database for root. "
            "Create it, or run as an ordinary user."
        ) from None
    return Account(entry.pw_uid, entry.pw_gid)


def credentials(account: Account | None) -> dict[str, Any]:
    """Return the arguments of `subprocess.Popen` that change the user."""
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": [account.gid]}


def private(directory: Path, account: Account | None = None) -> Path:
    """Create and return a directory that only `account` (None: the caller) can enter."""
    directory.mkdir(mode=0o700, exist_ok=True)
    if account is not None:
        os.chown(directory, account.uid, account.gid)
    return directory


def can_run(program: Path, account: Account | None) -> bool:
    """Return whether the account can read the program and the libraries that it loads."""
    command = [str(program), "--version"]
    try:
        result = subprocess.run(  # noqa: S603
            command, cwd="/", capture_output=True, check=False, **credentials(account)
        )
    except PermissionError:
        return False
    return result.returncode == 0
