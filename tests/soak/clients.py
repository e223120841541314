"""Clients that always wait for an answer, and check it."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from random import Random
from threading import Lock
from time import monotonic, sleep

from tests.soak.answers import COMBINED, RIGHT, Answers, Reader, judge
from tests.soak.changes import RETRY_SECONDS, Changes, Holder
from tests.soak.requests import ERROR, HEAD, MCP, OPEN, REST, Answer, Request, exchange

WEIGHTS = {REST: 50, MCP: 30, HEAD: 8, ERROR: 8, OPEN: 4}
# The share of requests with the ETag of the newest state.
CONDITIONAL = 0.25
SHOWN_ERRORS = 20
PATIENCE_SECONDS = 30
UNAVAILABLE = (502, 503, 504)
# A tool reports the same errors in answers with status 200.
TOOL_ERRORS = (rb"{\"code\":\"service_unavailable\"", rb"{\"code\":\"timeout\"")


@dataclass
class Clients:
    """What the clients send, and what they have counted so far.

    tolerates: whether a request between two times of time.monotonic() may have failed.
    """

    address: tuple[str, int]
    answers: Answers
    changes: Changes
    requests: Sequence[Request]
    tolerates: Callable[[float, float], bool]
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    # Answers by `judge`, and failed requests.
    counts: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def run(self, count: int, is_over: Callable[[], bool], pause: float) -> None:
        """Send requests in so many threads. pause: seconds after each answer."""

        def send(seed: int) -> None:
            random = Random(seed)
            with closing(self.connection()) as connection:
                while not is_over():
                    self._send(connection, random)
                    sleep(pause)

        with ThreadPoolExecutor(count) as threads:
            for each in [threads.submit(send, seed) for seed in range(count)]:
                each.result()

    def connection(self) -> HTTPConnection:
        return HTTPConnection(*self.address, timeout=PATIENCE_SECONDS)

    def _send(self, connection: HTTPConnection, random: Random) -> None:
        """Choose a request, send it and check its answer."""
        holder = random.choice(self.changes.holders())
        (kind,) = random.choices([*WEIGHTS], [*WEIGHTS.values()])
        request = random.choice([each for each in self.requests if each.kind == kind])
        etag = ""
        if kind in (REST, HEAD) and random.random() < CONDITIONAL:
            state = self.changes.states[holder.marker].newest
            etag = self.answers.of(holder.reader, state, request)[1]
        sent_at = monotonic()
        try:
            answer = exchange(connection, request, holder.key, etag)
        except (OSError, HTTPException) as error:
            connection.close()
            self._fail(request, sent_at, repr(error))
            sleep(RETRY_SECONDS)
            return
        if answer[0] in UNAVAILABLE or any(code in answer[2] for code in TOOL_ERRORS):
            self._fail(request, sent_at, str(answer))
        else:
            self._check(holder, request, etag, sent_at, answer)

    def _fail(self, request: Request, sent_at: float, text: str) -> None:
        with self._lock:
            self.counts["failed"] += 1
            if not self.tolerates(sent_at, monotonic()):
                self._note(f"{request}: {text}, and no part was down")

    def _check(
        self, holder: Holder, request: Request, etag: str, sent_at: float, answer: Answer
    ) -> None:
        now = monotonic()
        readers = [Reader(holder.marker, each) for each in holder.grants.possible(sent_at, now)]
        states = self.changes.states[holder.marker].possible(sent_at, now)
        possible = self.answers.possible(readers, states, request)
        judgement = judge(holder.marker, answer, possible, etag)
        with self._lock:
            self.statuses[request.kind, answer[0]] += 1
            self.seconds.append(now - sent_at)
            self.counts[judgement] += 1
            self.counts["during a change"] += len(possible) > 1
            if judgement not in (RIGHT, COMBINED):
                self._note(f"{judgement}: {request} of {holder} in {states}: {answer}")

    def _note(self, text: str) -> None:
        self.counts["wrong or lost"] += 1
        if len(self.errors) < SHOWN_ERRORS:
            self.errors.append(text)
