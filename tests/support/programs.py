"""Find programs that pip does not install, for tests that are marked `system`."""

import os
import pwd
import shutil
from pathlib import Path

import pytest

from tests.support.processes import children

# Where Debian installs programs for root.
SYSTEM = ("/usr/sbin", "/sbin")
# Debian's PostgreSQL, which can use TLS; the embedded one cannot.
POSTGRESQL = Path("/usr/lib/postgresql/15/bin")


def need(*names: str) -> None:
    """Skip the test if a program is missing, or fail if ORGCTX_TEST_REQUIRE_SYSTEM is set."""
    os.environ["PATH"] = os.pathsep.join(dict.fromkeys([*os.environ["PATH"].split(":"), *SYSTEM]))
    if missing := [name for name in names if not shutil.which(name)]:
        text = f"{', '.join(missing)} is missing: apt-get install what .ci/packages.txt names"
        if os.environ.get("ORGCTX_TEST_REQUIRE_SYSTEM"):
            pytest.fail(text)
        pytest.skip(text)


def descendants(pid: int) -> list[int]:
    """Return the ids of all descendants of a process, each parent before its children."""
    return [each for child in children(pid) for each in (child, *descendants(child))]


def unprivileged() -> list[str]:
    """Return a command prefix that runs PostgreSQL for a test that runs as root; else nothing.

    PostgreSQL refuses to run as root. In a user namespace, root appears as the user postgres.
    """
    if os.geteuid():
        return []
    entry = pwd.getpwnam("postgres")
    return ["unshare", "--user", f"--map-user={entry.pw_uid}", f"--map-group={entry.pw_gid}"]
