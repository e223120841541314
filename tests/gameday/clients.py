"""The soak's clients and operators, who bear that a part is gone."""

from __future__ import annotations

from collections.abc import Sequence
from selectors import DefaultSelector
from time import monotonic, sleep
from typing import Any

from tests.gameday.faults import Faults
from tests.soak.changes import Changes
from tests.soak.clients import Client, Clients
from tests.soak.wire import Reply

UNAVAILABLE = (502, 503, 504)
# A tool reports the same faults in answers with status 200.
TOLD = (rb"{\"code\":\"service_unavailable\"", rb"{\"code\":\"timeout\"")
AGAIN_SECONDS = 0.05


class Bearing(Clients):
    """Requests may fail while a part is gone; what is answered must be right all the same."""

    faults: Faults
    errors = 0

    def _next(self, client: Client, selector: DefaultSelector) -> None:
        while True:
            try:
                super()._next(client, selector)
            except OSError as error:
                client.connection.close()
                self._lose(client, error)
                sleep(AGAIN_SECONDS)
                continue
            return

    def _lose(self, client: Client, error: Exception) -> None:
        self._fail(client, monotonic(), repr(error))

    def _check(self, client: Client, reply: Reply, now: float) -> None:
        if reply.status in UNAVAILABLE or any(code in reply.body for code in TOLD):
            self.answers[client.ask.kind, reply.status] += 1
            self._fail(client, now, f"{reply.status} {reply.body[:200]!r}")
            return
        super()._check(client, reply, now)

    def _fail(self, client: Client, now: float, text: str) -> None:
        self.errors += 1
        fault = self.faults.excuse(client.sent_at, now)
        if fault is None:
            self._note(f"{client.ask}: {text}, and nothing was gone")
            return
        fault.errors += 1
        fault.last_error = now


class Persisting(Changes):
    """A command that fails while a part is gone is repeated until it succeeds."""

    faults: Faults | None = None
    again = 0

    def _command(self, *arguments: str) -> str:
        while True:
            began = monotonic()
            try:
                return super()._command(*arguments)
            except AssertionError:
                if self.faults is None or not self.faults.excuse(began, monotonic()):
                    raise
            self.again += 1
            sleep(AGAIN_SECONDS)


def lost(clients: Clients, changes: Changes, exchange: Any, asks: Sequence[Any]) -> list[str]:
    """Answers at rest that differ at the end, because something written was lost."""
    found = []
    for holder in changes.lasting:
        state = changes.states[holder.whose.marker].newest
        for ask in asks:
            reply = exchange(ask.request(holder.key))
            if reply.status != 429 and reply.told != clients.right.told(holder.whose, state, ask):
                found.append(f"{ask} of {holder.whose} in {state}: {reply.status}")
    return found
