"""Run one game day, from an empty fleet to its outcome."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic

from redis import Redis

from tests.gameday.clients import Bearing, Persisting, lost
from tests.gameday.faults import Fault, Faults
from tests.gameday.stage import Stage
from tests.soak import world
from tests.soak.asks import asks
from tests.soak.changes import at_rest
from tests.soak.learn import Lesson
from tests.soak.right import Right
from tests.soak.sampler import percentile
from tests.soak.wire import Connection


@dataclass(frozen=True)
class Plan:
    """clients: connections. pause, change_pause: seconds between answers, between changes.

    most: requests of each kind to choose from, or all.
    """

    seconds: float
    seed: int = 1
    clients: int = 8
    pause: float = 0.001
    change_pause: float = 0.5
    most: int | None = None


@dataclass(frozen=True)
class Second:
    """The counts of one second."""

    at: float
    requests: float
    errors: float
    p99_ms: float


@dataclass
class Outcome:
    """The outcome. lost: what was written and is missing at the end."""

    plan: Plan
    began: float
    seconds: list[Second]
    faults: list[Fault]
    answers: Counter[tuple[str, int]]
    changes: Counter[str]
    again: int
    errors: int
    wrongs: int
    wrong: list[str]
    lost: list[str]


def gameday(stage: Stage, folder: Path, plan: Plan) -> Outcome:
    """Run it on an empty stage. folder: for bundles."""
    world.prepare(stage.deployment, folder)
    changes = Persisting(stage.deployment, folder)
    holders = at_rest(changes, stage.deployment)
    chosen, right, address = asks(plan.most), Right(), ("127.0.0.1", stage.balancer.port)
    connection = Connection(address)
    with Redis(port=stage.redis.master.port) as redis:
        Lesson(connection, redis, right, chosen, holders).learn_all(changes)
    connection.close()
    clients = Bearing(address, right, changes, chosen)
    clients.faults = changes.faults = Faults(stage.parts(), plan.seed, stage.is_whole)
    began = monotonic()
    seconds = _load(clients, changes, plan)
    stage.await_whole()
    gone = lost(clients, changes, connection.exchange, chosen)
    connection.close()
    return Outcome(
        plan, began, seconds, clients.faults.all, clients.answers, changes.done, changes.again,
        clients.errors, clients.wrongs, clients.wrong, gone,
    )  # fmt: skip


def _load(clients: Bearing, changes: Persisting, plan: Plan) -> list[Second]:
    """Run clients, operators, faults and a sampler, each in a thread of its own."""
    changes.done.clear()
    ended, until = Event(), monotonic() + plan.seconds
    with ThreadPoolExecutor(3) as pool:
        operating = pool.submit(changes.run, ended, plan.change_pause)
        breaking = pool.submit(clients.faults.run, ended, plan.seconds)
        sampling = pool.submit(_sample, clients, ended)
        try:
            clients.run(plan.clients, lambda: monotonic() > until and breaking.done(), plan.pause)
        finally:
            ended.set()
        breaking.result()
        operating.result()
        return sampling.result()


def _sample(clients: Bearing, ended: Event) -> list[Second]:
    found, began, failed = [], monotonic(), 0
    last = began
    while not ended.wait(max(0.0, last + 1 - monotonic())):
        now, taken, errors = monotonic(), sorted(clients.take()), clients.errors
        elapsed, last = now - last, now
        found.append(
            Second(
                round(now - began, 1),
                round(len(taken) / elapsed, 1),
                round((errors - failed) / elapsed, 1),
                percentile(taken, 0.99),
            )
        )
        failed = errors
    return found
