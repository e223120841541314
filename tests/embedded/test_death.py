"""No server outlives its owner, and the next start works."""

import os
import signal
import sys
import time
from pathlib import Path

import psycopg
import pytest

from orgctx.embedded import EmbeddedError, servers

from .conftest import StartOwner, await_end, processes

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]


def test_start_removes_the_temporary_directory_of_a_killed_owner(
    tmp_path: Path, start_owner: StartOwner
) -> None:
    owner = start_owner(tmp_path)
    pids = processes(owner.servers())
    directory = (tmp_path / "run").readlink()
    owner.process.kill()
    await_end(pids)
    assert directory.exists()
    with servers(tmp_path, durable=False):
        assert not directory.exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_interrupted_first_start_leaves_no_cluster(
    tmp_path: Path, start_owner: StartOwner, number: signal.Signals
) -> None:
    owner = start_owner(tmp_path)
    cluster = tmp_path / "postgres" / "cluster"
    while not (cluster.with_name("cluster.new") / "base" / "1").exists():
        assert owner.process.poll() is None
        time.sleep(0.005)
    os.killpg(owner.process.pid, number)
    owner.process.wait()
    assert not cluster.exists()
    with servers(tmp_path, durable=False) as running:
        psycopg.connect(running.database_url).close()


def test_servers_reject_a_second_owner_in_another_process(
    used_dir: Path, start_owner: StartOwner
) -> None:
    owner = start_owner(used_dir)
    running = owner.servers()
    with pytest.raises(EmbeddedError, match=f"in use by process {owner.process.pid}"):
        servers(used_dir).__enter__()
    psycopg.connect(running.database_url).close()
