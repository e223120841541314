"""The shipped server in a process of its own, for clients that are separate programs."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.support.deployment import UNLIMITED, Deployment
from tests.support.written import written

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60


@dataclass(frozen=True)
class Served:
    """A running server: its address and key. proxy_port: a free port for a proxy to it."""

    port: int
    key: str
    proxy_port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/mcp"


@contextmanager
def serve(deployment: Deployment, key: str, **settings: object) -> Iterator[Served]:
    """Run it while the block runs. settings: of Config, in lower case."""
    port, proxy_port = free_port(), free_port()
    values = {
        "base_url": f"http://127.0.0.1:{port}",
        "limit_key": UNLIMITED,
        "limit_organization": UNLIMITED,
        "limit_ip": UNLIMITED,
        **settings,
    }
    environment = {
        **os.environ,
        **deployment.environment,
        **{f"ORGCTX_{name.upper()}": str(value) for name, value in values.items()},
        "WEB_CONCURRENCY": "1",
    }
    with written.log(port) as log:
        command = [sys.executable, "-m", "gunicorn", "-c", "python:orgctx.gunicorn", "wsgi:app"]
        with started(command, port, environment, stderr=log):
            yield Served(port, key, proxy_port)


@contextmanager
def started(
    command: list[str], port: int, environment: Mapping[str, str | None], **settings: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server's process while the block runs. settings: of Popen."""
    values = {name: value for name, value in environment.items() if value is not None}
    cwd = settings.pop("cwd", ROOT)
    process = subprocess.Popen(command, cwd=cwd, env=values, **settings)
    try:
        wait(process, port)
        yield process
    finally:
        # Stops without the second for which a worker of gunicorn first sleeps.
        process.send_signal(signal.SIGINT)
        process.wait(60)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait(process: subprocess.Popen[bytes], port: int) -> None:
    """Wait until it is ready."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, f"the server ended with {process.poll()}"
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/readyz")
            status = connection.getresponse().status
            connection.close()
            if status == 200:
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"the server is not ready after {PATIENCE_SECONDS} s")
