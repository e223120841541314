"""The service runs as in the container: an unprivileged user without a home or writable files.

A mount namespace in which only an empty /dev/shm is writable replaces the container engine.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.desk.running import ask
from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.processes import ROOT, free_port, started
from tests.support.service import Running
from tests.support.thorough import sampled
from tests.support.waiting import until

USER = 10001
service_login = citus.impossible("the service's login is the reader")
ENCLOSE = """
set -e
mount --make-rprivate /
findmnt -rno TARGET | grep -Ev '^/(proc|sys|dev)(/|$)' | while read -r target; do
    mount -o remount,bind,ro "$target"
done
mount -t tmpfs -o "${SHM:-rw}" tmpfs /dev/shm
exec "$@"
"""
AS_ROOT = (
    ["unshare", "--mount"],
    # It may read like root, because the interpreter may be in root's home; it may write nothing.
    [
        "setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--no-new-privs",
        "--inh-caps=-all,+dac_read_search", "--ambient-caps=+dac_read_search",
    ],
)  # fmt: skip
AS_ANOTHER = (["unshare", "--map-root-user", "--mount"], ["env"])


def enclosed(*command: str) -> list[str]:
    """The command that runs Python with these arguments in the namespace."""
    outside, inside = AS_ROOT if os.geteuid() == 0 else AS_ANOTHER
    return [*outside, "sh", "-c", ENCLOSE, "sh", *inside, sys.executable, *command]


@pytest.fixture(scope="module", autouse=True)
def _namespaces() -> None:
    done = subprocess.run(enclosed("-c", ""), capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"this machine does not allow mount namespaces: {done.stderr.strip()}")


@pytest.fixture
def environment(tcp_deployment: Deployment) -> dict[str, str]:
    values = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    values |= tcp_deployment.with_service_login().settings
    image = {"HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1", "WEB_CONCURRENCY": "2"}
    return values | image


def run(environment: dict[str, str], *arguments: str, stdin: str = "") -> str:
    """Return the standard output of a command of orgctx."""
    done = subprocess.run(
        enclosed("-m", "orgctx.cli", *arguments),
        env=environment, cwd=ROOT, input=stdin, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def statuses(pid: int) -> dict[str, Any]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.split() for name, _, value in (line.partition(":") for line in lines)}


@pytest.mark.parametrize("place", [".", "/tmp", "/var/tmp"])
def test_namespace_is_read_only(place: str) -> None:
    write = f"import os; os.open({place!r}, os.O_TMPFILE | os.O_WRONLY)"
    done = subprocess.run(enclosed("-c", write), cwd=ROOT, capture_output=True, text=True)
    assert "Read-only file system" in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("command", sampled(["serve", "desk"], lambda command: command == "desk"))
@service_login
def test_server_without_a_writable_directory_ends_in_one_line(
    environment: dict[str, str], command: str
) -> None:
    serve = enclosed("-m", "orgctx.cli", command, "--bind", f"127.0.0.1:{free_port()}")
    environment |= {"SHM": "ro", "ORGCTX_LOG_LEVEL": "ERROR"}
    done = subprocess.run(serve, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: neither /dev/shm nor the directory")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.thorough
@service_login
def test_commands_and_service_run_read_only(environment: dict[str, str]) -> None:
    records = "".join(json.dumps(record) + "\n" for record in make.everything())
    scopes = ("--scope", "context:read,knowledge:read")
    options = ("--access", "both", *scopes, "--expires-in-days", "7")
    run(environment, "migrate")
    run(environment, "load", "-", stdin=records)
    run(environment, "sources", "approve", *make.WHO, "--all")
    key = json.loads(run(environment, "keys", "issue", *make.WHO, *options, "--json"))["key"]
    run(environment, "doctor")
    port = free_port()
    serve = enclosed("-m", "orgctx.cli", "serve", "--bind", f"127.0.0.1:{port}")
    with started(serve, port, environment, stderr=subprocess.DEVNULL) as process:
        running = Running(port, process)
        for path in ("/sources", "/search?q=content", "/knowledge", "/openapi.json"):
            for _ in range(8):
                assert running.get(f"/api/v1{path}", key).status == 200
        pids = [process.pid, *running.workers()]
        assert len(pids) == 3
        if os.geteuid() == 0:
            assert {uid for pid in pids for uid in statuses(pid)["Uid"]} == {str(USER)}
        # The heartbeat files are open, and already unlinked.
        assert [*Path(f"/proc/{pids[0]}/root/dev/shm").iterdir()] == []
        descriptors = [fd for pid in pids[1:] for fd in Path(f"/proc/{pid}/fd").iterdir()]
        assert any("/dev/shm/" in os.readlink(fd) for fd in descriptors)


@pytest.mark.thorough
@service_login
def test_desk_runs_read_only(environment: dict[str, str]) -> None:
    port = free_port()
    settings = environment | {"ORGCTX_DESK_URL": (url := f"http://localhost:{port}")}
    process = subprocess.Popen(
        enclosed("-m", "orgctx.cli", "desk"), env=settings, cwd=ROOT, stderr=subprocess.DEVNULL
    )
    try:
        for path in ("/healthz", "/sign-in"):
            until(lambda: ask(url, "GET", path).status == 200, f"{path} is not served")  # noqa: B023
        assert [*Path(f"/proc/{process.pid}/root/dev/shm").iterdir()] == []
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
