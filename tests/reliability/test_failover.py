"""A database server dies and another takes over, without a restart and without a wrong answer."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import sleep

import pytest

from orgctx.cli import migrations
from tests.reliability.test_faults import ASSETS, BUDGET, LATE, RECOVERY_SECONDS, Broken
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.replication import Server, either, replicated
from tests.support.service import Answer, Running, serve

CLIENTS = 4


@pytest.fixture
def pair(tmp_path: Path, redis_url: str) -> Iterator[tuple[Server, Server]]:
    with replicated(tmp_path, redis_url) as (primary, replica):
        migrations.migrate(primary.url, primary.url)
        deployment = Deployment(primary.url, redis_url)
        deployment.load(make.everything())
        deployment.approve(make.ACME, make.OWNER)
        yield primary, replica


@contextmanager
def traffic(running: Running, key: str, revoked: str) -> Iterator[list[Answer]]:
    """Clients that send requests without pause; every answer must be correct or a refusal."""
    expected = running.get(ASSETS, key).body["data"]
    answers: list[Answer] = []
    ended = Event()

    def ask() -> None:
        while not ended.is_set():
            answer = running.get(ASSETS, key)
            assert answer.status != 200 or answer.body["data"] == expected
            assert running.get(ASSETS, revoked).status != 200
            answers.append(answer)

    with ThreadPoolExecutor(CLIENTS) as pool:
        futures = [pool.submit(ask) for _ in range(CLIENTS)]
        try:
            sleep(0.3)
            yield answers
            sleep(0.3)
        finally:
            ended.set()
        for future in futures:
            future.result()
    assert all(answer.seconds < LATE for answer in answers)


def revoke(deployment: Deployment, key: str) -> None:
    (found,) = [
        one for one in deployment.cli("keys", "list", "--organization", make.ACME, "--json").json()
        if key.startswith(one["hint"])
    ]  # fmt: skip
    assert deployment.cli("keys", "revoke", found["id"], "--by", make.OWNER).exit_code == 0


def test_a_replica_takes_over(pair: tuple[Server, Server], redis_url: str) -> None:
    """At once if any host will do; with `primary`, once there is a primary again."""
    primary, replica = pair
    admin = Deployment(primary.url, redis_url)
    key, revoked, late = (admin.issue_key(make.ACME, make.OWNER) for _ in range(3))
    with ExitStack() as stack:
        reading, strict = (
            Broken(stack.enter_context(serve(one, request_timeout_seconds=BUDGET)), {}, key)
            for attributes in ("any", "primary")
            for one in [replace(admin, database_url=either(primary.url, replica.url, attributes))]
        )
        workers = reading.running.workers() | strict.running.workers()
        revoke(admin, revoked)
        with traffic(reading.running, key, revoked) as answers:
            primary.die()
            seconds = reading.recover()
        assert {answer.status for answer in answers} <= {200, 503}
        assert {answer.status for answer in strict.at_once()} == {503}
        replica.promote()
        promoted = strict.recover()
        failed = sum(answer.status != 200 for answer in answers)
        print(f"replica in {seconds:.2f} s, {failed} of {len(answers)} refused")
        print(f"promoted in {promoted:.2f} s")
        assert max(seconds, promoted) < RECOVERY_SECONDS
        revoke(Deployment(replica.url, redis_url), late)
        for one in (reading, strict):
            assert one.running.get(ASSETS, late).status == 401
            assert {answer.status for answer in one.at_once(16)} == {200}
        assert reading.running.workers() | strict.running.workers() == workers
