"""A release is complete, and its image has the right content, serves, and stops gracefully.

These tests share one build, so they are in one file.
"""

import json
import os
import platform
import signal
import subprocess
import tarfile
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from time import sleep
from zipfile import ZipFile

import pytest

from orgctx import __version__
from tests.deploy.release import PIP_FILES, PROGRAMS, SOURCE_URL, Buildah, Release, install
from tests.deploy.test_wheel import locked
from tests.mcp.endpoint import call
from tests.support import factories as make
from tests.support.deployment import UNLIMITED, Deployment
from tests.support.processes import ROOT, descendants, free_port, run, wait
from tests.support.service import Running, head, receive
from tests.support.written import written

pytestmark = [pytest.mark.system, pytest.mark.timeout(1200)]

MACHINE = platform.machine()
USER = "10001:10001"
# 250 MB.
MAX_MEBIBYTES = 238
LABELS = ("version", "revision", "source")
SITE = "opt/orgctx/lib/python3*/site-packages"


@pytest.fixture(scope="module")
def container(buildah: Buildah, release: Release) -> str:
    return buildah("from", release.image)


@pytest.fixture(scope="module")
def files(buildah: Buildah, container: str) -> Path:
    """The file system of the image, mounted on this machine."""
    return Path(buildah("mount", container))


def distributions(files: Path) -> set[str]:
    """The names of the distributions that an image contains, without orgctx."""
    names = {path.name.split("-")[0] for path in files.glob(f"{SITE}/*.dist-info")}
    return {name.lower().replace("_", "-").replace(".", "-") for name in names} - {"orgctx"}


def test_image_has_no_settings_of_the_build_machine(
    buildah: Buildah, release: Release, files: Path
) -> None:
    described = json.loads(buildah("inspect", "--type", "image", release.image))["Docker"]
    environment = described["config"]["Env"]
    assert not [value for value in environment if value.startswith(("PIP_", "ORGCTX_", "SSL_"))]
    paths = [path for name in PIP_FILES if (path := Path(name).expanduser()).is_file()]
    lines = [line for path in paths for line in path.read_text().splitlines()]
    values = {line.partition("=")[2].strip() for line in lines}
    foreign = {value for value in values if "://" in value} | {str(ROOT)}
    folders = [files / "opt", files / "srv", files / "root", files / "home"]
    for path in [files / "etc/pip.conf", *(path for top in folders for path in top.rglob("*"))]:
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            assert not [value for value in foreign if value.encode() in content], path


def test_image_contains_the_core_and_its_bill_of_materials(files: Path) -> None:
    bill = json.loads((files / "opt/orgctx/share/sbom/orgctx.cdx.json").read_text())
    assert bill["metadata"]["component"]["name"] == "orgctx"
    assert distributions(files) <= {component["name"] for component in bill["components"]}
    assert distributions(files) <= locked("deploy/requirements.txt").keys()


def test_image_states_its_version(buildah: Buildah, release: Release) -> None:
    described = json.loads(buildah("inspect", "--type", "image", release.image))["Docker"]
    labels = described["config"]["Labels"]
    stated = {name: labels[f"org.opencontainers.image.{name}"] for name in LABELS}
    assert stated == {"version": __version__, "revision": release.commit, "source": SOURCE_URL}


def test_image_stays_small(files: Path) -> None:
    sizes = {name: int(run("du", "-sxm", files / name).split()[0]) for name in (".", "opt/orgctx")}
    print(f"image: {sizes['.']} MiB, of which {sizes['opt/orgctx']} MiB in /opt/orgctx")
    assert sizes["."] < MAX_MEBIBYTES


def test_image_with_importers_imports(
    buildah: Buildah, base: str, tcp_deployment: Deployment, tmp_path: Path
) -> None:
    name = install(buildah, base, "requirements-importers.txt")
    tcp_deployment.load(make.everything())
    (tmp_path / "note.md").write_text("# Tides\n")
    tmp_path.chmod(0o755)
    options = [f"--env={key}={value}" for key, value in tcp_deployment.settings.items()]
    command = ["/opt/orgctx/bin/orgctx", "import", "folder", "/docs", "--organization", make.ACME]
    report = buildah(
        "run", "--isolation", "chroot", "--user", USER, "-v", f"{tmp_path}:/docs:ro", *options,
        buildah("from", name), "--", *command, "--source", "docs:tides", "--json",
    )  # fmt: skip
    assert json.loads(report)["created"] == 2


def test_image_serves_and_stops_gracefully(
    buildah: Buildah, container: str, tcp_deployment: Deployment
) -> None:
    tcp_deployment.load_acme()
    key = tcp_deployment.issue_key(make.ACME, make.OWNER)
    port = free_port()
    limits = {f"ORGCTX_LIMIT_{name}": str(UNLIMITED) for name in ("IP", "KEY", "ORGANIZATION")}
    values = (tcp_deployment.settings | limits).items()
    options = ["--isolation", "chroot", "--user", USER, *(f"--env={k}={v}" for k, v in values)]
    serve = ["orgctx", "serve", "--bind", f"127.0.0.1:{port}"]
    with written.log(port) as log:
        process = subprocess.Popen(
            [*buildah.command, "run", *options, container, "--", *serve], stderr=log
        )
        running = Running(port, process)
        try:
            wait(process, port)
            assert running.get("/api/v1/context", key).status == 200
            assert "result" in running.post(call("get_context", {}), key).body
            with ThreadPoolExecutor(4) as pool:
                futures = [pool.submit(statuses_until_stopped, running, key) for _ in range(4)]
                sleep(1)
                os.kill(master_of(process.pid), signal.SIGTERM)
                statuses = {status for future in futures for status in future.result(timeout=60)}
            assert statuses == {200}
            assert process.wait(30) == 0
        finally:
            process.kill()
            process.wait()


def master_of(pid: int) -> int:
    """The gunicorn master: the first descendant that runs it."""
    for child in descendants(pid):
        command = Path(f"/proc/{child}/cmdline").read_bytes()
        if b"orgctx.server" in command and b"buildah" not in command:
            return child
    raise AssertionError("no gunicorn")


def statuses_until_stopped(running: Running, key: str) -> list[int]:
    """Request until nothing listens any more; a response that breaks off counts as 0."""
    statuses: list[int] = []
    for _ in range(5000):
        try:
            connection = running.connect()
        except OSError:
            break
        with connection:
            try:
                connection.sendall(head("/api/v1/context", key, "Connection: close"))
                statuses.append(receive(connection).status)
            except ConnectionResetError:
                break
            except (OSError, HTTPException):
                statuses.append(0)
                break
    return statuses


def test_release_is_complete(release: Release) -> None:
    assert {path.name for path in release.directory.iterdir()} == {
        f"orgctx-{__version__}-py3-none-any.whl",
        f"orgctx-{__version__}.tar.gz",
        f"orgctx-{__version__}.cdx.json",
        f"orgctx-{__version__}-{MACHINE}.tar",
        f"SHA256SUMS-{MACHINE}",
    }
    run("sha256sum", "--check", "--strict", f"SHA256SUMS-{MACHINE}", cwd=release.directory)


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
