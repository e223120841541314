"""Simulate several hosts of one service. Each is a server on its own port, to start and stop."""

import os
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.support.deployment import Deployment
from tests.support.processes import ROOT, free_port
from tests.support.service import serve

BASE_URL = "http://fleet.example"


class Host:
    """One host. settings: fields of Config and their values."""

    def __init__(self, deployment: Deployment, **settings: Any) -> None:
        self.port = free_port()
        self._deployment = deployment
        self._settings: dict[str, Any] = {
            "base_url": BASE_URL,
            "bind": self.address,
            "workers": 1,
        } | settings
        self._stack = ExitStack()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self, code: Path = ROOT) -> None:
        """Start the server and wait until it is ready. code: folder that contains the package."""
        self._running = self._stack.enter_context(
            serve(self._deployment, port=self.port, code=code, **self._settings)
        )

    def die(self) -> None:
        """Kill the server with SIGKILL: connections break, and open requests get no response."""
        for pid in [self._running.process.pid, *self._running.workers()]:
            os.kill(pid, signal.SIGKILL)
        self.stop()

    def stop(self) -> None:
        """Stop the server gracefully with SIGTERM, as `systemctl stop` does."""
        self._running.process.terminate()
        self._running.process.wait(60)
        self._stack.close()
