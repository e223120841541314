"""The clients: every connection always waits for an answer, and every answer is checked."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from selectors import EVENT_READ, DefaultSelector
from time import monotonic, sleep

from tests.soak import world
from tests.soak.changes import Changes, KeyHolder
from tests.soak.expected import Expected, Reader, conditional
from tests.soak.requests import CONDITIONAL, ERROR, HEAD, MCP, OPEN, REST, Request
from tests.soak.wire import SECONDS, Connection, Lost, Reply
from tests.support.organizations import HIDDEN

# The share of requests with a lasting key, and among them those of the organization with limits.
LASTING, LIMITED = 0.7, 0.1
CONDITIONALS = 0.25
WEIGHTS = {REST: 50, MCP: 30, HEAD: 8, ERROR: 8, OPEN: 4}
# A key that reads everything is used as often as this many other keys.
FULL_WEIGHT = 6
FULL = [Reader(each.marker, "everything") for each in world.CHANGING]
SHOWN_ERRORS = 20
UNAVAILABLE = (502, 503, 504)
# A tool reports the same errors in answers with status 200.
TOOL_ERRORS = (rb"{\"code\":\"service_unavailable\"", rb"{\"code\":\"timeout\"")


@dataclass(slots=True)
class Client:
    """A connection and the request that it waits for."""

    connection: Connection
    holder: KeyHolder
    request: Request
    etag: bytes = b""
    sent_at: float = 0.0


class Clients:
    """One thread calls `run`; another may call `take`.

    tolerates: whether a request between two times of time.monotonic() may have failed.
    """

    def __init__(
        self, address: tuple[str, int], expected: Expected, changes: Changes,
        requests: list[Request], tolerates: Callable[[float, float], bool],
    ) -> None:  # fmt: skip
        self._tolerates = tolerates
        self._address, self.expected, self._changes = address, expected, changes
        self._requests = {kind: [each for each in requests if each.kind == kind]
                          for kind in WEIGHTS}  # fmt: skip
        self._random = Random(1)
        lasting = changes.lasting
        self._limited = [each for each in lasting if each.marker == world.ORDINARY.marker]
        self._free = [
            each
            for each in lasting
            if each not in self._limited
            for _ in range(FULL_WEIGHT if each.reader in FULL else 1)
        ]
        self._latencies: list[float] = []
        self.answers: Counter[tuple[str, int]] = Counter()
        self.admitted: Counter[str] = Counter()
        # Wrong answers by what is wrong with them.
        self.wrong: Counter[str] = Counter()
        self.errors: list[str] = []
        self.error_count = self.mixed_count = self.during_change_count = self.failed_count = 0

    def run(self, count: int, is_over: Callable[[], bool], pause: float) -> None:
        """Keep this many connections busy. pause: seconds after each answer, shared by all."""
        with DefaultSelector() as selector:
            for _ in range(count):
                connection = Connection(self._address)
                self._next(Client(connection, self._free[0], self._requests[REST][0]), selector)
            while waiting := len(selector.get_map()):
                events = selector.select(SECONDS)
                if not events:
                    self._note(f"{waiting} requests without an answer for {SECONDS:.0f} s")
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
        """Return the seconds of each request since the last call."""
        latencies, self._latencies = self._latencies, []
        return latencies

    def _next(self, client: Client, selector: DefaultSelector) -> None:
        """Choose a request and send it."""
        random, passing = self._random, (*self._changes.passing, *self._changes.deleted)
        lasting = self._limited if random.random() < LIMITED else self._free
        is_passing = passing and random.random() > LASTING
        client.holder = random.choice(passing if is_passing else lasting)
        (kind,) = random.choices([*WEIGHTS], [*WEIGHTS.values()])
        client.request = random.choice(self._requests[kind])
        client.etag = b""
        reader = client.holder.reader
        if reader and random.random() < CONDITIONALS and client.request.method != "POST":
            state = self._changes.states[reader.marker].newest
            client.etag = self.expected.answer(reader, state, client.request)[1]
        client.sent_at = monotonic()
        data = client.request.encode(client.holder.key, client.etag)
        selector.register(client.connection.send(data), EVENT_READ, client)

    def _receive(self, client: Client) -> bool:
        """Read what has arrived, and check a complete answer. Returns whether it has ended."""
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
        self._fail(client, monotonic(), repr(error))

    def _fail(self, client: Client, now: float, text: str) -> None:
        self.failed_count += 1
        if not self._tolerates(client.sent_at, now):
            self.wrong["failed"] += 1
            self._note(f"{client.request}: {text}, and no part was down")

    def _check(self, client: Client, reply: Reply, now: float) -> None:
        request, holder = client.request, client.holder
        self.answers[CONDITIONAL if client.etag else request.kind, reply.status] += 1
        if reply.status in UNAVAILABLE or any(code in reply.body for code in TOOL_ERRORS):
            self._fail(client, now, f"{reply.status} {reply.body[:200]!r}")
            return
        limits = self._changes.is_limited[holder.marker].possible(client.sent_at, now)
        if True in limits and request.kind != OPEN and reply.status == 429:
            if b"retry-after" not in reply.headers:
                self._note(f"{request}: 429 without Retry-After")
            return
        # A rejected key does not use up its quota.
        is_limited = holder.marker == world.ORDINARY.marker and request.kind != OPEN
        if is_limited and reply.status != 401:
            self.admitted[holder.key] += 1
        if not self._is_correct(client, reply, now):
            kind = self._kind_of_error(holder, reply)
            differing = self._differing(client, reply, now)
            body = reply.body if differing else reply.body[:300]
            self._note(f"{kind}: {request} of {holder}: {reply.status} {differing} {body!r}")

    def _is_correct(self, client: Client, reply: Reply, now: float) -> bool:
        request, holder, etag = client.request, client.holder, client.etag
        grants = holder.grants.possible(client.sent_at, now)
        readers = [Reader(holder.marker, each) for each in grants if each]
        states = self._changes.states[holder.marker].possible(client.sent_at, now)
        self.during_change_count += len(grants) + len(states) > 2
        answers = [self.expected.answer(reader, state, request)
                   for reader in readers for state in states]  # fmt: skip
        if None in grants or request.kind == OPEN:
            answers.append(self.expected.revoked(request))
        if reply.answer in [conditional(answer, etag) for answer in answers]:
            return True
        is_mixed = len(states) > 1 and any(
            self.expected.is_mixed(reader, states, request, reply) for reader in readers
        )
        self.mixed_count += is_mixed
        return is_mixed

    def _differing(self, client: Client, reply: Reply, now: float) -> dict[str, list[str]]:
        """Return the parts of an answer that differ from it in each possible state."""
        holder, request = client.holder, client.request
        if reply.status != 200 or request.kind == HEAD:
            return {}
        return {
            f"{reader.grants} {state}": self.expected.differing(reader, state, request, reply)
            for reader in {Reader(holder.marker, each)
                           for each in holder.grants.possible(client.sent_at, now) if each}
            for state in self._changes.states[holder.marker].possible(client.sent_at, now)
        }  # fmt: skip

    def _kind_of_error(self, holder: KeyHolder, reply: Reply) -> str:
        """Say what is wrong with an answer, and count it."""
        foreign = [each.marker for each in world.ALL if each.marker != holder.marker]
        if any(word.encode() in reply.body for word in (*foreign, HIDDEN)):
            kind = "foreign"
        elif reply.status >= 500:
            kind = str(reply.status)
        elif reply.status == 200:
            kind = "stale or malformed"
        else:
            kind = f"unexpected {reply.status}"
        self.wrong[kind] += 1
        return kind

    def _note(self, text: str) -> None:
        self.error_count += 1
        if len(self.errors) < SHOWN_ERRORS:
            self.errors.append(text)
