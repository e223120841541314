"""orgctx serve runs gunicorn with the settings of orgctx.gunicorn until it is stopped."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from tests.support.deployment import TESTS, Deployment
from tests.support.service import Running


@pytest.mark.thorough
def test_serve_tells_systemd_and_stops_on_sigterm(
    deployment: Deployment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With Type=notify, `systemctl restart` returns when the service listens."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(60)
        process = deployment.process("serve", "--bind", "127.0.0.1:0")
        try:
            assert process.stderr
            lines = [process.stderr.readline()]
            while not (found := re.search(r"Listening at: http://127\.0\.0\.1:(\d+)", lines[-1])):
                lines.append(process.stderr.readline())
                assert lines[-1], "gunicorn ended"
            running = Running(int(found[1]), process)  # type: ignore[arg-type]
            assert systemd.recv(100).startswith(b"READY=1\n")
            assert "see ORGCTX_BASE_URL" in json.loads(lines[0])["message"]
            assert running.get("/readyz").status == 200
            assert running.get("/api/v1/context").status == 401
        finally:
            process.send_signal(signal.SIGTERM)
            _, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Traceback" not in log


@pytest.mark.parametrize(
    ("arguments", "environment", "text"),
    [
        ([], {"ORGCTX_REDIS_URL": ""}, "ORGCTX_REDIS_URL"),
        (["--bind", "nonsense"], {}, "ORGCTX_BIND: must be HOST:PORT, such as 127.0.0.1:8000"),
        (["--bind", "127.0.0.1:99999"], {}, "ORGCTX_BIND: must be HOST:PORT"),
        (["--bind", "203.0.113.9:8000"], {}, "Cannot listen on 203.0.113.9:8000: "),
        (["--bind", "no-such-host.invalid:80"], {}, "Cannot listen on no-such-host.invalid:80: "),
        ([], {"WEB_CONCURRENCY": "many"}, "WEB_CONCURRENCY must be an integer of at least 1"),
        ([], {"WEB_CONCURRENCY": "0"}, "WEB_CONCURRENCY must be an integer of at least 1"),
    ],
)
def test_serve_rejects_unusable_settings_at_once(
    shared_deployment: Deployment, arguments: list[str], environment: dict[str, str], text: str
) -> None:
    before = dict(os.environ)
    result = shared_deployment.cli("serve", *arguments, **environment)
    assert os.environ == before
    assert result.exit_code == 1
    assert text in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stderr.count("\n") <= 2


def test_serve_rejects_an_address_in_use(deployment: Deployment) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        error = deployment.cli("serve", "--bind", address).failed()
    assert f"Cannot listen on {address}: Address already in use" in error


@pytest.mark.thorough
@pytest.mark.parametrize("line", ["", "Starting gunicorn", "Listening at", "Booting worker"])
def test_ctrl_c_leaves_no_traceback(deployment: Deployment, line: str) -> None:
    """After a log line, or while gunicorn starts and handles no signals yet."""
    process = deployment.process("serve", "--bind", "127.0.0.1:0", start_new_session=True)
    assert process.stderr is not None
    command = Path(f"/proc/{process.pid}/cmdline")
    while b"orgctx.server" not in command.read_bytes():
        assert process.poll() is None, process.communicate()
        sleep(0.001)
    log = ""
    while line not in log:
        log += (new_line := process.stderr.readline())
        assert new_line, log
    os.killpg(process.pid, signal.SIGINT)
    _, rest = process.communicate(timeout=60)
    assert "Traceback" not in log + rest
    assert process.returncode in (0, -signal.SIGINT)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("environment", "bind"),
    [
        ({}, "['127.0.0.1:8000']"),
        ({"ORGCTX_BASE_URL": "http://127.0.0.1:9001"}, "['127.0.0.1:9001']"),
        ({"ORGCTX_BASE_URL": "https://api.example.com"}, "['127.0.0.1:8000']"),
        ({"ORGCTX_BIND": "0.0.0.0:80", "WEB_CONCURRENCY": "3"}, "['0.0.0.0:80']"),
    ],
)
def test_gunicorn_settings_follow_the_environment(
    shared_deployment: Deployment, environment: dict[str, str], bind: str
) -> None:
    output = subprocess.run(
        [
            *(sys.executable, "-m", "gunicorn"),
            *("-c", "python:orgctx.gunicorn", "--print-config", "wsgi:app"),
        ],
        env={**shared_deployment.program_environment, **environment},
        cwd=TESTS,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    lines = (line.partition("=") for line in output.splitlines() if "=" in line)
    settings = {name.strip(): value.strip() for name, _, value in lines}
    assert settings["http_parser"] == "python"
    assert settings["bind"] == bind
    workers = environment.get("WEB_CONCURRENCY", settings["workers"])
    assert 1 < int(settings["workers"]) == int(workers) <= 9
    assert "orgctx.server.worker.Worker" in settings["worker_class"]
    fixed = {"keepalive": "75", "preload_app": "True", "accesslog": "None"}
    assert fixed.items() <= settings.items()
    assert settings["control_socket_disable"] == "True"
