"""The account of the servers: the caller, or an unprivileged account if the caller is root."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from orgctx.embedded.errors import EmbeddedError


@dataclass(frozen=True)
class Account:
    """User and group ids that differ from the caller's."""

    uid: int
    gid: int


class Credentials(TypedDict, total=False):
    """The arguments of `subprocess.Popen` that change the user."""

    user: int
    group: int
    extra_groups: list[int]


def unprivileged() -> Account | None:
    """None for an ordinary user, `nobody` for root, because PostgreSQL refuses to run as root.

    Raises EmbeddedError if there is no such account: initdb needs an id that has a name.
    """
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        raise EmbeddedError(
            "the account nobody is missing, which the database runs as under root: "
            "add it, or run as an ordinary user"
        ) from None
    return Account(entry.pw_uid, entry.pw_gid)


def credentials(account: Account | None) -> Credentials:
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
    """Whether the account can read the program and the libraries that it loads."""
    command = [str(program), "--version"]
    try:
        ended = subprocess.run(  # noqa: S603
            command, cwd="/", capture_output=True, check=False, **credentials(account)
        )
    except PermissionError:
        return False
    return ended.returncode == 0
