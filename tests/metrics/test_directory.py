"""A server that starts removes the directories of killed servers, and no others."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from orgctx.http.metrics import out_of_memory_kills
from orgctx.observability import metrics_directory

# A master that creates a directory and has one worker; both print their process ids.
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
        # The worker still uses that directory.
        assert orphaned.is_dir()
    last = started(tmp_path)
    assert {*tmp_path.iterdir()} == {other, link, last}
    assert next_one != last


# Metrics keep the counts of killed workers until their number reaches a limit


# A separate process, because the library reads its directory on import. The master forks workers
# and kills all but one.
PROGRAM = """
import os, signal, sys
from pathlib import Path
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
from orgctx.observability import metrics
from orgctx.observability.observers import POSTGRESQL, REDIS, RequestLabels

WORKERS, LIMIT, EACH = 7, 5, 3
metrics.MAX_ENDED_WORKERS = LIMIT
master = metrics.Metrics()
master.begin_master()
reader, writer = os.pipe()

def count():
    master.begin_worker()
    for _ in range(EACH):
        master.end_request(RequestLabels("get_context", "rest"), 200, 0)
        master.exceed_limit("API key")
        master.acquire_connection(0)
        master.end_round_trip(POSTGRESQL, ("context/get_context",), 0, None)
        master.end_round_trip(REDIS, ("FCALL",), 0, None)
    master.flush()
    os.write(writer, b".")
    signal.pause()

def samples():
    families = MultiProcessCollector(CollectorRegistry()).collect()
    return {
        sample.name: sample.value
        for family in families
        for sample in family.samples
        if sample.name.endswith(("_total", "_count", "_in_use"))
    }

def check(*, living, counted, deaths):
    values = samples()
    assert values.pop("orgctx_pool_in_use") == living * EACH, values
    assert values.pop("orgctx_worker_deaths_total") == deaths, values
    assert values.pop("orgctx_worker_starts_total") == counted, values
    assert len(values) == 6 and {*values.values()} == {counted * EACH}, values

workers = []
for _ in range(WORKERS):
    if pid := os.fork():
        workers.append(pid)
    else:
        count()
try:
    for _ in workers:
        os.read(reader, 1)
    check(living=WORKERS, counted=WORKERS, deaths=0)
    for deaths in range(1, WORKERS):
        pid = workers.pop()
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        # A new worker has the process id of the first that ended.
        living = [*workers, reused] if deaths > 1 else workers
        reused = pid if deaths == 1 else reused
        master.reap_worker(pid, living)
        # Its files are not removed, so one more worker must end before the limit is reached.
        counted = WORKERS if deaths < LIMIT + 1 else WORKERS - LIMIT
        check(living=WORKERS - deaths, counted=counted, deaths=deaths)
finally:
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
assert [*Path(sys.argv[1]).glob(f"*_{reused}.db")]
"""


def test_metrics_keep_counts_of_killed_workers_up_to_a_limit(tmp_path: Path) -> None:
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")


def test_kills_of_the_control_group_are_counted(tmp_path: Path) -> None:
    assert out_of_memory_kills(tmp_path) is None
    group, events = tmp_path / "proc/self/cgroup", tmp_path / "sys/fs/cgroup/system.slice/a.service"
    for directory in (group.parent, events):
        directory.mkdir(parents=True)
    group.write_text("4:memory:/elsewhere\n0::/system.slice/a.service\n")
    assert out_of_memory_kills(tmp_path) is None
    (events / "memory.events").write_text("low 0\noom 2\noom_kill 3\noom_group_kill 0\n")
    assert out_of_memory_kills(tmp_path) == 3
