"""Clients that send requests while something fails: each answer is right or an error."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from time import monotonic, sleep
from typing import NamedTuple

from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import Answer, Running

CLIENTS = 4


class Asked(NamedTuple):
    """One answer. at: in monotonic seconds, when it came."""

    at: float
    answer: Answer


@dataclass
class Traffic:
    """What was answered so far.

    revoked: keys whose revocation was confirmed; may grow. accepted: how often one was accepted.
    """

    revoked: list[str]
    answers: list[Asked] = field(default_factory=list)
    accepted: int = 0

    def since(self, began: float) -> list[Asked]:
        """The answers from some time on, in order."""
        return sorted(one for one in self.answers if one.at >= began)

    def figures(self, began: float) -> str:
        """What a fault at that time has cost."""
        answers = self.since(began)
        failed = [one for one in answers if one.answer.status != 200]
        seconds = max((one.at for one in failed), default=began) - began
        return (
            f"{len(failed)} of {len(answers)} requests failed, the last {seconds:.1f} s after "
            f"the fault; revoked keys accepted: {self.accepted}"
        )


@contextmanager
def traffic(running: Running, path: str, key: str, *revoked: str) -> Iterator[Traffic]:
    """Clients of a path, each of whose requests is followed by one with a revoked key."""
    expected = running.get(path, key).body["data"]
    seen = Traffic([*revoked])
    ended = Event()

    def ask() -> None:
        while not ended.is_set():
            answer = running.get(path, key, timeout=30)
            assert answer.status != 200 or answer.body["data"] == expected
            seen.answers.append(Asked(monotonic(), answer))
            for one in seen.revoked[-1:]:
                seen.accepted += running.get(path, one, timeout=30).status == 200

    with ThreadPoolExecutor(CLIENTS) as pool:
        futures = [pool.submit(ask) for _ in range(CLIENTS)]
        try:
            sleep(0.3)
            yield seen
            sleep(0.3)
        finally:
            ended.set()
        for future in futures:
            future.result()
    assert not seen.accepted


def revoke(deployment: Deployment, key: str) -> None:
    (found,) = [
        one for one in deployment.cli("keys", "list", "--organization", make.ACME, "--json").json()
        if key.startswith(one["hint"])
    ]  # fmt: skip
    assert deployment.cli("keys", "revoke", found["id"], "--by", make.OWNER).exit_code == 0
