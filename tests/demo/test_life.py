"""However the demo ends, none of its processes remain and the next one starts."""

from __future__ import annotations

import os
import pwd
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from orgctx.embedded import Servers
from tests.embedded.conftest import await_end, packages
from tests.embedded.test_access import as_root, open_dir, python_for_everyone
from tests.support import factories as make
from tests.support.deployment import Deployment

from .conftest import Demo, demo, execute, free_port, start

__all__ = ["open_dir"]  # a fixture

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 0), (signal.SIGHUP, 0), (signal.SIGTERM, 0)],
)
def test_ends_with_all_that_it_started(data_dir: Path, number: signal.Signals, status: int) -> None:
    with demo(data_dir) as running:
        ends(running, number, status)


def ends(running: Demo, number: signal.Signals, status: int) -> None:
    """A signal ends it, and every process that it started."""
    assert running.get("/api/v1/context")[0] == 200
    pids = running.processes()
    assert len(pids) > 6  # the demo, two workers, two servers, and processes of the database
    assert running.end(number) == status
    await_end(pids)


def test_a_killed_demo_keeps_its_key_while_it_is_active(data_dir: Path) -> None:
    with demo(data_dir) as first:
        ends(first, signal.SIGKILL, -9)
    file = data_dir / "demo.json"
    assert file.stat().st_mode & 0o777 == 0o600
    with demo(data_dir) as second:
        assert second.key == first.key
        assert second.get("/api/v1/context")[0] == 200
        second.end(signal.SIGINT)
    file.write_text("{")
    with demo(data_dir) as third:
        assert third.get("/api/v1/context", first.key)[0] == 401
        assert third.get("/api/v1/context")[0] == 200


def test_it_greets_in_one_screen(data_dir: Path) -> None:
    with demo(data_dir) as running:
        shown = running.printed.strip("\n").splitlines()
        assert len(shown) <= 24
        assert running.printed.count(running.key) == 1
        assert f"http://127.0.0.1:{running.port}/" in running.printed
        running.process.send_signal(signal.SIGINT)
        out, said = running.process.communicate(timeout=60)
    assert out.strip() == ""
    assert [line.split(" ")[0] for line in said.splitlines()][:2] == ["Starting", "Loading"]


def test_taken_port_starts_nothing(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with start(tmp_path / "data", port=port) as process:
            _, said = process.communicate()
    assert process.returncode == 1
    assert said.startswith(f"Error: port {port} is taken")
    assert said.count("\n") == 1
    assert not (tmp_path / "data").exists()


def test_servers_of_the_environment(tmp_path: Path, database_url: str, redis_url: str) -> None:
    environment = {"ORGCTX_DATABASE_URL": database_url, "ORGCTX_REDIS_URL": redis_url}
    refused = refusal(tmp_path, environment)
    assert "nothing was loaded into the database 'orgctx_test_" in refused
    assert execute(database_url, "SELECT slug FROM organizations") == []
    yes: dict[str, Any] = {"environment": environment, "arguments": ["--yes"]}
    with demo(tmp_path / "data", **yes) as running:
        assert running.get("/api/v1/context")[0] == 200
        running.end(signal.SIGINT)
    assert execute(database_url, "SELECT slug FROM organizations") == [("harbor-lights",)]
    recorded = execute(database_url, "SELECT command FROM audit ORDER BY sequence")
    assert recorded == [("demo",), ("sources approve",), ("keys issue",)]
    assert not (tmp_path / "data").exists()


def refusal(tmp_path: Path, environment: dict[str, str], *arguments: str) -> str:
    """The message with which a demo refuses to start."""
    with start(
        tmp_path / "data", port=free_port(), environment=environment, arguments=arguments
    ) as process:
        _, said = process.communicate(timeout=30)
    assert process.returncode == 1, said
    return said


def test_not_beside_other_organizations(tmp_path: Path, deployment: Deployment) -> None:
    deployment.load([make.organization()])
    environment = {
        "ORGCTX_DATABASE_URL": deployment.database_url,
        "ORGCTX_REDIS_URL": deployment.redis_url,
    }
    assert "holds other organizations (acme)" in refusal(tmp_path, environment, "--yes")
    assert deployment.execute("SELECT slug FROM organizations") == [("acme",)]


def test_one_server_of_the_environment(data_dir: Path, servers: Servers) -> None:
    with demo(data_dir, environment={"ORGCTX_REDIS_URL": servers.redis_url}) as running:
        assert running.get("/api/v1/context")[0] == 200
        kept = orjson.loads(data_dir.joinpath("demo.json").read_bytes())
        assert "ORGCTX_DATABASE_URL" in kept["environment"]
        assert "ORGCTX_REDIS_URL" not in kept["environment"]
        assert not (data_dir / "sockets" / "valkey").exists()


@as_root
def test_as_an_ordinary_user(open_dir: Path) -> None:
    entry = pwd.getpwnam("nobody")
    user: dict[str, Any] = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    python = python_for_everyone()
    needed = "import orgctx.app, orgctx.importers.x"
    path = {"PYTHONPATH": os.pathsep.join(packages())}
    if subprocess.run([python, "-B", "-c", needed], env=path, capture_output=True).returncode:
        pytest.skip("the interpreter that an ordinary user can run needs other packages")
    for _ in range(2):
        with demo(open_dir / "data", python=python, **user) as running:
            assert running.get("/api/v1/context")[0] == 200
            assert running.end(signal.SIGINT) == 0
