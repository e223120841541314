"""`make release` builds everything from one commit and states its provenance."""

import json
import os
import platform
import re
import subprocess
import tarfile
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from jsonschema import Draft7Validator
from packaging.version import Version

from orgctx import __version__
from tests.deploy.release import PROGRAMS, Buildah, Release, git, repository, run
from tests.support.processes import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").iterdir())
MACHINE = platform.machine()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_pins_actions_and_has_limits(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert job["timeout-minutes"] <= 90, name
        assert job["permissions"], name
    audited = subprocess.run(
        [ROOT / ".venv/bin/zizmor", "--offline", "--quiet", "--no-config", path],
        capture_output=True, text=True,
    )  # fmt: skip
    assert audited.returncode == 0, audited.stdout


def release_of(directory: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["deploy/release.sh", directory / "dist"], cwd=directory, capture_output=True, text=True
    )


@pytest.mark.system
def test_release_rejects_what_is_not_committed_or_tagged(tmp_path: Path) -> None:
    source = repository(tmp_path)
    (source / "LICENSE").write_text("another")
    assert "commit or discard" in release_of(source).stderr
    git(source, "checkout", "-q", "LICENSE")
    git(source, "tag", "v0.0.1")
    assert f"the tag is v0.0.1, the version {__version__}" in release_of(source).stderr
    git(source, "tag", "-d", "v0.0.1")
    git(source, "tag", f"v{__version__}")
    lock = source / "sql/schema/released.sha256"
    assert "released.sha256 does not list" in release_of(source).stderr
    lock.write_text(run("sh", "-c", "sha256sum -- *.sql", cwd=lock.parent))
    git(source, "commit", "-q", "-a", "-m", "Released migrations")
    git(source, "tag", "-f", f"v{__version__}")
    heading = f"\n## {__version__} (unreleased)\n"
    changes = source / "CHANGELOG.md"
    changes.write_text(changes.read_text().replace(f"\n## {__version__}\n", heading))
    if git(source, "status", "--porcelain"):
        git(source, "commit", "-q", "-a", "-m", "Not yet")
        git(source, "tag", "-f", f"v{__version__}")
    assert "no dated heading" in release_of(source).stderr
    (source / "dist/something").touch()
    done = release_of(source)
    assert "is not empty" in done.stderr
    assert done.returncode == 1


def names(release: Release) -> set[str]:
    return {path.name for path in release.directory.iterdir()}


@pytest.mark.system
@pytest.mark.timeout(1200)
def test_release_is_complete(release: Release) -> None:
    assert names(release) == {
        f"orgctx-{__version__}-py3-none-any.whl",
        f"orgctx-{__version__}.tar.gz",
        f"orgctx-{__version__}.cdx.json",
        f"orgctx-{__version__}-{MACHINE}.tar",
        f"orgctx-{__version__}-{MACHINE}.provenance.json",
        f"SHA256SUMS-{MACHINE}",
    }
    run("sha256sum", "--check", "--strict", f"SHA256SUMS-{MACHINE}", cwd=release.directory)
    statement = json.loads(
        (release.directory / f"orgctx-{__version__}-{MACHINE}.provenance.json").read_text()
    )
    subjects = {file["name"]: file["digest"]["sha256"] for file in statement["subject"]}
    unnamed = {f"orgctx-{__version__}-{MACHINE}.provenance.json", f"SHA256SUMS-{MACHINE}"}
    assert subjects.keys() == names(release) - unnamed
    for name, digest in subjects.items():
        assert sha256((release.directory / name).read_bytes()).hexdigest() == digest
    dependencies = statement["predicate"]["buildDefinition"]["resolvedDependencies"]
    digests = {dependency["name"]: dependency["digest"] for dependency in dependencies}
    assert digests["source"] == {"gitCommit": release.commit}
    lock = sha256((ROOT / "deploy/requirements.txt").read_bytes()).hexdigest()
    assert digests["deploy/requirements.txt"] == {"sha256": lock}


@pytest.mark.system
@pytest.mark.timeout(1200)
def test_source_builds_the_same_wheel(release: Release, tmp_path: Path) -> None:
    with tarfile.open(release.directory / f"orgctx-{__version__}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    source = tmp_path / f"orgctx-{__version__}"
    options = ("--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path))
    environment = {"PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
    run("python", "-m", "pip", "wheel", "-q", *options, ".", cwd=source, **environment)
    name = f"orgctx-{__version__}-py3-none-any.whl"
    with ZipFile(tmp_path / name) as ours, ZipFile(release.directory / name) as theirs:
        contents = [{i.filename: i.CRC for i in file.infolist()} for file in (ours, theirs)]
    assert contents[0] == contents[1]


@pytest.mark.system
@pytest.mark.timeout(1200)
def test_images_are_published_as_one_manifest(release: Release, buildah: Buildah) -> None:
    target = buildah.directory / "pushed"
    destination = f"oci:{target}:{__version__}"
    command = " ".join(buildah.command)
    digest = run("deploy/publish.sh", release.directory, destination, BUILDAH=command).strip()
    (manifest,) = json.loads((target / "index.json").read_text())["manifests"]
    assert manifest["digest"] == digest
    blob = target / "blobs" / digest.replace(":", "/")
    (image,) = json.loads(blob.read_text())["manifests"]
    assert image["platform"]["os"] == "linux"


# server.json, which the MCP registry lists: its address is a template, and its key a secret


PLACEHOLDER = re.compile(r"\{(\w+)\}")
# A file with the schema of the registry, whose address is in server.json.
SCHEMA = "ORGCTX_TEST_SERVER_SCHEMA"


@pytest.fixture(scope="module")
def server() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((ROOT / "server.json").read_text("utf-8"))
    return document


def test_server_has_the_version_of_the_package(server: dict[str, Any]) -> None:
    assert server["version"] == Version(__version__).base_version
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


@pytest.mark.skipif(SCHEMA not in os.environ, reason=f"{SCHEMA} names no file with the schema")
def test_server_has_the_form_of_the_registry(server: dict[str, Any]) -> None:
    schema = json.loads(Path(os.environ[SCHEMA]).read_bytes())
    assert schema["$id"] == server["$schema"]
    Draft7Validator(schema).validate(server)
