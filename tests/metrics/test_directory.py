"""The next server removes directories of servers that were killed, and no others."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from orgctx.observability import metrics_directory

# A master that makes a directory and has one worker; each says its process id.
SERVER = """
import os, sys, time
from orgctx.observability import metrics_directory
print(metrics_directory.create(sys.argv[1]), os.getpid(), flush=True)
if not os.fork():
    print(os.getpid(), flush=True)
time.sleep(60)
"""


@contextmanager
def server(parent: Path) -> Iterator[tuple[Path, int, int]]:
    """A server's directory, master and worker; both are killed at the end."""
    command = [sys.executable, "-c", SERVER, str(parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        path, master = process.stdout.readline().split()
        worker = int(process.stdout.readline())
        try:
            yield Path(path), int(master), worker
        finally:
            process.kill()
            os.kill(worker, 9)


def started(parent: Path) -> Path:
    """Start and end one more server. Returns its directory."""
    with server(parent) as (path, _, _):
        return path


def test_server_removes_only_directories_of_dead_servers(tmp_path: Path) -> None:
    other = tmp_path / "orgctx-other"
    other.mkdir()
    link = tmp_path / f"{metrics_directory.PREFIX}link"
    link.symlink_to(other)
    with server(tmp_path) as (living, _, _), server(tmp_path) as (orphaned, master, _):
        (living / "counter_1.db").touch()
        os.kill(master, 9)
        stale = started(tmp_path)
        assert stale.is_dir()
        next_one = started(tmp_path)
        assert not stale.exists()
        assert (living / "counter_1.db").exists()
        # The worker still counts in that directory.
        assert orphaned.is_dir()
    last = started(tmp_path)
    assert {*tmp_path.iterdir()} == {other, link, last}
    assert next_one != last
