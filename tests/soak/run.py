"""Run one soak, from an empty database to its outcome."""

import os
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic
from typing import NamedTuple

import psycopg
from psycopg.conninfo import make_conninfo

from tests.soak import world
from tests.soak.answers import Answers, Reader
from tests.soak.changes import Changes
from tests.soak.clients import Clients
from tests.soak.requests import Request, exchange, requests
from tests.soak.world import ALL, GRANTS
from tests.support.deployment import Deployment
from tests.support.service import Running, serve

# The application name of the service's connections; commands have another one.
NAME = "orgctx-soak"
CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"
KILL = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = %s AND datname = current_database()
ORDER BY random() LIMIT 4
"""
# Requests may fail from the kill of their backend until this many seconds later.
TOLERATED_SECONDS = 0.5
VANISHING_CLIENTS = 4


@dataclass(frozen=True)
class Plan:
    """What a soak runs. Pauses are in seconds.

    kinds: changes that are all made before the soak ends, if its time permits.
    """

    seconds: float
    clients: int = 8
    pause: float = 0.0  # after each answer
    change_pause: float = 1.0
    kill_pause: float = 1.0
    kinds: tuple[str, ...] = ("load", "keys issue")
    workers: int = min(2 * (os.cpu_count() or 1) + 1, 9)
    most: int | None = None  # requests of each kind; None for all


class Sample(NamedTuple):
    """What the service uses."""

    worker_mib: float  # of the largest worker (PSS)
    descriptors: int  # of all processes
    connections: int  # to PostgreSQL


@dataclass
class Outcome:
    """What a soak counted."""

    clients: Clients
    changes: Counter[str]
    kills: Counter[str]
    samples: list[Sample]


def soak(deployment: Deployment, folder: Path, plan: Plan) -> Outcome:
    """Run it on an empty, migrated database. folder: for bundles."""
    world.prepare(deployment, folder)
    changes, answers, chosen = Changes(deployment, folder), Answers(), requests(plan.most)
    url = make_conninfo(deployment.database_url, application_name=NAME)
    service = Deployment(url, deployment.redis_url, deployment.database_url)
    with serve(service, workers=plan.workers) as running:
        kills = Kills(running, deployment, changes, chosen)
        address = ("127.0.0.1", running.port)
        clients = Clients(address, answers, changes, chosen, kills.tolerates)
        learn(clients)
        samples: list[Sample] = []

        def sample(ended: Event) -> None:
            while not ended.wait(1):
                samples.append(measure(running, deployment))

        with alongside(
            lambda ended: changes.run(ended, plan.change_pause),
            lambda ended: kills.run(ended, plan.kill_pause),
            sample,
        ):
            began_at = monotonic()

            def is_over() -> bool:
                """Wait for the first changes, which take longer on a busy machine."""
                has_changed = all(changes.done[kind] for kind in plan.kinds)
                return monotonic() - began_at > plan.seconds * (1 if has_changed else 10)

            clients.run(plan.clients, is_over, plan.pause)
    return Outcome(clients, changes.done, kills.counts, samples)


def learn(clients: Clients) -> None:
    """Learn the answers of each state in turn, and end in the first state."""
    changes, connection = clients.changes, clients.connection()
    for organization in ALL:
        holders = [each for each in changes.holders() if each.marker == organization.marker]
        for state in world.states(organization):
            changes.move(organization, state)
            # An organization has several keys for the same grants.
            for holder in holders[: len(GRANTS)]:
                for request in clients.requests:
                    answer = exchange(connection, request, holder.key)
                    clients.answers.learn(holder.reader, state, request, answer)
    rejected = changes.holders()[0]
    changes.revoke(rejected)
    changes.lasting.remove(rejected)
    for request in clients.requests:
        answer = exchange(connection, request, rejected.key)
        clients.answers.learn(Reader(rejected.marker, None), world.FIRST, request, answer)
    connection.close()


@contextmanager
def alongside(*steps: Callable[[Event], object]) -> Iterator[None]:
    """Run each step in a thread until the block ends, which sets its event."""
    ended = Event()
    with ThreadPoolExecutor(len(steps)) as threads:
        running = [threads.submit(step, ended) for step in steps]
        try:
            yield
        finally:
            ended.set()
        for each in running:
            each.result()


class Kills:
    """Kills backends of PostgreSQL, and lets clients vanish. counts: both."""

    def __init__(
        self, running: Running, deployment: Deployment, changes: Changes,
        requests: Sequence[Request],
    ) -> None:  # fmt: skip
        self.counts: Counter[str] = Counter()
        self._running, self._url = running, deployment.database_url
        self._changes, self._requests = changes, requests
        self._random, self._killed_at = Random(2), -1.0

    def run(self, ended: Event, pause: float) -> None:
        """Do both after each pause, in seconds, until `ended` is set."""
        while not ended.wait(pause):
            self._killed_at = monotonic()
            with psycopg.connect(self._url, autocommit=True) as connection:
                self.counts["killed backends"] += connection.execute(KILL, [NAME]).rowcount
            self._killed_at = monotonic()
            for _ in range(VANISHING_CLIENTS):
                self._vanish()

    def tolerates(self, begin: float, end: float) -> bool:
        """Return whether a request between these times may have failed."""
        return begin <= self._killed_at + TOLERATED_SECONDS and end >= self._killed_at

    def _vanish(self) -> None:
        """Send a request, and close the connection without reading the answer."""
        request = self._random.choice(self._requests)
        key = self._random.choice(self._changes.holders()).key
        connection = HTTPConnection("127.0.0.1", self._running.port, timeout=5)
        # The service may be full.
        with suppress(OSError):
            connection.request(
                request.method, request.path, request.body or None, request.headers(key)
            )
            connection.sock.shutdown(socket.SHUT_RDWR)
        connection.close()
        self.counts["vanished clients"] += 1


def measure(running: Running, deployment: Deployment) -> Sample:
    workers = sorted(running.workers())
    ((connections,),) = deployment.execute(CONNECTIONS, [NAME])
    descriptors = sum(_descriptors(pid) for pid in (running.process.pid, *workers))
    return Sample(max(map(pss, workers), default=0), descriptors, connections)


def pss(pid: int) -> float:
    """Return the memory of a process in MiB (PSS); 0 if it has ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def _descriptors(pid: int) -> int:
    with suppress(OSError):
        return len([*Path(f"/proc/{pid}/fd").iterdir()])
    return 0
