"""The servers that benches compare: how each starts, and what its processes use (Linux)."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic, sleep

from bench.prepare import Prepared

START_SECONDS = 30
CORES = os.cpu_count() or 1
GUNICORN = ("-m", "gunicorn", "-c", "python:orgctx.gunicorn", "--bind", "127.0.0.1:{port}")
UVICORN = (
    *("-m", "uvicorn", "--host", "127.0.0.1", "--port", "{port}", "--workers", str(CORES)),
    *("--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning"),
)
GTHREAD = ("-m", "gunicorn", "-c", "python:bench.gthread", "--bind", "127.0.0.1:{port}")
SWITCHED = ("-m", "gunicorn", "-c", "python:bench.switched", "--bind", "127.0.0.1:{port}")
GRANIAN = (
    *("-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", "{port}"),
    *("--workers", str(CORES), "--blocking-threads", "4", "--no-access-log"),
    *("--log-level", "error", "wsgi:app"),
)
TUNED = (*UVICORN, "bench.peers.fastapi_tuned:app")
# Tables list them in this order and compare the others with the first.
PEERS = {
    "orgctx": GUNICORN,
    "orgctx, no log": GUNICORN,
    "FastAPI idiomatic": (*UVICORN, "bench.peers.fastapi_idiomatic:app"),
    "FastAPI tuned": TUNED,
    "FastAPI tuned, one charge": TUNED,
    "bare WSGI": (*GUNICORN, "bench.peers.bare:app"),
}
# These serve orgctx in other ways.
SERVERS = {
    "four round trips": (*GUNICORN, "bench.ordinary:app"),
    "granian": GRANIAN,
    "metrics switched": SWITCHED,
    "gthread, 1 thread": (*GTHREAD, "--threads", "1"),
    "gthread, 4 threads": (*GTHREAD, "--threads", "4"),
    "gthread, 32 threads": (*GTHREAD, "--threads", "32"),
}
# Some servers need settings of their own. The peers log no request.
SETTINGS = {
    "orgctx": {"ORGCTX_LOG_LEVEL": "INFO"},
    "four round trips": {"ORGCTX_LOG_LEVEL": "INFO"},
    "granian": {"ORGCTX_LOG_LEVEL": "INFO"},
    "metrics switched": {"ORGCTX_LOG_LEVEL": "INFO"},
    "FastAPI tuned, one charge": {"ORGCTX_BENCH_ONE_CHARGE": "1"},
}
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Contender:
    """A running server."""

    name: str
    address: tuple[str, int]
    process: subprocess.Popen[bytes]

    @property
    def is_orgctx(self) -> bool:
        """Whether it is orgctx itself, however served."""
        return self.name.startswith("orgctx") or self.name in SERVERS

    def pids(self) -> list[int]:
        """The server's processes, the first of them its parent."""
        found = [self.process.pid]
        for pid in found:
            for task in Path(f"/proc/{pid}/task").iterdir():
                found += [int(child) for child in task.joinpath("children").read_text().split()]
        return found

    def cpu_seconds(self) -> float:
        """Processor time that its processes have used."""
        ticks = 0
        for pid in self.pids():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / TICKS

    def worker_mebibytes(self) -> float:
        """Memory of the average worker; what several share counts in parts (PSS)."""
        sizes = [_pss(pid) for pid in self.pids()[1:]]
        # Small processes that only watch may run beside the workers.
        workers = [size for size in sizes if size > max(sizes) / 2]
        return sum(workers) / len(workers) / 1024


def _pss(pid: int) -> int:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


@contextmanager
def running(name: str, prepared: Prepared) -> Iterator[Contender]:
    """Start a server; it ends with the block."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()
    arguments = [part.format(port=address[1]) for part in (PEERS | SERVERS)[name]]
    own = SETTINGS.get(name, {})
    environment = prepared.environment | own
    # The server logs each request, as in production, and nobody reads the lines.
    with TemporaryFile() as log:
        is_logged = "ORGCTX_LOG_LEVEL" in own
        process = subprocess.Popen(
            [sys.executable, *arguments], env=environment, stderr=log if is_logged else None
        )
    try:
        _await(address, process)
        yield Contender(name, address, process)
    finally:
        process.terminate()
        try:
            process.wait(START_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()


def _await(address: tuple[str, int], process: subprocess.Popen[bytes]) -> None:
    until = monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection(address, 1).close()
            return
        except OSError:
            if process.poll() is not None or monotonic() > until:
                raise
            sleep(0.1)
