"""Run the demo as a separate process, as a person would."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import orjson
import psycopg
import pytest

from tests.embedded.conftest import packages

SCRIPT = "from orgctx.cli import main; main()"
LAST = "  Other clients: orgctx connect --help\n"


@dataclass(frozen=True)
class Demo:
    """A demo that answers. printed: its standard output until then."""

    process: subprocess.Popen[str]
    port: int
    printed: str

    @property
    def key(self) -> str:
        found = re.search(r"octx_\w{40}", self.printed)
        assert found
        return found[0]

    def get(self, path: str, key: str | None = None) -> tuple[int, Any]:
        """Status and body."""
        url = f"http://127.0.0.1:{self.port}{path}"
        header = f"Authorization: Bearer {key or self.key}"
        out = subprocess.run(
            ["curl", "-sS", "-w", "\n%{http_code}", url, "-H", header],
            capture_output=True,
            check=True,
        ).stdout
        body, _, status = out.rpartition(b"\n")
        return int(status), orjson.loads(body)

    def processes(self) -> list[int]:
        """The demo's process and its descendants."""
        parents: dict[int, list[int]] = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(stat.read_text().rpartition(")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
            parents.setdefault(parent, []).append(int(stat.parent.name))
        found = [self.process.pid]
        for pid in found:
            found += parents.get(pid, [])
        return found

    def end(self, number: signal.Signals) -> int:
        """Send a signal, as a terminal also to its workers; return the exit status."""
        if number in (signal.SIGINT, signal.SIGHUP):
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        said = self.process.communicate(timeout=60)[1]
        assert "Traceback" not in said
        assert "Warning" not in said
        return self.process.returncode


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start(
    data_dir: Path, *, python: str = sys.executable, cwd: Path | None = None, **options: Any
) -> subprocess.Popen[str]:
    """Start the demo with no ORGCTX_* variables but those of `environment`. Its output is piped."""
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
            *("--data-dir", str(data_dir), *options.pop("arguments", ())),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=cwd or data_dir.parent,
        start_new_session=True,
        **options,
    )


@contextmanager
def demo(data_dir: Path, last: str = LAST, **options: Any) -> Iterator[Demo]:
    """A demo that answers. last: the last line of its output to wait for."""
    port = free_port()
    process = start(data_dir, port=port, **options)
    try:
        assert process.stdout is not None
        printed = ""
        for line in process.stdout:
            printed += line
            if line == last:
                break
        else:
            raise AssertionError(process.communicate()[1])
        yield Demo(process, port, printed)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="package")
def data_dir(in_memory: Path) -> Path:
    """One directory for the whole package, because the first start is slow."""
    return Path(mkdtemp(prefix="demo-", dir=in_memory)) / "data"


def execute(database_url: str, statement: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database_url) as connection:
        return connection.execute(statement).fetchall()
