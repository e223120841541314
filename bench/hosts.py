"""What a second host adds: python -m bench.hosts [--share 0.2] [--seconds 1.5].

A host is gunicorn with one worker that the kernel holds to a share of a core (a cgroup's quota), so
that PostgreSQL, Redis and the clients have the rest of the machine. Each case is asked of the first
host, of both at once and of the second, in turns; the figure is the rate of both divided by that of
one. It says something only where the hosts are what is full and the machine is not, so both are
printed: the least part of its share that a host used, and how many cores the machine had left. A
share of a core stands for a core, as long as what the hosts share is not full either; the processor
time of a request in each part says where that ends. Needs Linux and root.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from uuid import uuid4

import orjson
from redis import Redis

from bench.cases import Case, cases
from bench.contenders import CORES, TICKS, Contender, running
from bench.load_generator import Load, run
from bench.prepare import prepared
from bench.report import table, where
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import Quota, last_used_name

SCALE = "small"
NAMES = ("small object", "50 messages", "context", "search common", "tools/call")
CONNECTIONS = 8
CGROUPS = Path("/sys/fs/cgroup")
PERIOD_US = 10_000
# The parts whose processor time is printed, by the names of their processes.
PARTS = {"PostgreSQL": "postgres", "Redis": "valkey-server"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--share", type=float, default=0.2, help="of a core, for each host")
    parser.add_argument("--seconds", type=float, default=1.5, help="of one turn")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--data-dir", type=Path, default=Path(".orgctx/bench"))
    parser.add_argument("--results", type=Path, default=Path("docs/operations/growth/hosts.json"))
    options = parser.parse_args()
    with ExitStack() as stack:
        ready = stack.enter_context(prepared(options.data_dir, SCALE))
        one_worker = replace(ready, environment=ready.environment | {"WEB_CONCURRENCY": "1"})
        hosts = [stack.enter_context(running("orgctx", one_worker)) for _ in range(2)]
        for number, host in enumerate(hosts):
            stack.enter_context(held(f"orgctx-host-{number}", host.pids(), options.share))
        clients = stack.enter_context(ProcessPoolExecutor(len(hosts)))
        figures = {
            case.name: measured(case, hosts, ready.key, clients, options)
            for case in cases(SCALE)
            if case.name in NAMES
        }
        stored = redis_bytes(ready.redis_url)
    document = {
        "machine": where(), "share": options.share, "cases": figures,
        "redis_bytes": stored,
    }  # fmt: skip
    options.results.parent.mkdir(parents=True, exist_ok=True)
    options.results.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")
    print("\n".join(table(["case", *next(iter(figures.values()))], list(lines(figures)))))
    return 0


@contextmanager
def held(name: str, pids: list[int], share: float) -> Iterator[None]:
    """The processes, and those that they start, get this share of a core and no more."""
    is_new = CGROUPS.joinpath("cgroup.controllers").exists()
    parent = CGROUPS if is_new else CGROUPS / "cpu"
    group, quota_us = parent / name, round(share * PERIOD_US)
    limits = {"cpu.max": f"{quota_us} {PERIOD_US}"} if is_new else {
        "cpu.cfs_period_us": f"{PERIOD_US}", "cpu.cfs_quota_us": f"{quota_us}",
    }  # fmt: skip
    group.mkdir()
    try:
        for file, value in limits.items():
            group.joinpath(file).write_text(value)
        for pid in pids:
            group.joinpath("cgroup.procs").write_text(str(pid))
        yield
    finally:
        for left in group.joinpath("cgroup.procs").read_text().split():
            parent.joinpath("cgroup.procs").write_text(left)
        group.rmdir()


def measured(
    case: Case,
    hosts: list[Contender],
    key: str,
    clients: ProcessPoolExecutor,
    options: argparse.Namespace,
) -> dict[str, float]:
    """Medians of all rounds, after one that only warms."""
    print(case.name, file=sys.stderr, flush=True)
    rounds = []
    for _ in range(options.rounds + 1):
        turns = [hosts[:1], hosts, hosts[1:]]
        rounds.append([turn(case, some, key, clients, options) for some in turns])
    found: dict[str, list[float]] = {}
    for first, both, second in rounds[1:]:
        one = (first["rate"] + second["rate"]) / 2
        figures = {"one host": one, "two hosts": both["rate"], "times": both["rate"] / one}
        figures |= {name: value for name, value in both.items() if name != "rate"}
        used = min(each["share used"] for each in (first, both, second))
        for name, value in (figures | {"share used": used}).items():
            found.setdefault(name, []).append(value)
    return {name: round(median(values), 2) for name, values in found.items()}


def turn(
    case: Case,
    hosts: list[Contender],
    key: str,
    clients: ProcessPoolExecutor,
    options: argparse.Namespace,
) -> dict[str, float]:
    """Ask these hosts at once: requests a second, and the processor's ms of a request."""
    idle, parts = idle_seconds(), spent()
    own = [host.cpu_seconds() for host in hosts]
    began = perf_counter()
    asked = [
        clients.submit(load, host.address, case.request(key), options.seconds) for host in hosts
    ]
    loads = [one.result() for one in asked]
    seconds = perf_counter() - began
    used = [host.cpu_seconds() - before for host, before in zip(hosts, own, strict=True)]
    count = sum(len(one.latencies) for one in loads)
    after = spent()
    return {
        "rate": sum(one.requests_per_second for one in loads),
        "share used": min(used) / seconds / options.share,
        "cores left": (idle_seconds() - idle) / seconds,
        "host ms": sum(used) / count * 1e3,
        **{f"{name} ms": (after[name] - parts[name]) / count * 1e3 for name in PARTS},
    }


def load(address: tuple[str, int], request: bytes, seconds: float) -> Load:
    # The pause that the quota of the turn before imposes is over then.
    sleep(2 * PERIOD_US / 1e6)
    return run(address, request, status=200, connections=CONNECTIONS, seconds=seconds)


def redis_bytes(url: str) -> dict[str, int]:
    """What Redis keeps: of an organization for a minute and a day, and of a key for long."""
    organization, key = uuid4(), uuid4()
    quota, deadline = Quota(url, timeout_seconds=5), Deadline(5)
    with closing(quota):
        charge = quota.charge_key(organization, key, (100, 100), deadline)
        names = {"mark": last_used_name(organization, key)}
        names |= zip(("counter of a key", "counter", "day"), charge.names[:3], strict=True)
        with closing(Redis.from_url(url)) as redis:
            return {what: redis.memory_usage(name) or 0 for what, name in names.items()}


def idle_seconds() -> float:
    """Of all cores, since the machine started."""
    fields = Path("/proc/stat").read_text().splitlines()[0].split()
    return (int(fields[4]) + int(fields[5])) / TICKS


def spent() -> dict[str, float]:
    """Processor seconds of the databases that this process has started, those of their processes
    that have ended included."""
    found = dict.fromkeys(PARTS, 0.0)
    pids = [os.getpid()]
    for pid in pids:
        # A process may end meanwhile.
        with suppress(FileNotFoundError, ProcessLookupError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                pids += [int(child) for child in task.joinpath("children").read_text().split()]
            head, _, rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
            for name, process in PARTS.items():
                if head.endswith(f"({process}"):
                    fields = rest.split()
                    found[name] += sum(map(int, fields[11:15])) / TICKS
    return found


def lines(figures: dict[str, dict[str, float]]) -> Iterator[list[str]]:
    for name, values in figures.items():
        yield [name, *(f"{value:,.2f}" for value in values.values())]


if __name__ == "__main__":
    assert CORES > 1
    sys.exit(main())
