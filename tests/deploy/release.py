"""Run `deploy/release.sh` on a copy of the work tree, with buildah in a storage of its own."""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from orgctx import __version__
from tests.support.processes import ROOT, run

PIP_FILES = ("/etc/pip.conf", "~/.config/pip/pip.conf", "~/.pip/pip.conf")
AUDIT = Path(os.environ.get("ORGCTX_TEST_AUDIT_TOOLS") or ROOT / ".venv/audit/bin").absolute()
SOURCE_URL = "https://example.com/orgctx"
PROGRAMS = os.pathsep.join([str(Path(sys.executable).parent), str(AUDIT)])


class Buildah:
    """buildah with a storage of its own."""

    def __init__(self, directory: Path) -> None:
        folders = ["--root", directory / "storage", "--runroot", directory / "run"]
        self.directory = directory
        self.command = ["buildah", *map(str, folders), "--storage-driver", "vfs"]

    def __call__(self, *arguments: object) -> str:
        return run(*self.command, *arguments).strip()


@dataclass(frozen=True)
class Release:
    """The files of a release, and the name of its image in the storage of buildah."""

    directory: Path
    commit: str
    image: str = f"localhost/orgctx:{__version__}"


def repository(directory: Path) -> Path:
    """Create a repository with one commit of the current work tree."""
    for name in run("git", "ls-files", "-coz", "--exclude-standard").split("\0"):
        if name and (ROOT / name).is_file():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, directory / name, follow_symlinks=False)
    git(directory, "init", "-q")
    git(directory, "add", "--all")
    git(directory, "commit", "-q", "-m", "All of it")
    return directory


def git(repository: Path, *arguments: str) -> str:
    author = ("-c", "user.name=Test", "-c", "user.email=test@example.com")
    return run("git", *author, "-c", "commit.gpgsign=false", *arguments, cwd=repository).strip()


def bud_options() -> list[str]:
    """Options of `buildah bud` that lend the certificates and the pip settings of this machine."""
    files = [path for name in PIP_FILES if (path := Path(name).expanduser()).is_file()]
    volumes = [
        "/etc/ssl/certs:/etc/ssl/certs:ro",
        *(f"{path}:/etc/pip.conf:ro" for path in files[-1:]),
    ]
    return ["--isolation=chroot", "--network=host", *(f"--volume={volume}" for volume in volumes)]


def build(repository: Path, directory: Path, buildah: Buildah, base: str) -> Release:
    """Run the script as `make release` does."""
    environment = {
        "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
        "BUILDAH": " ".join(buildah.command),
        "BUD": " ".join(bud_options()),
        "PYTHON_IMAGE": base,
        "SOURCE_URL": SOURCE_URL,
    }
    run("deploy/release.sh", directory, cwd=repository, **environment)
    return Release(directory, git(repository, "rev-parse", "HEAD"))


def install(buildah: Buildah, base: str, requirements: str) -> str:
    """Build the stage of the image that installs, with other requirements. Returns its name.

    The later stages do the same with any requirements, and take minutes.
    """
    name = "localhost/orgctx-importers"
    arguments = [f"--build-arg=PYTHON={base}", f"--build-arg=REQUIREMENTS={requirements}"]
    buildah("bud", "-q", *bud_options(), *arguments, "--target=build", "--tag", name, ROOT)
    return name
