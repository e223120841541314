"""`make release` takes what is committed and tagged; workflows and server.json fit it."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.version import Version

from orgctx import __version__
from tests.deploy.release import AUDIT, git, repository
from tests.support.processes import ROOT, run

DEPLOY = ROOT / "deploy"
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
LOCKED = re.compile(r"^([a-z0-9.-]+)(?:\[.*\])?==(\S+)(.*(?:\n    --hash.*)+)", re.MULTILINE)
WORKFLOWS = sorted((ROOT / ".github/workflows").iterdir())


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_pins_actions_and_has_limits(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert job["timeout-minutes"] <= 90, name
        assert job["permissions"], name
    run(ROOT / ".venv/bin/zizmor", "--offline", "--quiet", "--no-config", path)


def release_of(directory: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["deploy/release.sh", directory / "dist"], cwd=directory, capture_output=True, text=True
    )


def commit_and_tag(source: Path) -> None:
    git(source, "add", "--all")
    git(source, "commit", "-q", "-m", "Another state")
    git(source, "tag", "-f", f"v{__version__}")


@pytest.mark.system
def test_release_rejects_what_is_not_committed_or_tagged(tmp_path: Path) -> None:
    source = repository(tmp_path)
    (source / "LICENSE").write_text("another")
    assert "commit or discard" in release_of(source).stderr
    git(source, "checkout", "-q", "LICENSE")
    git(source, "tag", "v0.0.1")
    assert f"the tag is v0.0.1, the version {__version__}" in release_of(source).stderr
    git(source, "tag", "-d", "v0.0.1")
    (source / "sql/schema/999_newer.sql").write_text("SELECT 1;\n")
    commit_and_tag(source)
    assert "released.sha256 does not list" in release_of(source).stderr
    (source / "sql/schema/999_newer.sql").unlink()
    lock = source / "sql/schema/released.sha256"
    lock.write_text(run("sh", "-c", "sha256sum -- *.sql", cwd=lock.parent))
    changes = source / "CHANGELOG.md"
    changes.write_text(re.sub(r"\n## .*", f"\n## {__version__} (unreleased)", changes.read_text()))
    commit_and_tag(source)
    assert "no dated heading" in release_of(source).stderr
    (source / "dist/something").touch()
    done = release_of(source)
    assert "is not empty" in done.stderr
    assert done.returncode == 1


@pytest.mark.system
@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-importers.txt"])
def test_bill_of_materials_is_the_lock(lock: str, tmp_path: Path) -> None:
    if not AUDIT.is_dir() and not os.environ.get("ORGCTX_TEST_AUDIT_TOOLS"):
        pytest.skip("run `make sbom`, which installs the tool")
    environment = os.environ | {"PATH": f"{AUDIT}{os.pathsep}{os.environ['PATH']}"}
    files = [tmp_path / "first.json", tmp_path / "second.json"]
    for file in files:
        subprocess.run(["sh", DEPLOY / "sbom.sh", file, lock], env=environment, check=True)
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
    pins = LOCKED.findall((DEPLOY / lock).read_text())
    assert components == {(name, version): {*HASH.findall(rest)} for name, version, rest in pins}


# server.json, which the MCP registry lists: its address is a template, and its key a secret


PLACEHOLDER = re.compile(r"\{(\w+)\}")


@pytest.fixture(scope="module")
def server() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((ROOT / "server.json").read_text("utf-8"))
    return document


def test_server_and_chart_have_the_version_of_the_package(server: dict[str, Any]) -> None:
    chart = yaml.safe_load((DEPLOY / "helm/Chart.yaml").read_text())
    assert chart["appVersion"] == __version__.removesuffix(".dev0")  # the tag of the image
    # They want 1.0.0-rc.1.
    assert {Version(each["version"]) for each in (chart, server)} == {Version(chart["appVersion"])}
    assert len(server["description"]) <= 100


def test_server_declares_host_and_key(server: dict[str, Any]) -> None:
    (remote,) = server["remotes"]
    (header,) = remote["headers"]
    assert (remote["type"], remote["url"]) == ("streamable-http", "https://{host}/api/mcp")
    for template, owner in ((remote["url"], remote), (header["value"], header)):
        assert set(PLACEHOLDER.findall(template)) == owner["variables"].keys()
        assert all(variable["isRequired"] for variable in owner["variables"].values())
    assert (header["name"], header["isSecret"]) == ("Authorization", True)
    assert header["variables"]["api_key"]["isSecret"] is True
