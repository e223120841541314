"""The forms of ORGCTX_REDIS_URL."""

from __future__ import annotations

import pytest

from orgctx.config.redis_url import RedisAddress, parse
from orgctx.config.settings import Config, ConfigError

NODES = (("a.example", 7000), ("b.example", 6379), ("::1", 7001))


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("redis://:p%40w@a.example/3", RedisAddress("server", "redis://:p%40w@a.example/3")),
        ("unix:///run/redis.sock?db=1", RedisAddress("server", "unix:///run/redis.sock?db=1")),
        ("rediss+cluster://u:p%2Fw@a.example:7000,b.example,[::1]:7001",
         RedisAddress("cluster", "rediss://u:p%2Fw@a.example:7000/0", NODES)),
        ("redis+sentinel://:p@[::1],b.example:1/the%20master/2?sentinel_password=q&client_name=n",
         RedisAddress("sentinel", "redis://:p@[::1]:26379/2?client_name=n",
               (("::1", 26379), ("b.example", 1)), "the master", {"password": "q"})),
    ],
)  # fmt: skip
def test_redis_url_is_parsed(url: str, place: RedisAddress) -> None:
    assert parse(url) == place


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("redis+sentinel://hunter@a.example:26379", "lacks the name of the master"),
        ("redis+cluster://hunter@a.example/1", "only database 0"),
        ("redis+sentinel://a.example/name/hunter", "cannot be read as a URL"),
        ("redis+cluster://:hunter@a.example,", "cannot be read as a URL"),
        ("redis+cluster://a.example:1,:hunter#@b.example:2", "cannot be read as a URL"),
        ("redis+hunter://a.example", "must be a URL that starts with one of redis://"),
        ("hunter", "must be a URL that starts with one of redis://"),
    ],
)
def test_redis_url_error_does_not_quote_the_url(
    url: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORGCTX_BASE_URL", "http://127.0.0.1")
    monkeypatch.setenv("ORGCTX_DATABASE_URL", "postgresql:///orgctx")
    monkeypatch.setenv("ORGCTX_REDIS_URL", url)
    with pytest.raises(ConfigError) as raised:
        Config.from_environment()
    (told,) = raised.value.errors
    assert told.startswith("ORGCTX_REDIS_URL: ")
    assert fault in told
    assert "hunter" not in told
