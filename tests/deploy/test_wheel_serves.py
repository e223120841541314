"""The wheel in a fresh environment serves, and with [demo] runs the demo."""

import json
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from orgctx import __version__
from orgctx.embedded import Servers
from tests.deploy.test_wheel import build
from tests.docs.pages import shell_environment
from tests.support import factories as make
from tests.support.deployment import new_database
from tests.support.processes import ROOT, free_port, started
from tests.support.service import Running

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]


def run(*command: object, cwd: Path, **environment: str) -> str:
    result = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env=shell_environment(**environment),
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment with the wheel."""
    directory = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", directory / "venv", cwd=directory)
    install(directory / "venv/bin", wheel, directory)
    return directory / "venv/bin"


def install(programs: Path, requirement: object, directory: Path) -> None:
    """Install a requirement with the command of the README."""
    options = ("-q", "-c", ROOT / "orgctx/constraints.txt")
    run(programs / "python", "-m", "pip", "install", *options, requirement, cwd=directory)


def test_wheel_leads_from_an_empty_database_to_an_answer(
    programs: Path, servers: Servers, redis_url: str, tmp_path: Path
) -> None:
    bundle = tmp_path / "acme.jsonl"
    bundle.write_text("".join(f"{json.dumps(record)}\n" for record in make.everything()))
    who = ("--organization", make.ACME, "--by", make.OWNER)
    rights = ("--access", "api", "--scope", "context:read", "--expires-in-days", "7")
    with new_database(servers.database_url) as url:
        values = {"ORGCTX_DATABASE_URL": url, "ORGCTX_REDIS_URL": redis_url}
        orgctx = partial(run, programs / "orgctx", cwd=tmp_path, **values)
        assert orgctx("--version").startswith(f"orgctx, version {__version__};")
        orgctx("migrate")
        orgctx("load", bundle)
        orgctx("sources", "approve", "--all", "--yes", *who)
        key = orgctx("keys", "issue", *who, *rights).strip()
        port = free_port()
        command = [str(programs / "orgctx"), "serve", "--bind", f"127.0.0.1:{port}"]
        with started(command, port, shell_environment(**values), stderr=subprocess.DEVNULL) as one:
            answer = Running(port, one).get("/api/v1/context", key)
        assert answer.body["data"]["organization"]["displayName"] == "Acme"


def test_demo_extra_runs_the_demo(programs: Path, wheel: Path, tmp_path: Path) -> None:
    install(programs, f"{wheel}[demo]", tmp_path)
    port = free_port()
    log = tmp_path / "log"
    with log.open("wb") as errors, subprocess.Popen(
        [programs / "orgctx", "demo", "--port", str(port), "--data-dir", tmp_path / "data"],
        cwd=tmp_path, env=shell_environment(), text=True, stdout=subprocess.PIPE, stderr=errors,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        keys = (match[0] for line in process.stdout if (match := re.search(r"octx_\w{40}", line)))
        key = next(keys, "")
        assert key, log.read_text()[-2000:]
        try:
            assert Running(port, process).get("/api/v1/context", key, timeout=30).status == 200  # type: ignore[arg-type]
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)
