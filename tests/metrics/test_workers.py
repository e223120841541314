"""Metrics keep the counts of killed workers, in a bounded number of files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# A separate process, because the library reads its directory on import. The master kills and
# replaces its workers in turn.
PROGRAM = """
import os, signal, sys
from pathlib import Path
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
from orgctx.observability import metrics
from orgctx.observability.observers import POSTGRESQL, REDIS, RequestLabels

SLOTS, ROUNDS, EACH = (1, 2, 3), 4, 3
master = metrics.Metrics()
master.begin_master()
reader, writer = os.pipe()

def start(slot):
    if pid := os.fork():
        os.read(reader, 1)
        return pid
    master.begin_worker(slot)
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

def files():
    return {path.name for path in Path(sys.argv[1]).iterdir()}

workers = {slot: start(slot) for slot in SLOTS}
try:
    before, counted, deaths = files(), len(SLOTS), 0
    check(living=len(SLOTS), counted=counted, deaths=deaths)
    for slot in SLOTS * ROUNDS:
        pid = workers.pop(slot)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        master.reap_worker(slot)
        deaths += 1
        check(living=len(SLOTS) - 1, counted=counted, deaths=deaths)
        workers[slot] = start(slot)
        counted += 1
        check(living=len(SLOTS), counted=counted, deaths=deaths)
    assert files() == before
finally:
    for pid in workers.values():
        os.kill(pid, signal.SIGKILL)
"""


def test_metrics_keep_counts_of_killed_workers_in_their_files(tmp_path: Path) -> None:
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")
