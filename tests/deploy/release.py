"""`deploy/release.sh`, run for a copy of the work tree, with buildah in a storage of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from orgctx import __version__
from tests.mcp.served import ROOT

PIP_FILES = ("/etc/pip.conf", "~/.config/pip/pip.conf", "~/.pip/pip.conf")
AUDIT = Path(os.environ.get("ORGCTX_TEST_AUDIT_TOOLS") or ROOT / ".venv/audit/bin").absolute()
PROGRAMS = os.pathsep.join([str(Path(sys.executable).parent), str(AUDIT)])


def run(*command: object, cwd: Path = ROOT, **environment: str) -> str:
    """Standard output of a command that succeeds."""
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, cwd=cwd, env=os.environ | environment
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


class Buildah:
    """buildah with a storage of its own."""

    def __init__(self, directory: Path) -> None:
        places = ["--root", directory / "storage", "--runroot", directory / "run"]
        self.directory = directory
        self.command = ["buildah", *map(str, places), "--storage-driver", "vfs"]

    def __call__(self, *arguments: object) -> str:
        return run(*self.command, *arguments).strip()


@dataclass(frozen=True)
class Release:
    """What was built. image: its name in the storage of buildah."""

    directory: Path
    commit: str
    image: str = f"localhost/orgctx:{__version__}"


def repository(directory: Path) -> Path:
    """A repository of one commit that holds the work tree as it is."""
    listed = run("git", "ls-files", "-coz", "--exclude-standard").split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, directory / name, follow_symlinks=False)
    git(directory, "init", "-q")
    git(directory, "add", "--all")
    git(directory, "commit", "-q", "-m", "All of it")
    return directory


def git(repository: Path, *arguments: str) -> str:
    someone = ("-c", "user.name=Test", "-c", "user.email=test@example.com")
    return run("git", *someone, "-c", "commit.gpgsign=false", *arguments, cwd=repository).strip()


def build(repository: Path, directory: Path, buildah: Buildah, base: str) -> Release:
    """Run the script as `make release` does, with this machine's settings of pip."""
    lent = [path for name in PIP_FILES if (path := Path(name).expanduser()).is_file()]
    options = "--isolation chroot --network host -v /etc/ssl/certs:/etc/ssl/certs:ro"
    if lent:
        options += f" -v {lent[-1]}:/etc/pip.conf:ro"
    run(
        "deploy/release.sh",
        directory,
        cwd=repository,
        PATH=f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
        BUILDAH=" ".join(buildah.command),
        BUD=options,
        PYTHON_IMAGE=base,
    )
    return Release(directory, git(repository, "rev-parse", "HEAD"))
