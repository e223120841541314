"""A release, built once per session, and servers that a container can reach.

mmdebstrap makes the base image, because the public one may be unreachable.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.release import AUDIT, Buildah, Release, build, repository
from tests.support.deployment import Deployment
from tests.support.processes import need, run
from tests.support.proxy import behind


@pytest.fixture(scope="session")
def buildah(in_memory: Path) -> Iterator[Buildah]:
    if os.geteuid() != 0:
        pytest.skip("buildah and mmdebstrap need root")
    need("buildah", "mmdebstrap", "git")
    directory = in_memory / "image"
    directory.mkdir(mode=0o700)
    try:
        yield Buildah(directory)
    finally:
        subprocess.run(["umount", "--recursive", "--quiet", directory / "storage"], check=False)
        shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def base(buildah: Buildah) -> str:
    """An image with Debian's Python, from the mirror of this machine's apt."""
    container = buildah("from", "scratch")
    release = run("sh", "-c", ". /etc/os-release && echo $VERSION_CODENAME").strip()
    hooks = [
        "ln -s python3 $1/usr/bin/python", "rm $1/usr/lib/python3*/EXTERNALLY-MANAGED",
        # The public image is as slim.
        "cd $1/usr/share && rm -r doc man locale info",
    ]  # fmt: skip
    run(
        "mmdebstrap", "--variant=minbase", "--mode=root", "--format=directory",
        "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr",
        "--include=usr-is-merged,python3,python3-venv,python3-pip,ca-certificates",
        *(f"--customize-hook={hook}" for hook in hooks), release, buildah("mount", container),
    )  # fmt: skip
    buildah("commit", "-q", "--rm", container, "localhost/python")
    return "localhost/python"


@pytest.fixture(scope="session")
def release(buildah: Buildah, base: str, tmp_path_factory: pytest.TempPathFactory) -> Release:
    if not AUDIT.is_dir():
        pytest.skip("run `make sbom`, which installs the tools")
    source = repository(tmp_path_factory.mktemp("source"))
    return build(source, buildah.directory / "release", buildah, base)


@pytest.fixture
def tcp_deployment(deployment: Deployment) -> Iterator[Deployment]:
    """The deployment through TCP, for processes that cannot reach the sockets of its servers."""
    with behind(deployment) as (through, _, _):
        yield through
