"""Run gunicorn in this process, with the settings of orgctx.gunicorn."""

import ctypes
import errno
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

HOST = "127.0.0.1"
WORKERS = 2
BACKLOG = 128
PR_SET_PDEATHSIG = 1

_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


class PortInUse(Exception):
    """Another process listens on the port."""


def listen(port: int) -> socket.socket:
    """Open a listening socket. Requests queue in it until the server is ready.

    Raises PortInUse, or OSError if this user may not use the port.
    """
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortInUse from None
        raise
    return listener


def serve(listener: socket.socket, greet: Callable[[], None]) -> None:
    """Serve until a signal raises SystemExit. Forked workers leave by SystemExit too.

    Args:
        greet: called when the server is ready.
    """
    Foreground(Server(listener, greet)).run()


class Server(BaseApplication):  # type: ignore[misc]
    """The service, with settings for a terminal."""

    def __init__(self, listener: socket.socket, greet: Callable[[], None]) -> None:
        self._listener = listener
        self._greet = greet
        super().__init__()

    def load_config(self) -> None:
        from orgctx import gunicorn as shipped

        settings = {
            name: vars(shipped)[name] for name in self.cfg.settings if hasattr(shipped, name)
        }
        settings |= {
            "bind": f"fd://{self._listener.detach()}",
            "workers": WORKERS,
            "loglevel": "warning",
            "when_ready": self._ready(settings["when_ready"]),
            "post_fork": _die_with_parent,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        from orgctx.app import create_app

        return create_app()

    def _ready(self, shipped: Callable[[Any], None]) -> Callable[[Any], None]:
        def when_ready(server: Any) -> None:
            shipped(server)
            self._greet()

        return when_ready


class Foreground(Arbiter):  # type: ignore[misc]
    """gunicorn that stops on SIGHUP, when its terminal closes, instead of reloading."""

    def handle_hup(self) -> None:
        self.handle_int()


def _die_with_parent(server: Any, worker: Any) -> None:  # noqa: ARG001
    """Kill the worker with its parent: an orphan would keep the port for another second."""
    if _prctl is None:
        return
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL.value)
    if os.getppid() != worker.ppid:
        os._exit(1)
