"""The clients: each connection has a request under way, and every answer is checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from selectors import EVENT_READ, DefaultSelector
from time import monotonic, sleep

from tests.soak import world
from tests.soak.asks import CONDITIONAL, ERROR, HEAD, MCP, OPEN, REST, Ask
from tests.soak.changes import Changes, Holder
from tests.soak.right import Right, Whose, expected
from tests.soak.wire import SECONDS, Connection, Lost, Reply

# The share of requests with a lasting key, and among them those of the organization with limits.
LASTING, LIMITED = 0.7, 0.1
CONDITIONALS = 0.25
SHARES = {REST: 50, MCP: 30, HEAD: 8, ERROR: 8, OPEN: 4}
# Clients use a key that may read everything as often as this many other keys.
FAVOURED = 6
FULL = [Whose(one.marker, "everything") for one in world.CHANGING]
SHOWN = 20


@dataclass(slots=True)
class Client:
    """A connection and the request that it waits for."""

    connection: Connection
    holder: Holder
    ask: Ask
    etag: bytes = b""
    sent_at: float = 0.0


class Clients:
    """Their loop runs in one thread; `take` may be called from another."""

    def __init__(
        self, address: tuple[str, int], right: Right, changes: Changes, asks: list[Ask]
    ) -> None:
        self._address, self.right, self._changes = address, right, changes
        self._asks = {kind: [ask for ask in asks if ask.kind == kind] for kind in SHARES}
        self._random = Random(1)
        self._limited = tuple(
            one for one in changes.lasting if one.whose.marker == world.ORDINARY.marker
        )
        self._free = tuple(
            one
            for one in changes.lasting
            if one not in self._limited
            for _ in range(FAVOURED if one.whose in FULL else 1)
        )
        self._latencies: list[float] = []
        self.answers: Counter[tuple[str, int]] = Counter()
        self.admitted: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.wrongs = self.mixed = self.in_flight = 0

    def run(self, count: int, is_over: Callable[[], bool], pause: float) -> None:
        """Keep so many connections busy. pause: seconds after each answer, shared by all."""
        with DefaultSelector() as selector:
            for _ in range(count):
                self._next(
                    Client(Connection(self._address), self._free[0], self._asks[REST][0]), selector
                )
            while busy := len(selector.get_map()):
                events = selector.select(SECONDS)
                if not events:
                    self._note(f"{busy} requests without an answer for {SECONDS:.0f} s")
                    return
                for key, _ in events:
                    client: Client = key.data
                    selector.unregister(key.fileobj)
                    if not self._receive(client):
                        selector.register(key.fileobj, EVENT_READ, client)
                        continue
                    if pause:
                        sleep(pause)
                    if is_over():
                        client.connection.close()
                    else:
                        self._next(client, selector)

    def take(self) -> list[float]:
        """Seconds that each request since the last call took."""
        taken, self._latencies = self._latencies, []
        return taken

    def _next(self, client: Client, selector: DefaultSelector) -> None:
        """Choose a request and send it."""
        random, passing = self._random, self._changes.passing
        if passing and random.random() > LASTING:
            client.holder = random.choice(passing)
        else:
            client.holder = random.choice(
                self._limited if random.random() < LIMITED else self._free
            )
        (kind,) = random.choices([*SHARES], [*SHARES.values()])
        client.ask = ask = random.choice(self._asks[kind])
        client.etag = b""
        if random.random() < CONDITIONALS and ask.method != "POST":
            state = self._changes.states[client.holder.whose.marker].newest
            client.etag = self.right.told(client.holder.whose, state, ask)[1]
        client.sent_at = monotonic()
        request = ask.request(client.holder.key, client.etag)
        selector.register(client.connection.send(request), EVENT_READ, client)

    def _receive(self, client: Client) -> bool:
        """Whether there is an end to it; if it is an answer, it was checked."""
        try:
            reply = client.connection.receive()
        except (Lost, OSError) as error:
            client.connection.close()
            self._lose(client, error)
            return True
        if reply is None:
            return False
        now = monotonic()
        self._latencies.append(now - client.sent_at)
        self._check(client, reply, now)
        return True

    def _lose(self, client: Client, error: Exception) -> None:
        self._note(f"{client.ask}: lost: {error!r}")

    def _check(self, client: Client, reply: Reply, now: float) -> None:
        ask, holder, right = client.ask, client.holder, self.right
        self.answers[CONDITIONAL if client.etag else ask.kind, reply.status] += 1
        good = holder.is_good.possible(client.sent_at, now)
        states = self._changes.states[holder.whose.marker].possible(client.sent_at, now)
        self.in_flight += len(good) + len(states) > 2
        told = reply.told
        if reply.status == 429 and holder in self._limited and ask.kind != OPEN:
            if b"retry-after" not in reply.headers:
                self._note(f"{ask}: 429 without Retry-After")
            return
        # A key that is refused costs its quota nothing.
        if holder in self._limited and ask.kind != OPEN and reply.status != 401:
            self.admitted[holder.key] += 1
        if (False in good or ask.kind == OPEN) and told == expected(
            right.refusal(ask), client.etag
        ):
            return
        if True in good:
            for state in states:
                if told == expected(right.told(holder.whose, state, ask), client.etag):
                    return
            if len(states) > 1 and right.is_mixed(holder.whose, states, ask, reply):
                self.mixed += 1
                return
        got = f"{reply.status} {reply.body[:300]!r}"
        self._note(f"{ask} of {holder.whose}, good {good}, in {states}: {got}")

    def _note(self, text: str) -> None:
        self.wrongs += 1
        if len(self.wrong) < SHOWN:
            self.wrong.append(text)
