"""A database server dies and another takes over, without a restart and without a wrong answer."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import pytest

from orgctx.cli import migrations
from tests.reliability.test_faults import ASSETS, BUDGET, LATE, RECOVERY_SECONDS, Broken
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.proxy import (
    FORWARD,
    HALF_OPEN,
    Proxy,
    database_address,
    database_through,
)
from tests.support.replication import Server, either, replicated
from tests.support.service import Answer, Running, serve

CLIENTS = 4
SERVICE_CONNECTIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE usename = 'orgctx' AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
)


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


def test_a_read_replica_dies(pair: tuple[Server, Server], redis_url: str) -> None:
    """The primary answers if the hosts before it are silent or refuse."""
    primary, replica = pair
    admin = Deployment(primary.url, redis_url)
    key, revoked = (admin.issue_key(make.ACME, make.OWNER) for _ in range(2))
    revoke(admin, revoked)
    with Proxy(database_address(replica.url)) as proxy:
        read_url = either(database_through(proxy, replica.url), primary.url)
        settings: dict[str, Any] = {
            "database_read_url": read_url,
            "request_timeout_seconds": BUDGET,
        }
        with serve(admin, **settings) as running:
            one = Broken(running, {}, key)
            one.recover()
            assert replica.execute(SERVICE_CONNECTIONS), "nothing was read from the replica"
            with traffic(running, key, revoked) as answers:
                proxy.set(HALF_OPEN)
                silent = one.recover()
            assert {answer.status for answer in answers} <= {200, 504}
            proxy.set(FORWARD)
            # New connections go to the replica again.
            primary.execute(SERVICE_CONNECTIONS)
            one.recover()
            assert replica.execute(SERVICE_CONNECTIONS)
            with traffic(running, key, revoked) as answers:
                replica.die()
                refused = one.recover()
            assert {answer.status for answer in answers} == {200}
            print(f"silent: {silent:.2f} s, dead: {refused:.2f} s, {len(answers)} answers, all 200")
            assert max(silent, refused) < RECOVERY_SECONDS


def test_what_is_suppressed_is_gone_at_once(pair: tuple[Server, Server], redis_url: str) -> None:
    """Even if the replica lags behind, as for an approval that was withdrawn."""
    primary, replica = pair
    admin = Deployment(primary.url, redis_url)
    key = admin.issue_key(make.ACME, make.OWNER)
    one = make.knowledge_id()
    with admin.app(database_read_url=replica.url) as app:

        def get(path: str) -> Any:
            headers = {"Authorization": f"Bearer {key}"}
            return app.test_client().get(f"/api/v1{path}", headers=headers)

        def found(path: str) -> set[str]:
            data = get(path).json["data"]
            items = data if path == "/knowledge" else data["items"]
            return {item["id"] for item in items}

        assert one in found("/knowledge") & found("/search?limit=50")
        assert get(f"/knowledge/{one}").status_code == 200
        primary.execute("ALTER ROLE ALL SET synchronous_commit = local")
        replica.execute("SELECT pg_wal_replay_pause()")
        who = ("--organization", make.ACME, "--by", make.OWNER)
        assert admin.cli("knowledge", "suppress", *who, one).exit_code == 0
        assert not replica.execute("SELECT FROM knowledge_suppressions")
        assert one not in found("/knowledge") | found("/search?limit=50")
        assert get(f"/knowledge/{one}").status_code == 404
        replica.execute("SELECT pg_wal_replay_resume()")
