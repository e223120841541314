"""The desk as a process: the command that runs it, and a desk beside the demo."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from socket import socket

COMMAND = (sys.executable, "-m", "orgctx.server", "-c", "python:orgctx.desk.gunicorn")
HOST = "127.0.0.1"


def free_port(preferred: int) -> int:
    """Return the preferred port of loopback, or another one if that is in use."""
    for port in (preferred, 0):
        with socket() as probe:
            try:
                probe.bind((HOST, port))
            except (OSError, OverflowError):
                continue
            found: int = probe.getsockname()[1]
            return found
    raise OSError("no port is free")


@contextmanager
def beside(port: int) -> Iterator[None]:
    """Run the desk on a port of loopback, with the settings of the environment.

    It ends with the block, or with the thread that entered it. Ctrl-C does not reach it.
    """
    from orgctx.embedded.process import die_with_parent, stop

    settings = {
        "ORGCTX_DESK_BIND": f"{HOST}:{port}",
        # Only problems: the terminal belongs to the demo.
        "ORGCTX_LOG_LEVEL": "WARNING",
    }
    process = subprocess.Popen(  # noqa: S603
        COMMAND,
        env=os.environ | settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=die_with_parent(signal.SIGTERM),
    )
    owner = os.getpid()
    try:
        yield
    finally:
        if os.getpid() == owner:  # a forked worker must not stop it
            stop(process, signal.SIGTERM)
