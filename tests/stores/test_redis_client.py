"""Commands to Redis keep the deadline and survive a broken connection."""

import gc
import warnings
from collections.abc import Iterator

import pytest
import redis

from orgctx.config.settings import Config, ConfigError
from orgctx.config.urls import RedisAddress, parse_redis_url
from orgctx.errors import RequestTimeout
from orgctx.stores import redis_client
from orgctx.stores.deadline import Deadline


@pytest.fixture
def client(redis_url: str) -> Iterator[redis_client.RedisClient]:
    client = redis_client.RedisClient(redis_url, timeout_seconds=10)
    yield client
    client.close()


def test_redis_client_returns_replies_in_order(client: redis_client.RedisClient) -> None:
    for text in ("a", "b" * 300_000, "c"):
        assert client.execute(Deadline(10), "ECHO", text) == text.encode()


def test_redis_client_repeats_commands_on_a_new_connection(
    client: redis_client.RedisClient, redis_url: str
) -> None:
    client.execute(Deadline(10), "PING")
    with redis.Redis.from_url(redis_url) as admin:
        admin.client_kill_filter(_type="normal", skipme=True)
    assert client.execute(Deadline(10), "ECHO", "again") == b"again"


@pytest.mark.thorough
def test_redis_client_closes_the_socket_after_a_timeout(redis_url: str) -> None:
    client = redis_client.RedisClient(redis_url, timeout_seconds=10)
    # Collect the sockets that other tests left open.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(RequestTimeout):
            client.execute(Deadline(0), "PING")
        gc.collect()
    assert not caught


# The formats of ORGCTX_REDIS_URL


NODES = (("a.example", 7000), ("b.example", 6379), ("::1", 7001))


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("redis://:p%40w@a.example/3", RedisAddress("redis://:p%40w@a.example/3")),
        ("unix:///run/redis.sock?db=1", RedisAddress("unix:///run/redis.sock?db=1")),
        ("rediss+cluster://u:p%2Fw@a.example:7000,b.example,[::1]:7001?client_name=n",
         RedisAddress("rediss://u:p%2Fw@a.example:7000/0?client_name=n", NODES)),
    ],
)  # fmt: skip
def test_redis_url_is_parsed(url: str, place: RedisAddress) -> None:
    assert parse_redis_url(url) == place


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("redis+cluster://hunter@a.example/1", "only database 0"),
        ("redis+cluster://a.example/name/hunter", "cannot be read as a URL"),
        ("redis+sentinel://a.example/hunter", "must be a URL that starts with one of redis://"),
        ("redis+cluster://:hunter@a.example,", "cannot be read as a URL"),
        ("redis+cluster://a.example:1,:hunter#@b.example:2", "cannot be read as a URL"),
        ("hunter", "must be a URL that starts with one of redis://"),
    ],
)
def test_redis_url_error_does_not_quote_the_url(
    url: str, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORGCTX_BASE_URL", "http://127.0.0.1")
    monkeypatch.setenv("ORGCTX_DATABASE_URL", "postgresql:///orgctx")
    monkeypatch.setenv("ORGCTX_REDIS_URL", url)
    with pytest.raises(ConfigError) as raised:
        Config.from_environment()
    (message,) = raised.value.errors
    assert message.startswith("ORGCTX_REDIS_URL: ")
    assert error in message
    assert "hunter" not in message
