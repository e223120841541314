"""Send requests while something fails, and check that each response is correct or an error."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from time import monotonic, sleep
from typing import NamedTuple, TypeVar

from redis import Redis

from orgctx.stores.quota import WINDOW_SECONDS
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import Answer, Running

CLIENTS = 4
T = TypeVar("T")


class Reply(NamedTuple):
    """A response, and when it was received, in monotonic seconds."""

    received_at: float
    answer: Answer


@dataclass
class Traffic:
    """The responses so far.

    revoked: keys whose revocation was confirmed; a test may append to it. accepted: how many
    requests with such a key returned 200.
    """

    revoked: list[str]
    answers: list[Reply] = field(default_factory=list)
    accepted: int = 0

    def statuses(self) -> set[int]:
        return {reply.answer.status for reply in self.answers}

    def figures(self, began: float) -> str:
        """Describe how many requests have failed since a failure. began: in monotonic seconds."""
        replies = [reply for reply in self.answers if reply.received_at >= began]
        failed = [reply.received_at for reply in replies if reply.answer.status != 200]
        seconds = max(failed, default=began) - began
        return (
            f"{len(failed)} of {len(replies)} requests failed, the last {seconds:.1f} s after "
            f"the fault; revoked keys accepted: {self.accepted}"
        )


@contextmanager
def steady(send: Callable[[], T], clients: int = CLIENTS) -> Iterator[list[T]]:
    """Call `send` in several threads without pause while the block runs, at least once in each.

    Yields the results so far.
    """
    ended, results = Event(), list[T]()

    def run() -> None:
        while True:
            results.append(send())
            if ended.is_set():
                return

    with ThreadPoolExecutor(clients) as threads:
        futures = [threads.submit(run) for _ in range(clients)]
        try:
            yield results
        finally:
            ended.set()
        for future in futures:
            future.result()


@contextmanager
def lasting_windows(redis_url: str) -> Iterator[None]:
    """Keep the quota's windows from expiring while the block runs, even on a slow machine."""

    def renew() -> None:
        for name in redis.scan_iter("orgctx:quota:*"):
            redis.expire(name, WINDOW_SECONDS)
        sleep(0.5)

    with Redis.from_url(redis_url) as redis, steady(renew, 1):
        yield


@contextmanager
def traffic(running: Running, path: str, key: str, *revoked: str) -> Iterator[Traffic]:
    """Request a path in several threads while the block runs. Yields the responses so far.

    After each request, requests the path with the last revoked key. Asserts at the end that no
    revoked key was accepted.
    """
    expected = running.get(path, key).body["data"]
    seen = Traffic([*revoked])

    def send() -> None:
        answer = running.get(path, key, timeout=30)
        assert answer.status != 200 or answer.body["data"] == expected
        seen.answers.append(Reply(monotonic(), answer))
        for revoked_key in seen.revoked[-1:]:
            seen.accepted += running.get(path, revoked_key, timeout=30).status == 200

    with steady(send):
        sleep(0.3)
        yield seen
        sleep(0.3)
    assert not seen.accepted


def revoke(deployment: Deployment, key: str) -> None:
    listed = deployment.cli("keys", "list", "--organization", make.ACME, "--json").json()
    (key_id,) = [row["id"] for row in listed if key.startswith(row["hint"])]
    deployment.cli("keys", "revoke", key_id, "--by", make.OWNER).done()
