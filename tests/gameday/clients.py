"""The clients and changes of the soak, which tolerate failures while a part is down."""

from collections.abc import Callable, Sequence
from selectors import DefaultSelector
from time import monotonic, sleep
from typing import TypeVar

import psycopg

from tests.gameday.faults import Faults
from tests.soak.changes import Changes
from tests.soak.clients import Client, Clients
from tests.soak.requests import Request
from tests.soak.wire import Reply

RETRY_SECONDS = 0.05
T = TypeVar("T")


class TolerantClients(Clients):
    """A client that cannot connect tries again."""

    def _next(self, client: Client, selector: DefaultSelector) -> None:
        while True:
            try:
                return super()._next(client, selector)
            except OSError as error:
                client.connection.close()
                self._lose(client, error)
                sleep(RETRY_SECONDS)


class RepeatedChanges(Changes):
    """A command that fails while a part is down is repeated until it succeeds."""

    faults: Faults | None = None
    repeated_count = 0

    def _do(self, name: str, change: Callable[[], T]) -> T:
        while True:
            began_at = monotonic()
            try:
                return super()._do(name, change)
            except (AssertionError, psycopg.OperationalError):
                if self.faults is None or not self.faults.at(began_at, monotonic()):
                    raise
            self.repeated_count += 1
            sleep(RETRY_SECONDS)


def lost_writes(
    clients: Clients, changes: Changes, exchange: Callable[[bytes], Reply],
    requests: Sequence[Request],
) -> list[str]:  # fmt: skip
    """Return the answers that do not show the last confirmed state."""
    lost = []
    for holder in changes.lasting:
        state, reader = changes.states[holder.marker].newest, holder.reader
        for request in requests:
            reply = exchange(request.encode(holder.key))
            expected = (
                clients.expected.answer(reader, state, request)
                if reader
                else clients.expected.revoked(request)
            )
            if reply.status != 429 and reply.answer != expected:
                lost.append(f"{request} of {holder.reader} in {state}: {reply.status}")
    return lost
