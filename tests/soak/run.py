"""Run one soak, from an empty database to its outcome."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from time import monotonic

from psycopg.conninfo import make_conninfo
from redis import Redis

from orgctx.config.settings import Config
from orgctx.keys import FORM
from tests.soak import sampler, world
from tests.soak.asks import asks
from tests.soak.changes import Changes, at_rest
from tests.soak.clients import Clients
from tests.soak.learn import Lesson
from tests.soak.right import Right
from tests.soak.sampler import Sample, samples
from tests.soak.wire import Connection
from tests.support.deployment import UNLIMITED, Deployment
from tests.support.service import Running, serve
from tests.support.written import written


@dataclass(frozen=True)
class Plan:
    """clients: connections. pause: seconds between answers. change_pause: between changes.

    most: requests of each kind to choose from, or all.
    """

    seconds: float
    clients: int = 8
    pause: float = 0.0
    change_pause: float = 1.0
    workers: int = min(2 * (os.cpu_count() or 1) + 1, 9)
    most: int | None = None


@dataclass
class Outcome:
    """The outcome. log: counts the service's lines by what is wrong with them."""

    plan: Plan
    learned: int
    confirmed: int
    samples: list[Sample]
    answers: Counter[tuple[str, int]]
    admitted: Counter[str]
    changes: Counter[str]
    wrong: list[str]
    wrongs: int
    mixed: int
    in_flight: int
    log: Counter[str] = field(default_factory=Counter)


def soak(deployment: Deployment, folder: Path, plan: Plan) -> Outcome:
    """Run it on an empty, migrated database. folder: for bundles."""
    world.prepare(deployment, folder)
    changes = Changes(deployment, folder)
    holders = at_rest(changes, deployment)
    redis = Redis.from_url(deployment.redis_url)
    others = redis.info("clients")["connected_clients"]
    chosen, right = asks(plan.most), Right()
    with _served(deployment, plan) as running:
        address = ("127.0.0.1", running.port)
        lesson = Lesson(Connection(address), redis, right, chosen, holders)
        lesson.learn_all(changes)
        lesson.connection.close()
        clients = Clients(address, right, changes, chosen)
        taken = _load(running, deployment, clients, changes, others, plan)
    outcome = Outcome(
        plan, lesson.answers, lesson.lists, taken, clients.answers, clients.admitted,
        changes.done, clients.wrong, clients.wrongs, clients.mixed, clients.in_flight,
    )  # fmt: skip
    redis.close()
    outcome.log = _look_through(written.directory / f"{running.port}.log")
    return outcome


@contextmanager
def _served(deployment: Deployment, plan: Plan) -> Iterator[Running]:
    """The shipped server with higher limits for the top plan and for addresses."""
    own = make_conninfo(deployment.database_url, application_name=sampler.NAME)
    service = Deployment(own, deployment.redis_url, deployment.database_url)
    limits = {
        "limit_key": Config.limit_key, "limit_organization": Config.limit_organization,
        "limit_key_top": UNLIMITED, "limit_organization_top": UNLIMITED,
    }  # fmt: skip
    with serve(service, workers=plan.workers, **limits) as running:
        yield running


def _load(
    running: Running,
    deployment: Deployment,
    clients: Clients,
    changes: Changes,
    others: int,
    plan: Plan,
) -> list[Sample]:
    """Run clients, operators and sampler, each in a thread of its own."""
    changes.done.clear()
    ended, began = Event(), monotonic()

    def is_over() -> bool:
        """The load goes on until something has changed, which takes longer on a busy machine."""
        some = changes.done["load"] and changes.done["keys issue"]
        return monotonic() - began > (plan.seconds if some else 5 * plan.seconds)

    def sample() -> list[Sample]:
        urls = deployment.database_url, deployment.redis_url
        return [*samples(pids, *urls, others, clients.take, lambda: changes.under_way, ended)]

    def pids() -> list[int]:
        return [running.process.pid, *sorted(running.workers())]

    with ThreadPoolExecutor(2) as pool:
        operating = pool.submit(changes.run, ended, plan.change_pause)
        sampling = pool.submit(sample)
        try:
            clients.run(plan.clients, is_over, plan.pause)
        finally:
            ended.set()
        operating.result()
        return sampling.result()


def _look_through(log: Path) -> Counter[str]:
    """Count the lines, those with a fault, and those with a key or a source's text."""
    found: Counter[str] = Counter()
    words = tuple(one.marker for one in world.ALL)
    with log.open(encoding="utf-8") as lines:
        for line in lines:
            found["lines"] += 1
            found["faults"] += '"level":"info"' not in line
            found["keys"] += FORM.search(line) is not None
            found["texts"] += any(word in line for word in words)
    return found
