"""What workers counted stays exact, and their files few, however many have ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

import pytest

from tests.metrics.test_scrape import (
    await_starts,
    await_value,
    directory_of,
    scrape,
    served,
    stored,
    value,
)
from tests.reliability.test_signals import await_others
from tests.support import factories as make
from tests.support.deployment import Deployment

__all__ = ["stored"]
KILLED = 12

# A process of its own, because the client decides on its import where it keeps its values. The
# master forks workers, which count and then stay; scrapers look while it kills one after another.
PROGRAM = """
import mmap, os, signal, sys
from time import monotonic, sleep
from orgctx.server import metrics_files
from orgctx.server.metrics import Metrics
from orgctx.server.observers import POSTGRESQL, REDIS, Asked

ROUNDS, WORKERS, SCRAPERS, EACH = 3, 12, 2, 7
metrics = Metrics()
metrics.begin_master()
shared = mmap.mmap(-1, mmap.PAGESIZE)
children = set()

def forked(run, *arguments):
    if pid := os.fork():
        children.add(pid)
        return pid
    try:
        os._exit(run(*arguments) or 0)
    except BaseException as error:
        print(repr(error), file=sys.stderr, flush=True)
        os._exit(1)

def count(ready):
    metrics.begin_worker()
    for status in range(EACH):
        metrics.end_request(Asked("get_context", "rest"), 200 + status % 2, 0)
        metrics.refuse("API key")
        metrics.enter_pool(0)
        metrics.ask_store(POSTGRESQL, ("context/get_context",), 0, None)
        metrics.ask_store(REDIS, ("FCALL",), 0, None)
    os.write(ready, b".")
    signal.pause()

def summed():
    totals = {}
    for family in metrics_files.collect():
        for one in family.samples:
            if one.name.endswith(("_total", "_count")) or one.labels.get("le") == "+Inf":
                totals[one.name] = totals.get(one.name, 0) + one.value
    totals.pop("orgctx_worker_deaths_total")
    return totals

def wanted(workers):
    counted = dict.fromkeys(summed(), workers * EACH)
    assert len(counted) == 11, counted
    return {**counted, "orgctx_worker_starts_total": workers}

def scrape(wanted, which):
    while not shared[0]:
        found = summed()
        assert found == wanted, (found, wanted)
        shared[1 + which] = 1

def ended(pid):
    children.remove(pid)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

def end(pid, living):
    os.kill(pid, signal.SIGKILL)
    assert ended(pid) == -signal.SIGKILL
    metrics.forget_worker(pid, living)

def run():
    alone = {*os.listdir(sys.argv[1])}
    for turn in range(1, ROUNDS + 1):
        reader, writer = os.pipe()
        workers = {forked(count, writer) for _ in range(WORKERS)}
        for _ in workers:
            os.read(reader, 1)
        shared[:] = bytes(len(shared))
        scrapers = [forked(scrape, wanted(turn * WORKERS), each) for each in range(SCRAPERS)]
        patience = monotonic() + 60
        while not all(shared[1 : 1 + SCRAPERS]) and monotonic() < patience:
            sleep(0.01)
        *most, last = workers
        for pid in most:
            workers.remove(pid)
            end(pid, workers)
        shared[0] = 1
        assert [ended(each) for each in scrapers] == [0] * SCRAPERS
        # What could not be merged beside a scrape is merged with the next.
        end(last, ())
        assert summed() == wanted(turn * WORKERS)
        left = {*os.listdir(sys.argv[1])}
        assert left == alone | {"lock", "counter_ended.db", "histogram_ended.db"}, left
        merged = sorted(left - alone - {"lock"})
        print(*(os.stat(f"{sys.argv[1]}/{each}").st_size for each in merged))

try:
    run()
finally:
    for each in children:
        os.kill(each, signal.SIGKILL)
"""


def test_the_numbers_of_killed_workers_are_exact_in_every_scrape(tmp_path: Path) -> None:
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        env=environment, capture_output=True, text=True, timeout=150,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    sizes = done.stdout.splitlines()
    assert len(sizes) == 3
    assert len({*sizes}) == 1, sizes


@pytest.mark.system
def test_a_crash_loop_of_a_served_fleet_loses_and_doubles_nothing(stored: Deployment) -> None:
    """Workers are killed one after another, between requests; scrapes never stop."""
    key = stored.issue_key(make.ACME, make.OWNER)
    counted = {"operation": "get_context", "door": "rest", "status": "200"}
    seen: list[float] = []
    over = threading.Event()

    def look(port: int) -> None:
        while not over.is_set():
            # A worker that is killed while it answers a scrape sends nothing.
            with suppress(OSError, HTTPException):
                seen.append(value(scrape(port), "orgctx_requests_total", **counted) or 0)

    with served(stored) as (running, port):
        await_starts(port, 2)
        scraper = threading.Thread(target=look, args=[port])
        scraper.start()
        try:
            for died in range(KILLED):
                assert running.get("/api/v1/context", key).status == 200
                os.kill(running.workers().pop(), signal.SIGKILL)
                await_value(port, "orgctx_worker_deaths_total", died + 1)
                await_value(port, "orgctx_worker_starts_total", died + 3)
        finally:
            over.set()
            scraper.join()
        assert value(scrape(port), "orgctx_requests_total", **counted) == KILLED
        assert seen == sorted(seen)
        # Nobody scrapes now, so the next death merges what earlier ones left.
        victim = running.workers().pop()
        os.kill(victim, signal.SIGKILL)
        await_others(running, {victim}, 2)
        files = {each.name for each in directory_of(running).glob("counter_*")}
        living = {f"counter_{pid}.db" for pid in (running.process.pid, *running.workers())}
        assert files - living == {"counter_ended.db"}
        assert value(scrape(port), "orgctx_requests_total", **counted) == KILLED
