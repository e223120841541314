"""The service runs as in the container: an ordinary user, no home, and no writable files.

Tests the Dockerfile's read-only root without a container engine, in a mount namespace in which
only an empty /dev/shm can be written, not even /tmp.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.served import ROOT, free_port, started
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.proxy import (
    Proxy,
    database_address,
    database_through,
    redis_address,
    redis_through,
)
from tests.support.service import Running

USER = 10001
ENCLOSE = """
set -e
mount --make-rprivate /
findmnt -rno TARGET | grep -Ev '^/(proc|sys|dev)(/|$)' | while read -r target; do
    mount -o remount,bind,ro "$target"
done
mount -t tmpfs tmpfs /dev/shm
exec "$@"
"""
AS_ROOT = (
    ["unshare", "--mount"],
    # It may read what root may, for this interpreter may lie in root's home; it may write nothing.
    [
        "setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--no-new-privs",
        "--inh-caps=-all,+dac_read_search", "--ambient-caps=+dac_read_search",
    ],
)  # fmt: skip
AS_ANOTHER = (["unshare", "--map-root-user", "--mount"], ["env"])


def enclosed(*command: str) -> list[str]:
    """The command line that runs a Python command line there."""
    outside, inside = AS_ROOT if os.geteuid() == 0 else AS_ANOTHER
    return [*outside, "sh", "-c", ENCLOSE, "sh", *inside, sys.executable, *command]


@pytest.fixture(scope="module", autouse=True)
def _namespaces() -> None:
    made = subprocess.run(enclosed("-c", ""), capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"this machine lets us make no mount namespace: {made.stderr.strip()}")


@pytest.fixture
def environment(deployment: Deployment) -> Iterator[dict[str, str]]:
    """What the process sees. It cannot reach the sockets of the servers: it goes through TCP."""
    database, redis = deployment.database_url, deployment.redis_url
    with Proxy(database_address(database)) as one, Proxy(redis_address(redis)) as other:
        through = Deployment(database_through(one, database), redis_through(other, redis))
        values = {name: value for name, value in through.environment.items() if value is not None}
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        image = {"HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1", "WEB_CONCURRENCY": "2"}
        yield kept | values | image


def run(environment: dict[str, str], *arguments: str, stdin: str = "") -> str:
    """Standard output of a command of orgctx."""
    done = subprocess.run(
        enclosed("-m", "orgctx.cli", *arguments),
        env=environment, cwd=ROOT, input=stdin, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def served(environment: dict[str, str]) -> Iterator[Running]:
    port = free_port()
    command = enclosed("-m", "orgctx.cli", "serve", "--bind", f"127.0.0.1:{port}")
    with started(command, port, environment, stderr=subprocess.DEVNULL) as process:
        yield Running(port, process)


def statuses(pid: int) -> dict[str, Any]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.split() for name, _, value in (line.partition(":") for line in lines)}


@pytest.mark.parametrize("place", [".", "/tmp", "/var/tmp"])
def test_nothing_can_be_written_there(environment: dict[str, str], place: str) -> None:
    """Otherwise the other tests would prove nothing."""
    write = f"import os; os.open({place!r}, os.O_TMPFILE | os.O_WRONLY)"
    done = subprocess.run(
        enclosed("-c", write), env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert "Read-only file system" in done.stderr


def test_all_that_the_image_runs(environment: dict[str, str]) -> None:
    records = "".join(json.dumps(record) + "\n" for record in make.everything())
    who = ("--organization", make.ACME, "--by", make.OWNER)
    what = ("--access", "both", "--scope", "context:read,knowledge:read", "--expires-in-days", "7")
    run(environment, "migrate")
    run(environment, "load", "-", stdin=records)
    run(environment, "sources", "approve", *who, "--all")
    key = json.loads(run(environment, "keys", "issue", *who, *what, "--json"))["key"]
    run(environment, "doctor")
    with served(environment) as running:
        for path in ("/sources", "/search?q=content", "/knowledge", "/openapi.json"):
            for _ in range(8):
                assert running.get(f"/api/v1{path}", key).status == 200
        pids = [running.process.pid, *running.workers()]
        assert len(pids) == 3
        if os.geteuid() == 0:
            assert {one for pid in pids for one in statuses(pid)["Uid"]} == {str(USER)}
        # The heartbeat files are there, and their names are gone at once.
        assert [*Path(f"/proc/{pids[0]}/root/dev/shm").iterdir()] == []
        heartbeats = [one for pid in pids[1:] for one in Path(f"/proc/{pid}/fd").iterdir()]
        assert any("/dev/shm/" in os.readlink(one) for one in heartbeats)
