"""Processes are killed, stopped and reloaded without losing requests or storing halves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from time import monotonic, sleep

import pytest

from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.locks import locked
from tests.support.service import Answer, Running, serve

KNOWLEDGE = "/api/v1/knowledge"
OTHER = make.uuid("another organization")
# A worker has this many connections. An organization may hold half of them, and one worker may
# take all requests.
HELD = 4
PATIENCE_SECONDS = 60


@pytest.fixture
def running(acme: Deployment) -> Iterator[Running]:
    # Held requests wait for as long as the test takes.
    with serve(acme, workers=2, request_timeout_seconds=PATIENCE_SECONDS) as running:
        yield running


@pytest.fixture(scope="module")
def keys(acme: Deployment, key: str) -> tuple[str, str]:
    """A key of each of two organizations."""
    acme.load(make.everything(OTHER))
    acme.approve(OTHER, make.OWNER)
    return key, acme.issue_key(OTHER, make.OWNER)


@contextmanager
def held_requests(
    running: Running, deployment: Deployment, keys: tuple[str, str]
) -> Iterator[list[Future[Answer]]]:
    """Requests that wait for a lock in the database; it is released when the block ends."""
    with ThreadPoolExecutor(HELD) as pool, locked(deployment):
        futures = [pool.submit(running.get, KNOWLEDGE, key) for key in keys * (HELD // len(keys))]
        began = monotonic()
        while deployment.waiting() < HELD:
            assert monotonic() - began < PATIENCE_SECONDS
            sleep(0.01)
        yield futures


@contextmanager
def steady_load(running: Running, key: str, clients: int = 4) -> Iterator[list[int]]:
    """Clients that send requests without pause; lists their statuses, 0 for a lost request."""
    ended, statuses = Event(), list[int]()

    def ask() -> None:
        while not ended.is_set():
            try:
                statuses.append(running.get(key=key).status)
            except OSError:
                statuses.append(0)

    with ThreadPoolExecutor(clients) as pool:
        futures = [pool.submit(ask) for _ in range(clients)]
        try:
            yield statuses
        finally:
            ended.set()
        for future in futures:
            future.result()


def await_others(running: Running, old: set[int], count: int) -> None:
    """Wait until so many workers run, and none of the old ones."""
    began = monotonic()
    while running.workers() & old or len(running.workers()) < count:
        assert monotonic() - began < PATIENCE_SECONDS
        sleep(0.01)


def test_reload_loses_no_request(
    running: Running, acme: Deployment, keys: tuple[str, str], key: str
) -> None:
    old = running.workers()
    with steady_load(running, key) as statuses:
        with held_requests(running, acme, keys) as held:
            running.process.send_signal(signal.SIGHUP)
            sleep(0.5)
        await_others(running, old, len(old))
        sleep(0.3)
    assert [future.result().status for future in held] == [200] * HELD
    assert set(statuses) == {200}
    assert len(statuses) > 20


def test_stop_completes_accepted_requests(
    running: Running, acme: Deployment, keys: tuple[str, str]
) -> None:
    with held_requests(running, acme, keys) as held:
        running.process.send_signal(signal.SIGTERM)
        sleep(0.5)
    assert [future.result().status for future in held] == [200] * HELD
    assert running.process.wait(PATIENCE_SECONDS) == 0


def test_stop_does_not_wait_for_silent_clients(running: Running) -> None:
    clients = [running.connect() for _ in range(4)]
    clients[0].sendall(b"GET / HTTP/1.1\r\nHo")
    sleep(0.2)
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(PATIENCE_SECONDS) == 0
    for client in clients:
        client.close()


def test_killed_worker_is_replaced(running: Running, key: str) -> None:
    victim = min(running.workers())
    os.kill(victim, signal.SIGKILL)
    await_others(running, {victim}, 2)
    assert {running.get(key=key).status for _ in range(40)} == {200}


def test_killed_load_stores_nothing(deployment: Deployment) -> None:
    deployment.load([make.organization(), *make.staff(), make.source("docs")])
    process = deployment.process("load", "-", stdin=subprocess.PIPE)
    assert process.stdin is not None
    for number in range(3000):
        process.stdin.write(json.dumps(make.knowledge(number)) + "\n")
    process.stdin.flush()
    working = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    began = monotonic()
    while deployment.execute(working)[0][0] < 2:
        assert monotonic() - began < PATIENCE_SECONDS
        sleep(0.01)
    sleep(0.2)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert deployment.execute("SELECT count(*) FROM knowledge") == [(0,)]
    # A killed load must not block the next one.
    deployment.load([make.knowledge()])
    assert deployment.execute("SELECT count(*) FROM knowledge") == [(1,)]
