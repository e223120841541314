"""The demo starts with its own or other servers, and ends with all its processes."""

import os
import pwd
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import psycopg
import pytest

from orgctx.demo import organization
from orgctx.embedded import Servers
from orgctx.embedded import servers as embedded_servers
from orgctx.importers.report import Report
from tests.embedded.conftest import await_end, packages
from tests.embedded.test_access import as_root, open_dir, python_for_everyone
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.processes import free_port

from .conftest import Demo, demo, start

__all__ = ["open_dir"]  # a fixture

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def assert_ends(running: Demo, number: signal.Signals, status: int) -> None:
    """Send a signal and wait until every process of the demo has ended."""
    assert running.get("/api/v1/context")[0] == 200
    pids = running.processes()
    # The demo, two workers, the desk and its worker, two servers, and processes of the database.
    assert len(pids) > 8
    assert running.end(number) == status
    await_end(pids)


@pytest.mark.thorough
def test_signal_ends_the_demo_with_all_its_processes_and_keeps_its_key(data_dir: Path) -> None:
    with demo(data_dir) as first:
        assert_ends(first, signal.SIGKILL, -9)
    file = data_dir / "demo.json"
    assert file.stat().st_mode & 0o777 == 0o600
    with demo(data_dir) as second:
        assert second.key == first.key
        assert_ends(second, signal.SIGHUP, 0)
    file.write_text("{")
    with demo(data_dir) as third:
        assert third.get("/api/v1/context", first.key)[0] == 401
        assert_ends(third, signal.SIGTERM, 0)


def test_importers_reject_no_demo_record() -> None:
    report = Report()
    assert list(organization.records(report))
    assert (report.refused_count, report.repaired) == (0, {})
    assert set(report.skipped) == {"message of type: service", "not published: draft: true"}


def test_port_in_use_starts_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        errors = failed_start(tmp_path, {}, port=port)
    assert errors.startswith(f"Error: Cannot listen on 127.0.0.1:{port}: Address already in use")
    assert errors.count("\n") == 1
    assert not (tmp_path / "data").exists()


@pytest.mark.thorough
def test_data_of_another_version_may_be_deleted(tmp_path: Path) -> None:
    with (
        embedded_servers(tmp_path / "data", durable=False) as running,
        psycopg.connect(running.database_url, autocommit=True) as connection,
    ):
        connection.execute("CREATE TABLE people (id integer)")
    errors = failed_start(tmp_path, {})
    assert f"Or delete {tmp_path / 'data'}; the demo loads its data again." in errors


def failed_start(tmp_path: Path, environment: dict[str, str], *, port: int | None = None) -> str:
    """Start a demo, which must fail, and return its standard error."""
    port = port or free_port()
    with start(tmp_path / "data", port=port, environment=environment) as process:
        output, errors = process.communicate(timeout=30)
    assert (process.returncode, output) == (1, ""), errors
    return errors


@pytest.mark.thorough
def test_demo_uses_servers_of_the_environment(tmp_path: Path, deployment: Deployment) -> None:
    environment = {
        "ORGCTX_DATABASE_URL": deployment.admin_url,
        "ORGCTX_REDIS_URL": deployment.redis_url,
    }
    slugs = "SELECT slug FROM organizations"
    with demo(tmp_path / "data", environment=environment) as running:
        assert running.get("/api/v1/context")[0] == 200
        running.end(signal.SIGINT)
    assert deployment.execute(slugs) == [("harbor-lights",)]
    commands = deployment.execute("SELECT command FROM audit ORDER BY sequence")
    assert commands == [
        ("demo",), ("sources approve",), ("keys issue",), ("desk invite",),
    ]  # fmt: skip
    assert not (tmp_path / "data").exists()
    deployment.load([make.organization()])
    errors = failed_start(tmp_path, environment)
    assert "contains other organizations (acme)" in errors


@pytest.mark.thorough
def test_demo_starts_only_the_missing_server(data_dir: Path, servers: Servers) -> None:
    with demo(data_dir, environment={"ORGCTX_REDIS_URL": servers.redis_url}) as running:
        assert running.get("/api/v1/context")[0] == 200
        state = orjson.loads(data_dir.joinpath("demo.json").read_bytes())
        assert "ORGCTX_DATABASE_URL" in state["environment"]
        assert "ORGCTX_REDIS_URL" not in state["environment"]
        assert not (data_dir / "run" / "sockets" / "valkey.sock").exists()


@pytest.mark.thorough
@as_root
def test_ordinary_user_runs_the_demo(open_dir: Path) -> None:
    entry = pwd.getpwnam("nobody")
    user: dict[str, Any] = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    python = python_for_everyone()
    imports = "import orgctx.app, orgctx.importers.x"
    path = {"PYTHONPATH": os.pathsep.join(packages())}
    if subprocess.run([python, "-B", "-c", imports], env=path, capture_output=True).returncode:
        pytest.skip("the interpreter that an ordinary user can run needs other packages")
    for _ in range(2):
        with demo(open_dir / "data", python=python, **user) as running:
            assert running.get("/api/v1/context")[0] == 200
            assert running.end(signal.SIGINT) == 0
