"""A small request makes few system calls, because each of them may wake another process."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import head, serve

MAX_CALLS, REQUESTS = 8, 30
# Calls of gevent's event loop, which depend on whether the worker has to wait.
LOOP = re.compile(r"epoll_|getpid\(\)|\bEAGAIN\b")
PATH = f"/api/v1/knowledge/{make.knowledge_id()}"


@contextmanager
def traced(pid: int, file: Path) -> Iterator[None]:
    """Write the system calls of a process to a file while the block runs."""
    strace = ["strace", "-f", "-p", str(pid), "-o", str(file)]
    tracer = subprocess.Popen(strace, stderr=subprocess.PIPE, text=True)
    try:
        assert tracer.stderr is not None
        assert "attached" in tracer.stderr.readline()
        yield
    finally:
        tracer.terminate()
        tracer.communicate()


@pytest.mark.system
@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_small_request_makes_few_system_calls(
    acme: Deployment, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The head and the body of the response are sent in one call."""
    monkeypatch.setenv("WEB_CONCURRENCY", "1")
    file = tmp_path / "calls"
    with serve(acme, workers=1) as running, running.connect() as client:
        (worker,) = running.workers()

        def ask() -> None:
            client.sendall(head(PATH, key))
            read = client.recv(1 << 20)
            assert read.startswith(b"HTTP/1.1 200")
            assert read.endswith(b"}")

        for _ in range(5):
            ask()
        with traced(worker, file):
            for _ in range(REQUESTS):
                ask()
            until = monotonic() + 60
            while file.read_text().count("HTTP/1.1 200") < REQUESTS and monotonic() < until:
                sleep(0.1)
    requests = re.split(r"recvfrom\(\d+, \"GET ", file.read_text())[2:-1]
    calls = [
        [line for line in request.splitlines()[1:] if "(" in line and not LOOP.search(line)]
        for request in requests
    ]
    assert len(calls) >= REQUESTS - 3
    median = sorted(calls, key=len)[len(calls) // 2]
    assert len(median) <= MAX_CALLS, "\n".join(median)
