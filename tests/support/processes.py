"""Run servers in separate processes, and find programs that pip does not install."""

import os
import pwd
import resource
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from random import randrange
from typing import Any

import pytest

from tests.support.waiting import until

ROOT = Path(__file__).parents[2]
# Each worker of pytest-xdist has ports of its own, below those that systems choose for clients.
_FIRST = 12_000 + 1_000 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_START = randrange(1_000)
_PORTS = cycle([_FIRST + (_START + number) % 1_000 for number in range(1_000)])
# Where Debian installs programs for root.
SYSTEM = ("/usr/sbin", "/sbin")


@contextmanager
def started(
    command: list[str],
    port: int,
    environment: Mapping[str, str | None],
    path: str = "/readyz",
    **settings: Any,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server while the block runs. Yields its process when it is ready.

    environment: variables that are None are not set. path: answers with 200 when it is ready.
    settings: keyword arguments of Popen.
    """
    values = {name: value for name, value in environment.items() if value is not None}
    cwd = settings.pop("cwd", ROOT)
    process = subprocess.Popen(command, cwd=cwd, env=values, **settings)
    try:
        wait(process, port, path)
        yield process
    finally:
        # On SIGINT gunicorn stops at once; on SIGTERM a worker may first sleep for a second.
        process.send_signal(signal.SIGINT)
        process.wait(60)


def children(pid: int) -> list[int]:
    """Return the ids of the processes that a process started; none if it has ended."""
    pids: list[int] = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            pids += map(int, tasks.read_text().split())
    return pids


def free_port() -> int:
    """Return a port on which nothing listens, and which this process returns again last."""
    while True:
        port = next(_PORTS)
        with suppress(OSError), socket.create_server(("", port)):
            return port


def wait(process: subprocess.Popen[bytes], port: int, path: str = "/readyz") -> None:
    """Wait until GET of the path returns 200."""

    def is_ready() -> bool:
        assert process.poll() is None, f"the server ended with {process.poll()}"
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status == 200
        finally:
            connection.close()

    until(is_ready, "the server is not ready")


@contextmanager
def limited(name: int, soft: int) -> Iterator[None]:
    """Set a limit of this process, which those that it starts inherit, while the block runs.

    name: such as resource.RLIMIT_NOFILE.
    """
    before = resource.getrlimit(name)
    resource.setrlimit(name, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(name, before)


def run(*command: object, cwd: Path = ROOT, **environment: str) -> str:
    """Return the standard output of a command that must succeed."""
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, cwd=cwd, env=os.environ | environment
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


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
