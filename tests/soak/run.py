"""Run one soak, from an empty database to its outcome."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

from psycopg.conninfo import make_conninfo

from orgctx.config.settings import Config
from orgctx.key_format import KEY_PATTERN
from tests.soak import sampler, world
from tests.soak.baseline import Baseline
from tests.soak.changes import KEY_CHANGES, Changes
from tests.soak.clients import Clients
from tests.soak.expected import Expected
from tests.soak.requests import requests
from tests.soak.sampler import Counters, Sample, samples
from tests.soak.stress import Stress
from tests.soak.wire import Connection
from tests.support.deployment import UNLIMITED, Deployment
from tests.support.processes import free_port
from tests.support.service import Running, serve
from tests.support.written import written

LIMITS = {
    "limit_key": Config.limit_key, "limit_organization": Config.limit_organization,
    "limit_key_top": UNLIMITED, "limit_organization_top": UNLIMITED,
}  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What a soak runs.

    kinds: changes that are all made before the soak ends, if its time permits.
    """

    seconds: float
    clients: int = 8
    pause: float = 0.0  # seconds after each answer
    change_pause: float = 1.0  # seconds between changes
    has_processes: bool = True  # whether commands run in processes of their own
    key_changes: int = KEY_CHANGES
    stress_pause: float = 0.0  # seconds between kills of backends; 0 for no stress
    kinds: tuple[str, ...] = ("load", "keys issue")
    server: str = "gunicorn"
    workers: int = min(2 * (os.cpu_count() or 1) + 1, 9)
    most: int | None = None  # requests of each kind; None for all


@dataclass
class Outcome:
    """What a soak counted. log: lines, and lines with an error, a key or a source's text."""

    plan: Plan
    learned_count: int
    samples: list[Sample]
    clients: Clients
    changes: Counter[str]
    stress: Counter[str]
    log: Counter[str]


def soak(
    deployment: Deployment, folder: Path, plan: Plan, read_url: str = "",
    redis_urls: Sequence[str] = (),
) -> Outcome:  # fmt: skip
    """Run it on an empty, migrated database.

    folder: for bundles. read_url: of a replica that serves reads. redis_urls: of the servers that
    count, if the deployment names several.
    """
    world.prepare(deployment, folder)
    changes = Changes(deployment, folder, plan.key_changes)
    holders = changes.issue_lasting()
    counters = Counters(redis_urls or [deployment.redis_url])
    chosen, expected = requests(plan.most), Expected()
    metrics_port = free_port() if plan.server == "gunicorn" else None
    with _served(deployment, plan, read_url, metrics_port) as running:
        address = ("127.0.0.1", running.port)
        baseline = Baseline(Connection(address), counters.reset, expected, chosen, holders)
        baseline.learn_all(changes)
        baseline.connection.close()
        databases = [url for url in (deployment.database_url, read_url) if url]
        stress = Stress(address, databases, changes, chosen, metrics_port)
        clients = Clients(address, expected, changes, chosen, stress.tolerates)
        taken = _load(running, deployment, clients, changes, stress, counters, plan)
    counters.close()
    log = _log_counts(written.directory / f"{running.port}.log")
    return Outcome(plan, baseline.learned_count, taken, clients, changes.done, stress.counts, log)


@contextmanager
def _served(
    deployment: Deployment, plan: Plan, read_url: str, metrics_port: int | None
) -> Iterator[Running]:
    """Run the service with higher limits for the top plan and for addresses."""
    url = make_conninfo(deployment.database_url, application_name=sampler.NAME)
    service = Deployment(url, deployment.redis_url, deployment.database_url)
    settings: dict[str, Any] = {**LIMITS, "server": plan.server, "workers": plan.workers}
    if read_url:
        settings["database_read_url"] = make_conninfo(read_url, application_name=sampler.NAME)
    if metrics_port:
        settings["metrics_bind"] = f"127.0.0.1:{metrics_port}"
    with serve(service, **settings) as running:
        yield running


def _load(
    running: Running, deployment: Deployment, clients: Clients, changes: Changes, stress: Stress,
    counters: Counters, plan: Plan,
) -> list[Sample]:  # fmt: skip
    """Run the changes and the sampler in threads, and the clients in this one."""
    changes.done.clear()
    ended, began_at = Event(), monotonic()

    def is_over() -> bool:
        """Wait for the first changes, which take longer on a busy machine."""
        has_changed = all(changes.done[kind] for kind in plan.kinds)
        return monotonic() - began_at > (plan.seconds if has_changed else 5 * plan.seconds)

    def sample() -> list[Sample]:
        return [*samples(pids, deployment.database_url, counters, clients.take, ended)]

    def pids() -> list[int]:
        return [running.process.pid, *sorted(running.workers())]

    with ThreadPoolExecutor(3) as pool:
        changing = pool.submit(changes.run, ended, plan.change_pause, plan.has_processes)
        stressing = pool.submit(stress.run, ended, plan.stress_pause)
        sampling = pool.submit(sample)
        try:
            clients.run(plan.clients, is_over, plan.pause)
        finally:
            ended.set()
        changing.result()
        stressing.result()
        return sampling.result()


def _log_counts(log: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    markers = tuple(each.marker for each in world.ALL)
    with log.open(encoding="utf-8") as lines:
        for line in lines:
            counts["lines"] += 1
            counts["errors"] += '"level":"info"' not in line
            counts["keys"] += KEY_PATTERN.search(line) is not None
            counts["texts"] += any(marker in line for marker in markers)
    return counts
