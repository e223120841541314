"""The servers that benches measure: how each starts and what its processes use (Linux)."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic, sleep

from bench.prepare import Prepared

START_SECONDS = 30
CORES = os.cpu_count() or 1
GUNICORN = (
    *("gunicorn", "-c", "python:orgctx.gunicorn", "--bind", "127.0.0.1:{port}"),
    *("--workers", "{workers}"),
)
UVICORN = (
    *("uvicorn", "--host", "127.0.0.1", "--port", "{port}", "--workers", "{workers}"),
    *("--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning"),
)
GRANIAN = (
    *("granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", "{port}"),
    *("--workers", "{workers}", "--blocking-threads", "4", "--no-access-log"),
    *("--log-level", "error", "wsgi:app"),
)
# orgctx logs every request, as in production; the peers log none.
LOGGED = {"ORGCTX_LOG_LEVEL": "INFO"}
# A metrics address that nobody scrapes: only the cost of a request is measured.
METRICS = {"ORGCTX_METRICS_BIND": "127.0.0.1:9"}


@dataclass(frozen=True)
class Launch:
    """How a server starts."""

    arguments: tuple[str, ...]  # of `python -m`, with {port} and {workers}
    settings: dict[str, str] = field(default_factory=dict)
    is_peer: bool = False


PEERS = {
    "FastAPI idiomatic": Launch((*UVICORN, "bench.peers.fastapi_idiomatic:app"), is_peer=True),
    "FastAPI tuned": Launch((*UVICORN, "bench.peers.fastapi_tuned:app"), is_peer=True),
    "bare WSGI": Launch((*GUNICORN, "bench.peers.bare:app"), is_peer=True),
}
ORGCTX = {
    "orgctx": Launch(GUNICORN, LOGGED),
    "without log": Launch(GUNICORN),
    "with metrics": Launch(GUNICORN, LOGGED | METRICS),
    "granian": Launch(GRANIAN, LOGGED),
}
SERVERS = ORGCTX | PEERS


@dataclass(frozen=True)
class ServerProcess:
    """A running server and its workers."""

    name: str
    address: tuple[str, int]
    process: subprocess.Popen[bytes]
    is_peer: bool

    def pids(self) -> list[int]:
        """Return the ids of the server's processes, the parent first."""
        return family(self.process.pid)

    def cpu_seconds(self) -> float:
        """Return the processor time that its threads have used so far."""
        nanoseconds = 0
        for pid in self.pids():
            for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
                nanoseconds += int(file.read_text().split()[0])
        return nanoseconds / 1e9

    def worker_mebibytes(self) -> float:
        """Return the memory of an average worker (PSS: shared pages count in parts)."""
        # A single worker of uvicorn is the process itself.
        pids = self.pids()[1:] or self.pids()
        texts = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in pids]
        sizes = [int(text.partition("\nPss:")[2].split()[0]) for text in texts]
        # Small processes may run beside the workers and only watch them.
        workers = [size for size in sizes if size > max(sizes) / 2]
        return sum(workers) / len(workers) / 1024


def family(parent: int) -> list[int]:
    """Return the ids of a process and its descendants, the parent first."""
    pids = [parent]
    for pid in pids:
        for task in Path(f"/proc/{pid}/task").glob("*"):
            pids += [int(child) for child in task.joinpath("children").read_text().split()]
    return pids


@contextmanager
def running(
    launch: Launch,
    prepared: Prepared,
    name: str = "orgctx",
    checkout: Path = Path(),
    workers: int = CORES,
) -> Iterator[ServerProcess]:
    """Run a server from a checkout until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()
    arguments = [part.format(port=address[1], workers=workers) for part in launch.arguments]
    environment = prepared.environment | launch.settings | {"PYTHONPATH": str(checkout.resolve())}
    with TemporaryFile() as log:
        process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            env=environment,
            cwd=checkout,
            stderr=log if "ORGCTX_LOG_LEVEL" in launch.settings else None,
        )
    try:
        _await(address, process)
        yield ServerProcess(name, address, process, launch.is_peer)
    finally:
        process.terminate()
        try:
            process.wait(START_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()


def _await(address: tuple[str, int], process: subprocess.Popen[bytes]) -> None:
    deadline = monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection(address, 1).close()
            return
        except OSError:
            if process.poll() is not None or monotonic() > deadline:
                raise
            sleep(0.1)
