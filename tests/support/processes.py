"""Run servers in separate processes."""

from __future__ import annotations

import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.support.waiting import until

ROOT = Path(__file__).parents[2]


@contextmanager
def started(
    command: list[str], port: int, environment: Mapping[str, str | None], **settings: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server while the block runs. Yields its process when it is ready.

    environment: variables that are None are not set. settings: keyword arguments of Popen.
    """
    values = {name: value for name, value in environment.items() if value is not None}
    cwd = settings.pop("cwd", ROOT)
    process = subprocess.Popen(command, cwd=cwd, env=values, **settings)
    try:
        wait(process, port)
        yield process
    finally:
        # On SIGINT gunicorn stops at once; on SIGTERM a worker may first sleep for a second.
        process.send_signal(signal.SIGINT)
        process.wait(60)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def wait(process: subprocess.Popen[bytes], port: int, path: str = "/readyz") -> None:
    """Wait until GET of the path returns 200."""

    def is_ready() -> bool:
        assert process.poll() is None, f"the server ended with {process.poll()}"
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status == 200
        finally:
            connection.close()

    until(is_ready, "the server is not ready")
