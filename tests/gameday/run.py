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

CLIENTS = 8
ANSWER_PAUSE, CHANGE_PAUSE = 0.001, 0.5  # seconds after each answer, and after each change


@dataclass
class Outcome:
    """What a game day counted."""

    began_at: float
    faults: list[Fault]
    clients: TolerantClients
    changes: RepeatedChanges
    lost_writes: list[str]  # confirmed writes that are gone at the end
    p99_ms: float


def gameday(stage: Stage, folder: Path, *, seconds: float, seed: int) -> Outcome:
    """Run a game day on an empty stage. folder: for bundles."""
    world.prepare(stage.deployment, folder)
    changes = RepeatedChanges(stage.deployment, folder)
    holders = changes.issue_lasting()
    sent, expected = requests(), Expected()
    address = ("127.0.0.1", stage.balancer.port)
    connection = Connection(address)
    with Redis(port=stage.redis.port) as redis:
        Baseline(connection, redis.flushdb, expected, sent, holders).learn_all(changes)
    connection.close()
    faults = changes.faults = Faults(stage.parts(), seed, stage.is_ready)
    clients = TolerantClients(address, expected, changes, sent, faults.tolerates)
    began_at = monotonic()
    _load(clients, changes, faults, seconds)
    stage.await_ready()
    lost = lost_writes(clients, changes, connection.exchange, sent)
    connection.close()
    p99_ms = percentile(sorted(clients.take()), 0.99)
    return Outcome(began_at, faults.all, clients, changes, lost, p99_ms)


def _load(
    clients: TolerantClients, changes: RepeatedChanges, faults: Faults, seconds: float
) -> None:
    """Run the changes and the faults in threads, and the clients in this one."""
    changes.done.clear()
    ended, deadline = Event(), monotonic() + seconds
    with ThreadPoolExecutor(2) as pool:
        changing = pool.submit(changes.run, ended, CHANGE_PAUSE)
        breaking = pool.submit(faults.run, ended, seconds)
        try:
            clients.run(CLIENTS, lambda: monotonic() > deadline and breaking.done(), ANSWER_PAUSE)
        finally:
            ended.set()
        breaking.result()
        changing.result()
