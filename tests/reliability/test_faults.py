"""PostgreSQL and Redis fail in many ways; responses arrive in time and the service recovers."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from redis import Redis

from orgctx.embedded import servers as embedded_servers
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.proxy import (
    DELAY,
    FORWARD,
    HALF_OPEN,
    PAUSE,
    REFUSE,
    RESET,
    Proxy,
    behind,
    database_address,
    redis_address,
)
from tests.support.service import Answer, Running, serve

pytestmark = pytest.mark.thorough

BUDGET = 0.5
# Generous, because machines are busy; clients wait longer than this.
LATE = BUDGET + 30
RECOVERY_SECONDS = 60
# The number of requests that a single worker can serve at once.
AT_ONCE = 4
# This path reads from a replica if there is one.
ASSETS = "/api/v1/assets"
CODES = {503: "service_unavailable", 504: "timeout"}


@dataclass
class Broken:
    """The service, and the proxies in front of its two stores."""

    running: Running
    proxies: dict[str, Proxy]
    key: str

    def at_once(self, count: int = AT_ONCE) -> list[Answer]:
        with ThreadPoolExecutor(count) as pool:
            return [*pool.map(lambda _: self.running.get(ASSETS, self.key), range(count))]

    def recover(self) -> float:
        """Wait until 16 requests at once succeed. Returns the seconds."""
        began = monotonic()
        while True:
            answers = self.at_once(16)
            if all(answer.status == 200 for answer in answers):
                return monotonic() - began
            assert monotonic() - began < RECOVERY_SECONDS, answers


@pytest.fixture(scope="module")
def broken(acme: Deployment, key: str) -> Iterator[Broken]:
    with (
        behind(acme) as (deployment, database, redis),
        serve(deployment, workers=2, request_timeout_seconds=BUDGET) as running,
    ):
        yield Broken(running, {"database": database, "redis": redis}, key)


@pytest.mark.parametrize("dependency", ["database", "redis"])
@pytest.mark.parametrize(
    ("fault", "delay_seconds", "status"),
    [
        (REFUSE, 0, 503), (RESET, 0, 503), (PAUSE, 0, 504), (HALF_OPEN, 0, 504), (DELAY, 0.8, 504),
        (DELAY, 0.02, 200),
    ],
)  # fmt: skip
def test_service_responds_in_time_and_recovers(
    broken: Broken, dependency: str, fault: str, delay_seconds: float, status: int
) -> None:
    # Let both workers open their connections.
    broken.recover()
    proxy = broken.proxies[dependency]
    workers = broken.running.workers()
    proxy.set(fault, delay_seconds)
    try:
        answers = [answer for _ in range(2) for answer in broken.at_once()]
    finally:
        proxy.set(FORWARD)
    # The budget is small, so a busy machine causes 504.
    assert {answer.status for answer in answers} - {504} == {status} - {504}
    for answer in answers:
        assert answer.seconds < LATE
        if answer.status in CODES:
            assert answer.body["error"]["code"] == CODES[answer.status]
            assert answer.body["requestId"] == answer.headers["x-request-id"]
        if answer.status == status != 200:
            is_counted = dependency == "database" and status == 503
            assert ("ratelimit-limit" in answer.headers) == is_counted
    seconds = broken.recover()
    slowest = max(answer.seconds for answer in answers)
    print(f"{dependency} {fault}: slowest {slowest:.2f} s, recovered in {seconds:.2f} s")
    assert broken.running.workers() == workers
    for _ in range(3):
        # No broken connection may remain.
        assert {answer.status for answer in broken.at_once(16)} - {504} == {200}


def test_flushed_redis_fails_no_request(broken: Broken, acme: Deployment) -> None:
    redis = Redis.from_url(acme.redis_url)
    with ThreadPoolExecutor(1) as pool:
        load = pool.submit(lambda: [broken.at_once() for _ in range(20)])
        while not load.done():
            redis.flushall()
            redis.script_flush()
            sleep(0.02)
    redis.close()
    # A busy machine may cause 504; no other status may appear.
    assert {answer.status for answers in load.result() for answer in answers} - {504} == {200}


def test_service_recovers_after_both_stores_restart(tmp_path: Path) -> None:
    """As in an upgrade, connections close, then the servers are unreachable, then they return."""

    def start(stack: ExitStack) -> Any:
        return stack.enter_context(embedded_servers(tmp_path / "servers", durable=False))

    with ExitStack() as proxies, ExitStack() as first, ExitStack() as second:
        stores = start(first)
        deployment = Deployment(stores.database_url, stores.redis_url)
        deployment.cli("migrate").done()
        deployment.load_acme()
        key = deployment.issue_key(make.ACME, make.OWNER)
        through, database, redis = proxies.enter_context(behind(deployment))
        running = proxies.enter_context(serve(through, request_timeout_seconds=BUDGET))
        broken = Broken(running, {}, key)
        broken.recover()
        first.close()
        down = broken.at_once()
        again = start(second)
        database.target = database_address(again.database_url)
        redis.target = redis_address(again.redis_url)
        assert {answer.status for answer in down} - {504} == {503}
        assert all(answer.seconds < LATE for answer in down)
        broken.recover()
        proxies.close()
