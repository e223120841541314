"""The bill of a request: what each process spends on it, and each layer of orgctx's worker.

Times are processor time, which other processes on the machine do not change much. System calls are
counted by strace in a turn of their own, because it slows the processes down.
"""

import os
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any

import orjson
import psycopg
import redis

from bench.load_generator import Load
from bench.prepare import Prepared
from bench.report import table
from bench.server_process import ORGCTX, ServerProcess, family, running

SERVERS = ["FastAPI tuned", "bare WSGI", "granian"]
CASES = ["small object", "401"]
KINDS = {"user": "user, µs", "system": "system, µs", "switches": "switches"}
TICK_US = 1e6 / os.sysconf("SC_CLK_TCK")
TRACED_SECONDS = 1.0
# Rarer system calls are not listed.
FEW = 0.05

Pids = dict[str, list[int]]
# By process and kind.
Costs = Counter[tuple[str, str]]


def stores(data: Prepared) -> Pids:
    """Return the ids of the parent process of PostgreSQL and of the process of Redis."""
    with psycopg.connect(data.database_url) as connection:
        status = Path(f"/proc/{connection.info.backend_pid}/status").read_text()
    with redis.Redis.from_url(data.redis_url) as client:
        info: Any = client.info("server")
    postmaster = int(status.partition("\nPPid:")[2].split()[0])
    return {"PostgreSQL": [postmaster], "Redis": [info["process_id"]]}


def processes(stores: Pids, server: ServerProcess) -> Pids:
    """Return the ids of the processes that work for a server's requests."""
    parents = {"worker": [server.process.pid], **stores, "generator": [os.getpid()]}
    families = {name: family(parent) for name, (parent,) in parents.items()}
    return families | {"generator": [os.getpid()]}


def spent(pids: Pids, work: Callable[[], Load]) -> tuple[Costs, int]:
    """Return what a run cost each process, and how many requests it answered."""
    before = _usage(pids)
    count = len(work().latencies)
    return _usage(pids) - before, count


def _usage(pids: Pids) -> Costs:
    """Return microseconds of processor time, and context switches."""
    usage = Costs()
    for name, pid in [(name, pid) for name, some in pids.items() for pid in some]:
        # A server process of PostgreSQL may have ended.
        with suppress(FileNotFoundError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                fields = task.joinpath("stat").read_text().rpartition(") ")[2].split()
                lines = task.joinpath("status").read_text().splitlines()
                switches = [int(line.split()[1]) for line in lines if "ctxt_switches" in line]
                usage[name, "user"] += int(int(fields[11]) * TICK_US)
                usage[name, "system"] += int(int(fields[12]) * TICK_US)
                usage[name, "switches"] += sum(switches)
    return usage


def traced(pids: Pids, work: Callable[[], Load]) -> tuple[Costs, int]:
    """Return the system calls of each process in a run, and how many requests it answered."""
    with TemporaryDirectory() as folder:
        files = {name: Path(folder, name) for name in pids}
        tracers = [_attach(pids[name], file) for name, file in files.items()]
        try:
            count = len(work().latencies)
        finally:
            for tracer in tracers:
                tracer.send_signal(signal.SIGINT)
                tracer.wait()
        rows = ((name, line.split()) for name in pids for line in files[name].open())
        calls = {(name, row[0]): int(row[1]) for name, row in rows if row[-1].isdigit()}
    return Costs({key: number for key, number in calls.items() if key[1] != "total"}), count


def _attach(pids: list[int], file: Path) -> subprocess.Popen[bytes]:
    attached = [word for pid in pids for word in ("-p", str(pid))]
    command = ["strace", "-c", "-f", "-qq", "-U", "name,calls", "-o", str(file), *attached]
    tracer = subprocess.Popen(command)
    while any("\nTracerPid:\t0\n" in Path(f"/proc/{pid}/status").read_text() for pid in pids):
        sleep(0.01)
    return tracer


def layers(data: Prepared, work: Callable[[ServerProcess], object]) -> dict[str, float]:
    """Return the share of each layer in the processor time of orgctx's workers."""
    with TemporaryDirectory() as folder:
        launch = ORGCTX["orgctx"]
        arguments = [part.replace("orgctx.gunicorn", "bench.profiled") for part in launch.arguments]
        settings = launch.settings | {"BENCH_PROFILE": folder}
        launch = replace(launch, arguments=tuple(arguments), settings=settings)
        with running(launch, data) as server:
            work(server)
        samples = Counter[str]()
        for file in Path(folder).iterdir():
            samples.update(orjson.loads(file.read_bytes()))
    return {name: number / samples.total() for name, number in samples.most_common()}


def bill(
    data: Prepared,
    servers: list[ServerProcess],
    load: Callable[[ServerProcess, float], Load],
    rounds: int,
    seconds: float,
) -> Iterator[str]:
    """Yield the lines of two tables: of processes, and of layers.

    The servers, of which the first is orgctx, take turns, so that they find the machine equally
    busy.

    Args:
        load: sends requests to a server for some seconds.
    """
    parents = stores(data)
    costs, counts = {server.name: Costs() for server in servers}, Counter[str]()
    for number in range(-1, rounds):
        for server in servers:
            cost, count = spent(processes(parents, server), partial(load, server, seconds))
            # The first turn warms up.
            if number >= 0:
                costs[server.name] += cost
                counts[server.name] += count
    rows = []
    for server in servers:
        pids = processes(parents, server)
        calls, count = traced(pids, partial(load, server, TRACED_SECONDS))
        for name in pids:
            kinds = {kind: n / count for (of, kind), n in calls.most_common() if of == name}
            each = [costs[server.name][name, kind] / counts[server.name] for kind in KINDS]
            listed = ", ".join(f"{kind} {n:.1f}" for kind, n in kinds.items() if n > FEW)
            cells = [f"{cost:.1f}" for cost in (*each, sum(kinds.values()))]
            rows.append([server.name, name, *cells, listed])
    yield from table(["server", "process", *KINDS.values(), "system calls", "by kind"], rows)
    yield ""
    first = servers[0].name
    worker = sum(costs[first]["worker", kind] for kind in ("user", "system")) / counts[first]
    shares = layers(data, lambda server: load(server, rounds * seconds))
    yield from table(["layer", "µs"], ([name, f"{worker * x:.0f}"] for name, x in shares.items()))
