"""Run one soak, from an empty database to its outcome."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic

from psycopg.conninfo import make_conninfo
from redis import Redis

from orgctx.config.settings import Config
from orgctx.keys import KEY_PATTERN
from tests.soak import sampler, world
from tests.soak.baseline import Baseline
from tests.soak.changes import Changes, lasting_keys
from tests.soak.clients import Clients
from tests.soak.expected import Expected
from tests.soak.requests import requests
from tests.soak.sampler import Sample, samples
from tests.soak.wire import Connection
from tests.support.deployment import UNLIMITED, Deployment
from tests.support.service import Running, serve
from tests.support.written import written

LIMITS = {
    "limit_key": Config.limit_key, "limit_organization": Config.limit_organization,
    "limit_key_top": UNLIMITED, "limit_organization_top": UNLIMITED,
}  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What a soak runs."""

    seconds: float
    clients: int = 8
    pause: float = 0.0  # seconds after each answer
    change_pause: float = 1.0  # seconds between changes
    workers: int = min(2 * (os.cpu_count() or 1) + 1, 9)
    most: int | None = None  # requests of each kind; None for all


@dataclass
class Outcome:
    """What a soak counted. log: lines, and lines with an error, a key or a source's text."""

    plan: Plan
    learned_count: int
    modeled_count: int
    samples: list[Sample]
    answers: Counter[tuple[str, int]]
    admitted: Counter[str]
    changes: Counter[str]
    errors: list[str]
    error_count: int
    mixed_count: int
    during_change_count: int
    log: Counter[str]


def soak(deployment: Deployment, folder: Path, plan: Plan) -> Outcome:
    """Run it on an empty, migrated database. folder: for bundles."""
    world.prepare(deployment, folder)
    changes = Changes(deployment, folder)
    holders = lasting_keys(changes, deployment)
    redis = Redis.from_url(deployment.redis_url)
    others = redis.info("clients")["connected_clients"]
    chosen, expected = requests(plan.most), Expected()
    with _served(deployment, plan) as running:
        address = ("127.0.0.1", running.port)
        baseline = Baseline(Connection(address), redis, expected, chosen, holders)
        baseline.learn_all(changes)
        baseline.connection.close()
        clients = Clients(address, expected, changes, chosen)
        taken = _load(running, deployment, clients, changes, others, plan)
    redis.close()
    return Outcome(
        plan, baseline.learned_count, baseline.modeled_count, taken, clients.answers,
        clients.admitted, changes.done, clients.errors, clients.error_count, clients.mixed_count,
        clients.during_change_count, _log_counts(written.directory / f"{running.port}.log"),
    )  # fmt: skip


@contextmanager
def _served(deployment: Deployment, plan: Plan) -> Iterator[Running]:
    """Run the service with higher limits for the top plan and for addresses."""
    url = make_conninfo(deployment.database_url, application_name=sampler.NAME)
    service = Deployment(url, deployment.redis_url, deployment.database_url)
    with serve(service, workers=plan.workers, **LIMITS) as running:
        yield running


def _load(
    running: Running, deployment: Deployment, clients: Clients, changes: Changes, others: int,
    plan: Plan,
) -> list[Sample]:  # fmt: skip
    """Run the changes and the sampler in threads, and the clients in this one."""
    changes.done.clear()
    ended, began_at = Event(), monotonic()

    def is_over() -> bool:
        """Wait for the first changes, which take longer on a busy machine."""
        has_changed = changes.done["load"] and changes.done["keys issue"]
        return monotonic() - began_at > (plan.seconds if has_changed else 5 * plan.seconds)

    def sample() -> list[Sample]:
        urls = deployment.database_url, deployment.redis_url
        return [*samples(pids, *urls, others, clients.take, ended)]

    def pids() -> list[int]:
        return [running.process.pid, *sorted(running.workers())]

    with ThreadPoolExecutor(2) as pool:
        changing = pool.submit(changes.run, ended, plan.change_pause)
        sampling = pool.submit(sample)
        try:
            clients.run(plan.clients, is_over, plan.pause)
        finally:
            ended.set()
        changing.result()
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
