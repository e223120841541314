"""Programs that pip does not install, for tests that are marked `system`."""

from __future__ import annotations

import os
import pwd
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

# Debian's directories of programs for root.
SYSTEM = ("/usr/sbin", "/sbin")
# Debian's PostgreSQL, which can use TLS; the embedded one cannot.
POSTGRESQL = Path("/usr/lib/postgresql/15/bin")


def need(*names: str) -> None:
    """Skip if one is missing; fail instead if ORGCTX_TEST_REQUIRE_SYSTEM is set."""
    os.environ["PATH"] = os.pathsep.join(dict.fromkeys([*os.environ["PATH"].split(":"), *SYSTEM]))
    if missing := [name for name in names if not shutil.which(name)]:
        text = f"{', '.join(missing)} is missing: apt-get install what .ci/packages.txt names"
        if os.environ.get("ORGCTX_TEST_REQUIRE_SYSTEM"):
            pytest.fail(text)
        pytest.skip(text)


def descendants(pid: int) -> list[int]:
    """All descendants of a process, each parent before its children."""
    pids: list[int] = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, tasks.read_text().split()):
                pids += [child, *descendants(child)]
    return pids


def unprivileged() -> list[str]:
    """Return the beginning of a command of PostgreSQL, which does not run as root: to it, root
    looks like another user."""
    if os.geteuid():
        return []
    entry = pwd.getpwnam("postgres")
    return ["unshare", "--user", f"--map-user={entry.pw_uid}", f"--map-group={entry.pw_gid}"]
