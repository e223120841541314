"""Processes are killed, stopped and reloaded without lost requests."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from time import sleep

import pytest

from tests.support import factories as make
from tests.support.deployment import Deployment, locked
from tests.support.service import Answer, Running, serve
from tests.support.traffic import steady
from tests.support.waiting import PATIENCE_SECONDS, until

pytestmark = pytest.mark.thorough

KNOWLEDGE = "/api/v1/knowledge"
OTHER = make.uuid("another organization")
# The number of connections of a worker. An organization may use half of them, and one worker may
# get all requests.
HELD = 4


@pytest.fixture
def running(acme: Deployment) -> Iterator[Running]:
    # Blocked requests wait as long as the test takes.
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
    """Send requests that wait for a database lock, which is released when the block ends."""
    with ThreadPoolExecutor(HELD) as pool, locked(deployment):
        futures = [pool.submit(running.get, KNOWLEDGE, key) for key in keys * (HELD // len(keys))]
        until(lambda: deployment.waiting() >= HELD)
        yield futures


def await_others(running: Running, old: set[int], count: int) -> None:
    """Wait until `count` workers run and none of the old workers."""
    until(lambda: not running.workers() & old and len(running.workers()) >= count)


def test_reload_loses_no_request(
    running: Running, acme: Deployment, keys: tuple[str, str], key: str
) -> None:
    old = running.workers()
    with steady(lambda: running.get(key=key).status) as statuses:
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
