"""If two threads need the only idle connection, the second opens another one."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from typing import Any

from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool
from orgctx.stores.redis_client import RedisClient
from tests.support.deployment import Deployment

THREADS = 8
TOGETHER_SECONDS = 0.2


class Watched(deque[Any]):
    """Idle connections that provoke a race.

    A thread that checks before it takes waits until all threads have checked. A thread that only
    takes never waits.
    """

    def __init__(self, connections: Iterator[Any]) -> None:
        super().__init__(connections)
        self._looked = Barrier(THREADS)

    def __len__(self) -> int:
        count = super().__len__()
        with suppress(BrokenBarrierError):
            self._looked.wait(TOGETHER_SECONDS)
        return count


def test_pool_gives_one_idle_connection_to_one_thread(deployment: Deployment) -> None:
    pool = Pool(deployment.database_url, size=THREADS, timeout_seconds=10)

    def ask(_: int) -> int:
        return len(pool.query("stores/list_migrations", {}, Deadline(10)).rows)

    (expected,) = {ask(0)}
    pool.connections.idle = Watched(iter(pool.connections.idle))
    with ThreadPoolExecutor(THREADS) as threads:
        for _ in range(5):
            assert {*threads.map(ask, range(THREADS))} == {expected}
            while sum(1 for _ in pool.connections.idle) > 1:
                pool.connections.idle.pop().close()
    pool.connections.idle = deque(iter(pool.connections.idle))
    pool.close()


def test_redis_client_gives_one_idle_connection_to_one_thread(redis_url: str) -> None:
    client = RedisClient(redis_url, timeout_seconds=10)
    client.execute(Deadline(10), "PING")
    client._idle = Watched(iter(client._idle))
    with ThreadPoolExecutor(THREADS) as threads:
        answers = [*threads.map(lambda _: client.execute(Deadline(10), "PING"), range(THREADS))]
    assert answers == [b"PONG"] * THREADS
    client._idle = deque(iter(client._idle))
    client.close()
