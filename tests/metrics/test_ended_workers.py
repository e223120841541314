"""Metrics keep the counts of killed workers until their number reaches a limit."""

import os
import subprocess
import sys
from pathlib import Path

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
        if sample.name.endswith(("_total", "_count", "_in_use", "_workers"))
    }

def check(*, living, counted, deaths):
    values = samples()
    assert values.pop("orgctx_pool_in_use") == living * EACH, values
    assert values.pop("orgctx_workers") == living, values
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
