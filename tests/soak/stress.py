"""Kill backends of PostgreSQL, let clients vanish and scrape /metrics while others read."""

import socket
import struct
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from threading import Event
from time import monotonic

import psycopg
from prometheus_client.parser import text_string_to_metric_families

from tests.soak.changes import Changes
from tests.soak.requests import Request
from tests.soak.sampler import NAME
from tests.soak.wire import Connection

KILL = """
SELECT pg_terminate_backend(pid)
FROM pg_stat_activity
WHERE application_name = %s AND datname = current_database()
ORDER BY random()
LIMIT 4
"""
# Requests may fail from the kill of their backend until this many seconds later.
TOLERATED_SECONDS = 0.5
VANISHING_CLIENTS = 4
# On close, the system sends RST.
RESET = struct.pack("ii", 1, 0)
SCRAPE = b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
REQUESTS = "orgctx_requests_total"


class Stress:
    """What one soak does to its service. One thread calls `run`; another calls `tolerates`.

    counts: killed backends, vanished clients, scrapes and failed requests that a kill explains.
    """

    def __init__(
        self, address: tuple[str, int], database_urls: Sequence[str], changes: Changes,
        requests: Sequence[Request], metrics_port: int | None,
    ) -> None:  # fmt: skip
        self.counts: Counter[str] = Counter()
        self._address, self._database_urls = address, database_urls
        self._changes, self._requests = changes, requests
        self._metrics = Connection((address[0], metrics_port)) if metrics_port else None
        self._random = Random(2)
        self._killed_at = -1.0
        self._counted_requests = 0.0

    def run(self, ended: Event, pause: float) -> None:
        """Do everything once after each pause, in seconds, until `ended` is set.

        Raises:
            AssertionError: a scrape fails, or a counter decreases.
        """
        steps = (self._kill, self._vanish, self._scrape)
        while not ended.wait(pause):
            for step in steps:
                step()
        if self._metrics:
            self._metrics.close()

    def tolerates(self, begin: float, end: float) -> bool:
        """Return whether a request between these times may have failed, and count it."""
        is_tolerated = begin <= self._killed_at + TOLERATED_SECONDS and end >= self._killed_at
        self.counts["failed after a kill"] += is_tolerated
        return is_tolerated

    def _kill(self) -> None:
        self._killed_at = monotonic()
        for url in self._database_urls:
            with psycopg.connect(url, autocommit=True) as connection:
                self.counts["killed backends"] += connection.execute(KILL, [NAME]).rowcount
        self._killed_at = monotonic()

    def _vanish(self) -> None:
        """Send whole and half requests, and close the connections without reading an answer."""
        changes, random = self._changes, self._random
        holders = (*changes.lasting, *changes.passing, *changes.deleted)
        for number in range(VANISHING_CLIENTS):
            data = random.choice(self._requests).encode(random.choice(holders).key)
            sent = data if number % 2 else data[: len(data) // 2]
            # The service may be stopped or full.
            with suppress(OSError), socket.create_connection(self._address, 5) as connection:
                if number < VANISHING_CLIENTS // 2:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                connection.sendall(sent)
            self.counts["vanished clients"] += 1

    def _scrape(self) -> None:
        if self._metrics is None:
            return
        reply = self._metrics.exchange(SCRAPE)
        assert reply.status == 200, reply
        total = sum(
            sample.value
            for family in text_string_to_metric_families(reply.body.decode())
            for sample in family.samples
            if sample.name == REQUESTS
        )
        assert total >= self._counted_requests, (self._counted_requests, total)
        self._counted_requests = total
        self.counts["scrapes"] += 1
