"""A release, built once for all tests that look at parts of it.

The public base image cannot be assumed to be reachable; debootstrap makes one in its place.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.release import AUDIT, Buildah, Release, build, repository, run
from tests.support.programs import need


@pytest.fixture(scope="session")
def buildah() -> Iterator[Buildah]:
    if os.geteuid() != 0:
        pytest.skip("debootstrap needs root")
    need("buildah", "debootstrap", "git")
    # Not below pytest's own directory: what is searched for secrets afterwards is not a system.
    directory = Path("/var/tmp") / f"orgctx-image-{os.getpid()}"
    directory.mkdir(mode=0o700)
    try:
        yield Buildah(directory)
    finally:
        subprocess.run(["umount", "--recursive", "--quiet", directory / "storage"], check=False)
        shutil.rmtree(directory, ignore_errors=True)


def mirror() -> str:
    """Where this machine's apt gets Debian's packages from."""
    uris = run("apt-get", "install", "--print-uris", "--reinstall", "-qq", "hostname")
    return uris.split("'")[1].partition("/pool/")[0]


@pytest.fixture(scope="session")
def base(buildah: Buildah) -> str:
    """An image with Debian's Python."""
    root = buildah.directory / "rootfs"
    packages = "python3,python3-venv,python3-pip,ca-certificates"
    release = run("sh", "-c", ". /etc/os-release && echo $VERSION_CODENAME").strip()
    run("debootstrap", "--variant=minbase", f"--include={packages}", release, root, mirror())
    (root / "usr/bin/python").symlink_to("python3")
    for marker in root.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
        marker.unlink()
    for lists in ("var/cache/apt/archives", "var/lib/apt/lists"):
        shutil.rmtree(root / lists)
        (root / lists / "partial").mkdir(parents=True)
    container = buildah("from", "scratch")
    buildah("add", "-q", container, root, "/")
    buildah("commit", "-q", "--rm", container, "localhost/python")
    shutil.rmtree(root)
    return "localhost/python"


@pytest.fixture(scope="session")
def release(buildah: Buildah, base: str, tmp_path_factory: pytest.TempPathFactory) -> Release:
    if not AUDIT.is_dir():
        pytest.skip("`make sbom` installs the tools")
    source = repository(tmp_path_factory.mktemp("source"))
    # Beside the storage: what is searched for secrets afterwards is no image.
    return build(source, buildah.directory / "release", buildah, base)
