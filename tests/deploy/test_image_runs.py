"""buildah runs the image of a release: it has the right content, serves, and ends well."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.deploy.release import PIP_FILES, Buildah, Release, run
from tests.mcp.endpoint import call
from tests.mcp.served import ROOT, free_port
from tests.support import factories as make
from tests.support.deployment import UNLIMITED, Deployment
from tests.support.programs import descendants
from tests.support.proxy import (
    Proxy,
    database_address,
    database_through,
    redis_address,
    redis_through,
)
from tests.support.service import Running, head, receive
from tests.support.written import written

pytestmark = [pytest.mark.system, pytest.mark.timeout(1200)]

USER = "10001:10001"
# Facts about the build machine that the image must not contain.
SETTINGS = ("index-url", "find-links", "extra-index-url", "cert", "trusted-host")
MOST_MEBIBYTES = 420


@pytest.fixture(scope="module")
def image(release: Release) -> str:
    return release.image


@pytest.fixture(scope="module")
def container(buildah: Buildah, image: str) -> str:
    return buildah("from", image)


@pytest.fixture(scope="module")
def files(buildah: Buildah, container: str) -> Path:
    """The image's file system, mounted on this machine."""
    return Path(buildah("mount", container))


def test_what_it_says_of_itself(buildah: Buildah, image: str) -> None:
    described = json.loads(buildah("inspect", "--type", "image", image))["Docker"]
    config = described["config"]
    assert config["User"] == USER
    assert config["StopSignal"] == "SIGTERM"
    assert "/healthz" in config["Healthcheck"]["Test"][-1]
    assert config["Cmd"] == ["orgctx", "serve", "--bind", "0.0.0.0:8000"]
    assert not [one for one in config["Env"] if one.startswith(("PIP_", "ORGCTX_", "SSL_"))]


def test_no_trace_of_the_machine_that_built_it(files: Path) -> None:
    settings = {
        line.split("=", 1)[1].strip()
        for name in PIP_FILES
        if Path(name).expanduser().is_file()
        for line in Path(name).expanduser().read_text().splitlines()
        if line.split("=", 1)[0].strip() in SETTINGS
    }
    foreign = {one for one in settings if "://" in one} | {str(ROOT)}
    kept = [files / "opt", files / "srv", files / "root", files / "home", files / "etc/pip.conf"]
    for path in (one for top in kept for one in [top, *top.rglob("*")]):
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            assert not [one for one in foreign if one.encode() in content], path


def test_its_bill_of_materials(files: Path) -> None:
    bill = json.loads((files / "opt/orgctx/share/sbom/orgctx.cdx.json").read_text())
    assert bill["metadata"]["component"]["name"] == "orgctx"
    listed = {one["name"].lower().replace("_", "-") for one in bill["components"]}
    installed = {
        path.name.split("-")[0].lower().replace("_", "-")
        for path in files.glob("opt/orgctx/lib/python3*/site-packages/*.dist-info")
    }
    assert installed - {"orgctx"} <= listed


def test_its_size(files: Path) -> None:
    """Print the size, and fail if it grows noticeably."""
    mebibytes = {
        name: int(run("du", "-sxm", files / name).split()[0]) for name in (".", "opt/orgctx")
    }
    print(
        f"image: {mebibytes['.']} MiB, of which orgctx with all it needs {mebibytes['opt/orgctx']}"
    )
    assert mebibytes["."] < MOST_MEBIBYTES


@pytest.fixture
def reached(deployment: Deployment) -> Iterator[Deployment]:
    """The servers by TCP: a container has no socket of theirs."""
    database, redis = deployment.database_url, deployment.redis_url
    with Proxy(database_address(database)) as one, Proxy(redis_address(redis)) as other:
        yield Deployment(database_through(one, database), redis_through(other, redis))


def test_it_serves_and_ends_while_it_is_asked(
    buildah: Buildah, container: str, files: Path, reached: Deployment
) -> None:
    reached.load(make.everything())
    reached.approve(make.ACME, make.OWNER)
    key = reached.issue_key(make.ACME, make.OWNER)
    port = free_port()
    values = {name: value for name, value in reached.environment.items() if value is not None}
    values |= {f"ORGCTX_LIMIT_{name}": str(UNLIMITED) for name in ("IP", "KEY", "ORGANIZATION")}
    settings = [one for name, value in values.items() for one in ("--env", f"{name}={value}")]
    serve = ["orgctx", "serve", "--bind", f"127.0.0.1:{port}"]
    options = ["--isolation", "chroot", "--user", USER, *settings]
    began = files / "tmp"
    before = began.stat().st_mtime_ns
    with written.log(port) as log:
        process = subprocess.Popen(
            [*buildah.command, "run", *options, container, "--", *serve], stderr=log
        )
        running = Running(port, process)
        try:
            await_ready(running)
            assert running.get("/api/v1/context", key).status == 200
            assert "result" in ask_tool(running, key)
            master = served_by(process.pid)
            assert set(Path(f"/proc/{master}/status").read_text().split("Uid:")[1].split()[:4]) == {
                "10001"
            }
            with ThreadPoolExecutor(4) as pool:
                asked = [pool.submit(ask_until_refused, running, key) for _ in range(4)]
                sleep(1)
                os.kill(master, signal.SIGTERM)
                answered = [one.result(timeout=60) for one in asked]
            assert {status for statuses in answered for status in statuses} == {200}
            assert process.wait(30) == 0
        finally:
            process.kill()
            process.wait()
    assert began.stat().st_mtime_ns == before
    changed = run("find", files, "-xdev", "-newer", files / "tmp", "-user", "10001")
    assert changed == ""


def await_ready(running: Running) -> None:
    end = monotonic() + 60
    while monotonic() < end:
        try:
            if running.get("/readyz").status == 200:
                return
        except OSError:
            pass
        assert running.process.poll() is None
        sleep(0.1)
    raise AssertionError("the image does not become ready")


def served_by(pid: int) -> int:
    """gunicorn's master: the first of the processes below that runs it."""
    for one in descendants(pid):
        command = Path(f"/proc/{one}/cmdline").read_bytes()
        if b"orgctx.server" in command and b"buildah" not in command:
            return one
    raise AssertionError("no gunicorn")


def ask_tool(running: Running, key: str) -> Any:
    body = json.dumps(call("get_context", {})).encode()
    lines = ("Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close")
    with running.connect() as connection:
        connection.sendall(head("/api/mcp", key, *lines, method="POST") + body)
        return receive(connection).body


def ask_until_refused(running: Running, key: str) -> list[int]:
    """Statuses until nobody listens any more; an answer that breaks off counts as 0."""
    found: list[int] = []
    for _ in range(5000):
        try:
            connection = running.connect()
        except OSError:
            return found
        with connection:
            try:
                connection.sendall(head("/api/v1/context", key, "Connection: close"))
                found.append(receive(connection).status)
            except (OSError, HTTPException):
                return found if sys.exc_info()[0] is ConnectionResetError else [*found, 0]
    return found
