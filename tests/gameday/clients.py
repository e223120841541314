"""The clients and changes of the soak, which tolerate failures while a part is down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from selectors import DefaultSelector
from time import monotonic, sleep

from tests.gameday.faults import Faults
from tests.soak.changes import Changes
from tests.soak.clients import Client, Clients
from tests.soak.requests import Request
from tests.soak.wire import Reply

UNAVAILABLE = (502, 503, 504)
# A tool reports the same errors in answers with status 200.
TOOL_ERRORS = (rb"{\"code\":\"service_unavailable\"", rb"{\"code\":\"timeout\"")
RETRY_SECONDS = 0.05


class TolerantClients(Clients):
    """Requests may fail while a part is down; every answer must still be correct."""

    faults: Faults
    failed_count = 0

    def _next(self, client: Client, selector: DefaultSelector) -> None:
        while True:
            try:
                return super()._next(client, selector)
            except OSError as error:
                client.connection.close()
                self._lose(client, error)
                sleep(RETRY_SECONDS)

    def _lose(self, client: Client, error: Exception) -> None:
        self._fail(client, monotonic(), repr(error))

    def _check(self, client: Client, reply: Reply, now: float) -> None:
        if reply.status in UNAVAILABLE or any(code in reply.body for code in TOOL_ERRORS):
            self.answers[client.request.kind, reply.status] += 1
            self._fail(client, now, f"{reply.status} {reply.body[:200]!r}")
        else:
            super()._check(client, reply, now)

    def _fail(self, client: Client, now: float, text: str) -> None:
        self.failed_count += 1
        fault = self.faults.at(client.sent_at, now)
        if fault is None:
            self._note(f"{client.request}: {text}, and no part was down")
            return
        fault.failed_count += 1
        fault.last_failed_at = now


class RepeatedChanges(Changes):
    """A command that fails while a part is down is repeated until it succeeds."""

    faults: Faults | None = None
    repeated_count = 0

    def _command(self, *arguments: str) -> str:
        while True:
            began_at = monotonic()
            try:
                return super()._command(*arguments)
            except AssertionError:
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
        state = changes.states[holder.reader.marker].newest
        for request in requests:
            reply = exchange(request.encode(holder.key))
            expected = clients.expected.answer(holder.reader, state, request)
            if reply.status != 429 and reply.answer != expected:
                lost.append(f"{request} of {holder.reader} in {state}: {reply.status}")
    return lost
