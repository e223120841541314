"""Run the demo as a separate process."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from orgctx.demo.identities import OWNER_ID
from orgctx.demo.state import DATA_DIR
from tests.embedded.conftest import packages
from tests.support.processes import descendants, free_port
from tests.support.service import Running

SCRIPT = "from orgctx.cli import main; main()"
LAST_LINE = f" --for {OWNER_ID}\n"


@dataclass(frozen=True)
class Demo:
    """A demo that is ready."""

    process: subprocess.Popen[Any]
    port: int
    printed: str  # its standard output until it was ready

    @property
    def key(self) -> str:
        match = re.search(r"octx_\w{40}", self.printed)
        assert match
        return match[0]

    def get(self, path: str, key: str | None = None) -> tuple[int, Any]:
        """Return status and body."""
        answer = Running(self.port, self.process).get(path, key or self.key)
        return answer.status, answer.body

    def processes(self) -> list[int]:
        """The ids of the demo's process and its descendants."""
        return [self.process.pid, *descendants(self.process.pid)]

    def end(self, number: signal.Signals) -> int:
        """Send a signal, and those of a terminal also to its workers. Returns the exit status."""
        if number in (signal.SIGINT, signal.SIGHUP):
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        errors = self.process.communicate(timeout=60)[1]
        assert "Traceback" not in errors
        assert "Warning" not in errors
        return self.process.returncode


def start(data_dir: Path, *, python: str = sys.executable, **options: Any) -> subprocess.Popen[str]:
    """Start the demo with piped output. Its only ORGCTX_* variables are those of `environment`."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("ORGCTX_")}
    environment = {
        **inherited,
        "PYTHONPATH": os.pathsep.join(packages()),
        **options.pop("environment", {}),
    }
    port = options.pop("port")
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen(
        [
            *(python, "-B", "-c", SCRIPT, "demo", "--port", str(port)),
            *("--data-dir", str(data_dir)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=data_dir.parent,
        start_new_session=True,
        **options,
    )


@contextmanager
def demo(data_dir: Path, **options: Any) -> Iterator[Demo]:
    """Run a demo until it has printed its greeting."""
    port = free_port()
    process = start(data_dir, port=port, **options)
    try:
        assert process.stdout is not None
        printed = ""
        for line in process.stdout:
            printed += line
            if line.endswith(LAST_LINE):
                break
        else:
            raise AssertionError(process.communicate()[1])
        yield Demo(process, port, printed)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="package")
def data_dir(in_memory: Path) -> Path:
    """One directory for all tests, because the first start is slow."""
    return Path(mkdtemp(prefix="demo-", dir=in_memory)) / DATA_DIR


@pytest.fixture(scope="module")
def running(data_dir: Path) -> Iterator[Demo]:
    with demo(data_dir) as running:
        yield running
