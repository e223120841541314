"""A small request makes few system calls, because each of them may cost a context switch."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import head, serve
from tests.support.waiting import until

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
def test_small_request_makes_few_system_calls(acme: Deployment, key: str, tmp_path: Path) -> None:
    """Headers and body of the response are sent in one call."""
    file = tmp_path / "calls"
    with serve(acme, workers=1) as running, running.connect() as client:
        (worker,) = running.workers()

        def request() -> None:
            client.sendall(head(PATH, key))
            response = client.recv(1 << 20)
            assert response.startswith(b"HTTP/1.1 200")
            assert response.endswith(b"}")

        for _ in range(5):
            request()
        with traced(worker, file):
            for _ in range(REQUESTS):
                request()
            until(lambda: file.read_text().count("HTTP/1.1 200") >= REQUESTS)
    requests = re.split(r"recvfrom\(\d+, \"GET ", file.read_text())[2:-1]
    calls = [
        [line for line in text.splitlines()[1:] if "(" in line and not LOOP.search(line)]
        for text in requests
    ]
    assert len(calls) >= REQUESTS - 3
    median = sorted(calls, key=len)[len(calls) // 2]
    assert len(median) <= MAX_CALLS, "\n".join(median)
