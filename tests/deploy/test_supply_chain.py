"""`make audit` and `make sbom`, with the tools that they install and a local advisory service."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distributions
from pathlib import Path
from threading import Thread

import pytest

from tests.deploy.release import AUDIT
from tests.support.processes import ROOT, free_port

DEPLOY = ROOT / "deploy"
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
LOCKED = re.compile(r"^([a-z0-9.-]+)(?:\[.*\])?==(\S+)(.*(?:\n    --hash.*)+)", re.MULTILINE)
NAMELESS = f"nameless @ http://127.0.0.1/nameless.whl --hash=sha256:{'0' * 64}\n"


def locked(*paths: Path) -> dict[tuple[str, str], set[str]]:
    """The hashes by (name, version), for all platforms."""
    pins = [pin for path in paths for pin in LOCKED.findall(path.read_text())]
    return {(name, version): set(HASH.findall(rest)) for name, version, rest in pins}


class Advisories(ThreadingHTTPServer):
    """An advisory service like OSV. vulnerable: the id of an advisory by package."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.vulnerable: dict[str, str] = {}
        self.requested: set[str] = set()


class Handler(BaseHTTPRequestHandler):
    wbufsize = -1
    server: Advisories

    def do_POST(self) -> None:
        name = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["package"]["name"]
        self.server.requested.add(name)
        affected = {"package": {"name": name, "ecosystem": "PyPI"}, "ranges": [], "versions": []}
        id_ = self.server.vulnerable.get(name)
        body = {"vulns": [{"id": id_, "affected": [affected]}]} if id_ else {}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: object) -> None:
        """Log nothing; the tests report the requests."""


@pytest.fixture(scope="module", autouse=True)
def _tools() -> None:
    if not AUDIT.is_dir() and not os.environ.get("ORGCTX_TEST_AUDIT_TOOLS"):
        pytest.skip("run `make sbom`, which installs the tools")


@pytest.fixture
def advisories() -> Iterator[Advisories]:
    with Advisories() as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the scripts, with one lock that names one package."""
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    for path in tmp_path.glob("deploy/requirements*.txt"):
        path.unlink()
    lock = f"colorama==0.4.6 ; sys_platform == 'win32' \\\n    --hash=sha256:{'0' * 64}\n"
    (tmp_path / "deploy/requirements.txt").write_text(lock)
    return tmp_path / "deploy"


def run(script: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{AUDIT}{os.pathsep}{os.environ['PATH']}"}
    command = ["sh", str(script), *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)


def audit(deploy: Path, port: int) -> subprocess.CompletedProcess[str]:
    return run(deploy / "audit.sh", "-s", "osv", "--osv-url", f"http://127.0.0.1:{port}/")


@pytest.mark.thorough
def test_audit_looks_every_locked_package_up(advisories: Advisories) -> None:
    done = audit(DEPLOY, advisories.server_port)
    assert done.returncode == 0, done.stderr
    assert advisories.requested == {name for name, _ in locked(*DEPLOY.glob("requirements*.txt"))}
    # Packages that only Windows or an older Python installs.
    assert {"colorama", "async-timeout", "gunicorn", "pip-audit", "ruff"} <= advisories.requested


def test_audit_fails_on_a_vulnerability(copy: Path, advisories: Advisories) -> None:
    advisories.vulnerable = {"colorama": "PYSEC-2026-1"}
    done = audit(copy, advisories.server_port)
    assert (done.returncode, "PYSEC-2026-1" in done.stdout) == (1, True)
    assert "audit failed" in done.stderr


@pytest.mark.thorough
def test_audit_fails_without_a_complete_answer(copy: Path, advisories: Advisories) -> None:
    unreachable = audit(copy, free_port())
    assert "Connection refused" in unreachable.stderr
    with (copy / "requirements.txt").open("a") as lock:
        lock.write(NAMELESS)
    for done in (unreachable, audit(copy, advisories.server_port)):
        assert (done.returncode, "audit failed" in done.stderr) == (1, True)


@pytest.mark.system
@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-importers.txt"])
def test_bill_of_materials_is_the_lock(lock: str, tmp_path: Path) -> None:
    files = [tmp_path / "first.json", tmp_path / "second.json"]
    for file in files:
        done = run(DEPLOY / "sbom.sh", file, lock, sys.executable)
        assert done.returncode == 0, done.stderr
    assert files[0].read_bytes() == files[1].read_bytes()
    bill = json.loads(files[0].read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["name"] == "orgctx"
    components = {
        (component["name"], component["version"]): {
            entry["content"] for link in component["externalReferences"] for entry in link["hashes"]
        }
        for component in bill["components"]
    }
    assert components == locked(DEPLOY / lock)
    unlicensed = {each["name"] for each in bill["components"] if "licenses" not in each}
    installed = {each.name.lower().replace("_", "-") for each in distributions()}
    assert not unlicensed & installed
    assert len(unlicensed) < len(components) / 10
