"""orgctx serve: gunicorn with our settings, until it is told to end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from http.client import HTTPConnection

import pytest

from tests.support.deployment import TESTS, Deployment


def await_port(process: subprocess.Popen[str]) -> int:
    """The port that gunicorn says it listens on."""
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"Listening at: http://127\.0\.0\.1:(\d+)", line):
            return int(found[1])
    raise AssertionError("gunicorn ended")


def read(port: int, path: str) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
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
        _, logged = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Traceback" not in logged


def test_a_broken_environment_is_named(deployment: Deployment) -> None:
    result = deployment.cli("serve", ORGCTX_REDIS_URL=None)
    assert result.exit_code == 1
    assert "ORGCTX_REDIS_URL" in result.stderr


def settings(deployment: Deployment, **environment: str) -> dict[str, str]:
    """gunicorn's own report of what it would run with."""
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
