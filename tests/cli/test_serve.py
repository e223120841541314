"""orgctx serve runs gunicorn with our settings until it is stopped."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from time import sleep

import pytest

from tests.support.deployment import TESTS, Deployment


def await_port(process: subprocess.Popen[str]) -> int:
    """The port in gunicorn's log."""
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"Listening at: http://127\.0\.0\.1:(\d+)", line):
            return int(found[1])
    raise AssertionError("gunicorn ended")


def read(port: int, path: str) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


def test_serves_until_it_is_ended(deployment: Deployment) -> None:
    process = deployment.process("serve", "--bind", "127.0.0.1:0")
    try:
        port = await_port(process)
        assert read(port, "/readyz") == 200
        assert read(port, "/api/v1/context") == 401
    finally:
        process.send_signal(signal.SIGTERM)
        _, logged = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Traceback" not in logged


def test_a_broken_environment_is_named(deployment: Deployment) -> None:
    result = deployment.cli("serve", ORGCTX_REDIS_URL=None)
    assert result.exit_code == 1
    assert "ORGCTX_REDIS_URL" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "environment", "text"),
    [
        (["--bind", "nonsense"], {}, "ORGCTX_BIND: must be HOST:PORT, such as 127.0.0.1:8000"),
        (["--bind", "127.0.0.1:99999"], {}, "ORGCTX_BIND: must be HOST:PORT"),
        (["--bind", "203.0.113.9:8000"], {}, "203.0.113.9:8000 is no address of this machine"),
        (["--bind", "no-such-host.invalid:80"], {}, "cannot listen on no-such-host.invalid:80"),
        (["--bind", "unix:/nowhere/at/all"], {}, "/nowhere/at is no directory"),
        ([], {"WEB_CONCURRENCY": "many"}, "WEB_CONCURRENCY must be an integer of at least 1"),
        ([], {"WEB_CONCURRENCY": "0"}, "WEB_CONCURRENCY must be an integer of at least 1"),
        (["--bind", "fd://99"], {}, "fd://99 cannot be listened on: Bad file descriptor"),
        ([], {"GUNICORN_CMD_ARGS": "--workers '2"}, "GUNICORN_CMD_ARGS cannot be read: No closing"),
        ([], {"GUNICORN_CMD_ARGS": "-b 203.0.113.9:1"}, "203.0.113.9:1 is no address of this"),
    ],
)
def test_what_it_cannot_start_with_is_said_at_once(
    deployment: Deployment, arguments: list[str], environment: dict[str, str], text: str
) -> None:
    before = dict(os.environ)
    refused = deployment.cli("serve", *arguments, **environment)
    assert os.environ == before
    assert refused.exit_code == 1
    assert text in refused.stderr
    assert "Traceback" not in refused.stderr
    assert refused.stderr.count("\n") <= 2


def test_a_taken_port_or_socket(deployment: Deployment, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        refused = deployment.cli("serve", "--bind", address)
    assert (refused.exit_code, refused.stderr) == (
        1, f"Error: {address} is taken: end what listens there, or choose another\n",
    )  # fmt: skip
    once = {"ORGCTX_METRICS_BIND": address, "ORGCTX_BIND": address}
    assert f"{address} is taken" in deployment.cli("serve", **once).stderr
    with socket.socket(socket.AF_UNIX) as taken:
        taken.bind(str(tmp_path / "socket"))
        taken.listen()
        refused = deployment.cli("serve", "--bind", f"unix:{tmp_path}/socket")
    assert "is taken" in refused.stderr


def test_ctrl_c_leaves_no_traceback_however_early(deployment: Deployment) -> None:
    """This holds even while gunicorn loads the service and does not handle signals yet."""
    for begun in ("Starting gunicorn", "Listening at", "Booting worker"):
        process = deployment.process("serve", "--bind", "127.0.0.1:0", start_new_session=True)
        assert process.stderr is not None
        said = ""
        while begun not in said:
            said += (line := process.stderr.readline())
            assert line, said
        os.killpg(process.pid, signal.SIGINT)
        _, rest = process.communicate(timeout=60)
        assert "Traceback" not in said + rest
        assert process.returncode in (0, -signal.SIGINT)


def test_ctrl_c_while_it_loads(deployment: Deployment) -> None:
    process = deployment.process("serve", "--bind", "127.0.0.1:0", start_new_session=True)
    command = Path(f"/proc/{process.pid}/cmdline")
    while b"orgctx.server" not in command.read_bytes():
        assert process.poll() is None, process.communicate()
        sleep(0.001)
    os.killpg(process.pid, signal.SIGINT)
    assert "Traceback" not in process.communicate(timeout=60)[1]


def settings(deployment: Deployment, **environment: str) -> dict[str, str]:
    """gunicorn's report of its settings."""
    inherited = {k: v for k, v in deployment.environment.items() if v is not None}
    base = {"PATH": os.environ["PATH"], "PYTHONPATH": str(TESTS.parent)}
    printed = subprocess.run(
        [
            sys.executable,
            "-m",
            "gunicorn",
            "-c",
            "python:orgctx.gunicorn",
            "--print-config",
            "wsgi:app",
        ],
        env={**base, **inherited, **environment},
        cwd=TESTS,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    lines = (line.partition("=") for line in printed.splitlines() if "=" in line)
    return {name.strip(): value.strip() for name, _, value in lines}


def test_settings(deployment: Deployment) -> None:
    shown = settings(deployment)
    assert "orgctx.server.worker.Worker" in shown["worker_class"]
    assert shown["keepalive"] == "75"
    assert shown["preload_app"] == "True"
    assert shown["control_socket_disable"] == "True"
    assert shown["accesslog"] == "None"
    assert 1 < int(shown["workers"]) <= 9
    assert shown["bind"] == "['127.0.0.1:8000']"


@pytest.mark.parametrize(
    ("environment", "bind", "workers"),
    [
        (
            {"ORGCTX_BASE_URL": "http://127.0.0.1:9001", "WEB_CONCURRENCY": "2"},
            "['127.0.0.1:9001']",
            "2",
        ),
        ({"ORGCTX_BIND": "0.0.0.0:80", "WEB_CONCURRENCY": "1"}, "['0.0.0.0:80']", "1"),
        (
            {"ORGCTX_BASE_URL": "https://api.example.com", "WEB_CONCURRENCY": "3"},
            "['127.0.0.1:8000']",
            "3",
        ),
    ],
)
def test_settings_from_the_environment(
    deployment: Deployment, environment: dict[str, str], bind: str, workers: str
) -> None:
    shown = settings(deployment, **environment)
    assert (shown["bind"], shown["workers"]) == (bind, workers)
