"""`make audit` and `make sbom` run with tools that they install and a local advisory service."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.mcp.served import ROOT, free_port

DEPLOY = ROOT / "deploy"
GIVEN = os.environ.get("ORGCTX_TEST_AUDIT_TOOLS")
TOOLS = Path(GIVEN or ROOT / ".venv/audit/bin").absolute()
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
LOCKED = re.compile(r"^([a-z0-9.-]+)(?:\[.*\])?==(\S+)(.*(?:\n    --hash.*)+)", re.MULTILINE)


def locked(*paths: Path) -> dict[tuple[str, str], set[str]]:
    """(name, version) → hashes, whatever the platform."""
    found = [one for path in paths for one in LOCKED.findall(path.read_text())]
    return {(name, version): set(HASH.findall(rest)) for name, version, rest in found}


class Advisories(BaseHTTPRequestHandler):
    """Answers as OSV does."""

    wbufsize = -1
    known: dict[str, str]
    asked: set[str]

    def do_POST(self) -> None:
        name = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["package"]["name"]
        self.asked.add(name)
        package = {"name": name, "ecosystem": "PyPI"}
        affected = [{"package": package, "ranges": [], "versions": []}]
        ids = [self.known[name]] if name in self.known else []
        found = {"vulns": [{"id": one, "affected": affected} for one in ids]} if ids else {}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(found).encode())

    def log_message(self, *_: object) -> None:
        """Log nothing, because the test reports the requests."""


@pytest.fixture(scope="module", autouse=True)
def _tools() -> None:
    if not TOOLS.is_dir() and not GIVEN:
        pytest.skip("`make sbom` installs the tools")


@pytest.fixture
def advisories() -> Iterator[type[Advisories]]:
    Advisories.known, Advisories.asked = {}, set()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Advisories)
    Advisories.port = server.server_port  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield Advisories
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the scripts, with a lock that names one package."""
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    for path in tmp_path.glob("deploy/requirements*.txt"):
        path.unlink()
    lock = "colorama==0.4.6 ; sys_platform == 'win32' \\\n    --hash=sha256:" + "0" * 64 + "\n"
    (tmp_path / "deploy/requirements.txt").write_text(lock)
    return tmp_path / "deploy"


def run(script: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    path = f"{TOOLS}{os.pathsep}{os.environ['PATH']}"
    command = ["sh", str(script), *map(str, arguments)]
    return subprocess.run(
        command, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=120
    )


def audit(deploy: Path, port: int) -> subprocess.CompletedProcess[str]:
    return run(deploy / "audit.sh", "-s", "osv", "--osv-url", f"http://127.0.0.1:{port}/")


def test_every_locked_package_is_looked_up(advisories: type[Advisories]) -> None:
    done = audit(DEPLOY, advisories.port)  # type: ignore[attr-defined]
    assert done.returncode == 0, done.stderr
    assert advisories.asked == {name for name, _ in locked(*DEPLOY.glob("requirements*.txt"))}
    # Packages that only Windows or an older Python installs.
    assert {"colorama", "async-timeout", "gunicorn", "pip-audit", "ruff"} <= advisories.asked


def test_a_known_vulnerability_fails(copy: Path, advisories: type[Advisories]) -> None:
    advisories.known = {"colorama": "PYSEC-2026-1"}
    done = audit(copy, advisories.port)  # type: ignore[attr-defined]
    assert done.returncode == 1
    assert "PYSEC-2026-1" in done.stdout
    assert "NOT passed" in done.stderr


def test_without_an_advisory_service_it_fails(copy: Path) -> None:
    done = audit(copy, free_port())
    assert done.returncode == 1
    assert "Connection refused" in done.stderr
    assert "NOT passed" in done.stderr


def test_a_package_that_cannot_be_looked_up_fails(copy: Path, advisories: type[Advisories]) -> None:
    with (copy / "requirements.txt").open("a") as lock:
        lock.write("nameless @ http://127.0.0.1/nameless.whl --hash=sha256:" + "0" * 64 + "\n")
    done = audit(copy, advisories.port)  # type: ignore[attr-defined]
    assert done.returncode == 1
    assert "NOT passed" in done.stderr


def test_the_bill_of_materials_is_the_lock(tmp_path: Path) -> None:
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file in files:
        done = run(DEPLOY / "sbom.sh", file)
        assert done.returncode == 0, done.stderr
    assert files[0].read_bytes() == files[1].read_bytes()
    bill = json.loads(files[0].read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["name"] == "orgctx"
    found = {
        (one["name"], one["version"]): {
            each["content"] for link in one["externalReferences"] for each in link["hashes"]
        }
        for one in bill["components"]
    }
    assert found == locked(DEPLOY / "requirements.txt")
    assert len(found) > 30
