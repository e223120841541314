"""Greenlets wait for Redis before they read, even if the connection breaks."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator

import pytest
import redis

from orgctx.errors import RequestTimeout, ServiceUnavailable
from orgctx.stores import redis_client, redis_connections
from orgctx.stores.deadline import Deadline
from orgctx.stores.readiness import _Watched


@pytest.fixture
def client(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[redis_client.RedisClient]:
    monkeypatch.setattr(redis_connections, "is_green", lambda: True)
    monkeypatch.setattr(redis_connections, "watch", _Watched)
    client = redis_client.RedisClient(redis_url)
    yield client
    client.close()


def test_redis_client_returns_replies_in_order(client: redis_client.RedisClient) -> None:
    for text in ("a", "b" * 300_000, "c"):
        assert client.execute(Deadline(10), "ECHO", text) == text.encode()


def test_redis_client_replaces_a_closed_connection(
    client: redis_client.RedisClient, redis_url: str
) -> None:
    client.execute(Deadline(10), "PING")
    with redis.Redis.from_url(redis_url) as admin:
        admin.client_kill_filter(_type="normal", skipme=True)
    assert client.execute(Deadline(10), "ECHO", "again") == b"again"


def test_redis_client_does_not_repeat_unrepeatable_commands(
    client: redis_client.RedisClient, redis_url: str
) -> None:
    client.execute(Deadline(10), "PING")
    with redis.Redis.from_url(redis_url) as admin:
        admin.client_kill_filter(_type="normal", skipme=True)
    with pytest.raises(ServiceUnavailable):
        client.execute(Deadline(10), "ECHO", "again", is_repeatable=False)
    assert client.execute(Deadline(10), "ECHO", "again") == b"again"


def test_redis_client_closes_the_socket_after_a_timeout(redis_url: str) -> None:
    client = redis_client.RedisClient(redis_url)
    # What other tests left is not this client's.
    gc.collect()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with pytest.raises(RequestTimeout):
            client.execute(Deadline(0), "PING")
        gc.collect()
    assert not seen
