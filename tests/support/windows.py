"""Keep the quota's windows from expiring during a test, even on a slow machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from redis import Redis

from orgctx.stores.quota import WINDOW_SECONDS

RENEWAL_SECONDS = 0.5


@contextmanager
def held(redis_url: str) -> Iterator[None]:
    """Renew all windows of the quota in Redis while the block runs."""
    ended = Event()

    def renew() -> None:
        with Redis.from_url(redis_url) as redis:
            while not ended.wait(RENEWAL_SECONDS):
                for name in redis.scan_iter("orgctx:quota:*"):
                    redis.expire(name, WINDOW_SECONDS)

    thread = Thread(target=renew)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
