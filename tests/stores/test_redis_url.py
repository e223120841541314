"""The forms of ORGCTX_REDIS_URL."""

from __future__ import annotations

import pytest

from orgctx.config.redis_url import Place, parse
from orgctx.config.settings import Config, ConfigError

NODES = (("a.example", 7000), ("b.example", 6379), ("::1", 7001))


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("redis://:p%40w@a.example/3", Place("server", "redis://:p%40w@a.example/3")),
        ("unix:///run/redis.sock?db=1", Place("server", "unix:///run/redis.sock?db=1")),
        ("rediss+cluster://u:p%2Fw@a.example:7000,b.example,[::1]:7001",
         Place("cluster", "rediss://u:p%2Fw@a.example:7000/0", NODES)),
        ("redis+sentinel://:p@[::1],b.example:1/the%20master/2?sentinel_password=q&client_name=n",
         Place("sentinel", "redis://:p@[::1]:26379/2?client_name=n",
               (("::1", 26379), ("b.example", 1)), "the master", {"password": "q"})),
    ],
)  # fmt: skip
def test_it_is_read(url: str, place: Place) -> None:
    assert parse(url) == place


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("redis+sentinel://hunter@a.example:26379", "lacks the master's name"),
        ("redis+cluster://hunter@a.example/1", "only the database 0"),
        ("redis+sentinel://a.example/name/hunter", "cannot be read as a URL"),
        ("redis+cluster://:hunter@a.example,", "cannot be read as a URL"),
        ("redis+cluster://a.example:1,:hunter#@b.example:2", "cannot be read as a URL"),
        ("redis+hunter://a.example", "must be a URL that starts with one of redis://"),
        ("hunter", "must be a URL that starts with one of redis://"),
    ],
)
def test_a_fault_is_named_and_not_quoted(
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
