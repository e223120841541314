"""Run one game day, from an empty fleet to its outcome."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic

from redis import Redis

from tests.gameday.clients import RepeatedChanges, TolerantClients, lost_writes
from tests.gameday.faults import Fault, Faults
from tests.gameday.stage import Stage
from tests.soak import world
from tests.soak.baseline import Baseline
from tests.soak.expected import Expected
from tests.soak.requests import requests
from tests.soak.sampler import percentile
from tests.soak.wire import Connection


@dataclass(frozen=True)
class Plan:
    """What a game day runs."""

    seconds: float
    seed: int = 1
    clients: int = 8
    pause: float = 0.001  # seconds after each answer
    change_pause: float = 0.5  # seconds between changes
    most: int | None = None  # requests of each kind; None for all


@dataclass
class Outcome:
    """What a game day counted. lost_writes: confirmed writes that are gone at the end."""

    began_at: float
    faults: list[Fault]
    clients: TolerantClients
    changes: RepeatedChanges
    lost_writes: list[str]
    p99_ms: float


def gameday(stage: Stage, folder: Path, plan: Plan) -> Outcome:
    """Run it on an empty stage. folder: for bundles."""
    world.prepare(stage.deployment, folder)
    changes = RepeatedChanges(stage.deployment, folder)
    holders = changes.issue_lasting()
    chosen, expected = requests(plan.most), Expected()
    address = ("127.0.0.1", stage.balancer.port)
    connection = Connection(address)
    with Redis(port=stage.redis.master.port) as redis:
        Baseline(connection, redis.flushdb, expected, chosen, holders).learn_all(changes)
    connection.close()
    faults = changes.faults = Faults(stage.parts(), plan.seed, stage.is_ready)
    clients = TolerantClients(address, expected, changes, chosen, faults.tolerates)
    began_at = monotonic()
    _load(clients, changes, faults, plan)
    stage.await_ready()
    lost = lost_writes(clients, changes, connection.exchange, chosen)
    connection.close()
    p99_ms = percentile(sorted(clients.take()), 0.99)
    return Outcome(began_at, faults.all, clients, changes, lost, p99_ms)


def _load(clients: TolerantClients, changes: RepeatedChanges, faults: Faults, plan: Plan) -> None:
    """Run the changes and the faults in threads, and the clients in this one."""
    changes.done.clear()
    ended, deadline = Event(), monotonic() + plan.seconds
    with ThreadPoolExecutor(2) as pool:
        changing = pool.submit(changes.run, ended, plan.change_pause)
        breaking = pool.submit(faults.run, ended, plan.seconds)
        try:
            clients.run(
                plan.clients, lambda: monotonic() > deadline and breaking.done(), plan.pause
            )
        finally:
            ended.set()
        breaking.result()
        changing.result()
