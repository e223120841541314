"""Counting: windows, the tightest limit, atomicity across processes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask.testing import FlaskClient
from redis import Redis

from tests.support import factories as make
from tests.support import windows
from tests.support.deployment import Deployment


def get(client: FlaskClient, key: str | None, path: str = "/sources", **headers: str) -> Any:
    if key:
        headers["Authorization"] = f"Bearer {key}"
    return client.get(f"/api/v1{path}", headers=headers)


def limits(response: Any) -> tuple[int, int]:
    return int(response.headers["RateLimit-Limit"]), int(response.headers["RateLimit-Remaining"])


def test_the_limit_with_the_fewest_requests_left_is_reported(own_acme: Deployment) -> None:
    first, second = (own_acme.issue_key(make.ACME, make.OWNER) for _ in range(2))
    with own_acme.app(limit_key=3, limit_organization=5, limit_ip=7) as app:
        client = app.test_client()
        assert limits(get(client, first)) == (3, 2)
        assert limits(get(client, first)) == (3, 1)
        assert limits(get(client, second)) == (3, 2)
        assert limits(get(client, second)) == (3, 1)
        assert limits(get(client, first)) == (3, 0)
        refused = get(client, first)
        assert refused.status_code == 429
        assert "API key" in refused.json["error"]["message"]
        assert limits(refused) == (3, 0)
        assert 0 <= int(refused.headers["Retry-After"]) <= 60
        assert get(client, None).status_code == 401
        refused = get(client, None)
        assert refused.status_code == 429
        assert "IP address" in refused.json["error"]["message"]
        assert limits(refused) == (7, 0)


def test_the_organizations_limit_spans_its_keys(own_acme: Deployment) -> None:
    keys = [own_acme.issue_key(make.ACME, make.OWNER) for _ in range(3)]
    with own_acme.app(limit_organization=2) as app:
        client = app.test_client()
        assert [get(client, key).status_code for key in keys] == [200, 200, 429]
        assert "organization" in get(client, keys[0]).json["error"]["message"]


def test_a_request_refused_by_one_limit_consumes_none_of_the_other(own_acme: Deployment) -> None:
    first, second = (own_acme.issue_key(make.ACME, make.OWNER) for _ in range(2))
    with own_acme.app(limit_key=1, limit_organization=2) as app:
        client = app.test_client()
        assert [get(client, first).status_code for _ in range(5)] == [200, 429, 429, 429, 429]
        assert get(client, second).status_code == 200


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({}, 120),
        ({"plan": "pro"}, 360),
        ({"verifiedHolding": 24_999.99}, 120),
        ({"verifiedHolding": 25_000}, 360),
    ],
)
def test_the_top_plan(own_acme: Deployment, members: Any, expected: int) -> None:
    own_acme.load([make.organization(**members)])
    key = own_acme.issue_key(make.ACME, make.OWNER)
    with own_acme.app(limit_key=120, limit_key_top=360) as app:
        assert limits(get(app.test_client(), key)) == (expected, expected - 1)


def test_exactly_the_allowed_number_is_admitted_at_once(own_acme: Deployment) -> None:
    keys = [own_acme.issue_key(make.ACME, make.OWNER) for _ in range(4)]
    with (
        own_acme.app(limit_key=20, limit_organization=50) as app,
        windows.held(own_acme.redis_url),
        ThreadPoolExecutor(16) as pool,
    ):
        statuses = list(
            pool.map(lambda n: get(app.test_client(), keys[n % 4]).status_code, range(160))
        )
    assert statuses.count(200) == 50
    assert statuses.count(429) == 110


def test_every_redis_key_expires(own_acme: Deployment) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    with own_acme.app() as app:
        for path in ("/sources", "/x/mentions", "/token"):
            assert get(app.test_client(), key, path).status_code == 200
    redis = Redis.from_url(own_acme.redis_url)
    names = sorted(redis.keys("*"))
    assert len(names) == 6
    assert all(0 < redis.ttl(name) <= 90 * 24 * 3600 for name in names)
    assert 0 < redis.ttl(f"orgctx:watched:{{{make.ACME}}}") <= 90
    redis.close()


def test_counting_survives_a_flush_of_scripts_and_data(own_acme: Deployment) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    redis = Redis.from_url(own_acme.redis_url)
    with own_acme.app(limit_key=10) as app:
        assert limits(get(app.test_client(), key)) == (10, 9)
        redis.flushall()
        redis.script_flush()
        assert limits(get(app.test_client(), key)) == (10, 9)
    redis.close()


@pytest.mark.parametrize(
    ("hops", "forwarded", "counted"),
    [
        (0, "203.0.113.9", "127.0.0.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        (2, "198.51.100.1, 203.0.113.9", "198.51.100.1"),
        (2, "203.0.113.9", "127.0.0.1"),
        (1, "nonsense", "127.0.0.1"),
        (1, "2001:DB8::1", "2001:db8::/64"),
        (1, "2001:db8:0:0:ffff::9", "2001:db8::/64"),
        (1, "2001:db8:0:1::1", "2001:db8:0:1::/64"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
        (1, "[::ffff:203.0.113.9]:443", "203.0.113.9"),
        (1, "203.0.113.9:50000", "203.0.113.9"),
        (1, "[2001:db8::1]:50000", "2001:db8::/64"),
        (1, "[2001:db8::1]", "2001:db8::/64"),
        (1, "fe80::1%eth0", "fe80::/64"),
        (1, "203.0.113.9:port", "127.0.0.1"),
        (1, "1" * 8000, "127.0.0.1"),
        (1, "," * 8000, "127.0.0.1"),
    ],
)
def test_only_the_trusted_hop_is_counted(
    own_acme: Deployment, hops: int, forwarded: str, counted: str
) -> None:
    with own_acme.app(trusted_proxy_hops=hops) as app:
        get(app.test_client(), None, **{"X-Forwarded-For": forwarded})
    redis = Redis.from_url(own_acme.redis_url)
    assert redis.keys("*") == [f"orgctx:quota:ip:{counted}".encode()]
    redis.close()


def test_a_counter_that_lasts_too_long_begins_again(own_acme: Deployment) -> None:
    """A restored copy or another program may leave one; nobody should wait for hours."""
    key = own_acme.issue_key(make.ACME, make.OWNER)
    redis = Redis.from_url(own_acme.redis_url)
    with own_acme.app(limit_key=3) as app:
        client = app.test_client()
        assert [get(client, key).status_code for _ in range(4)] == [200, 200, 200, 429]
        for name in redis.keys("orgctx:quota:*:key:*"):
            redis.expire(name, 61)
        assert limits(get(client, key)) == (3, 2)
        assert all(redis.pttl(name) <= 60_000 for name in redis.keys("orgctx:quota:*"))
        for name in redis.keys("orgctx:quota:*:key:*"):
            redis.persist(name)
        assert limits(get(client, key)) == (3, 2)
    redis.close()


@pytest.mark.parametrize(
    ("prefix", "counted"),
    [(56, "2001:db8::/56"), (64, "2001:db8:0:1::/64"), (128, "2001:db8:0:1::1")],
)
def test_the_length_of_a_network_is_a_setting(
    own_acme: Deployment, prefix: int, counted: str
) -> None:
    with own_acme.app(trusted_proxy_hops=1, ipv6_prefix=prefix) as app:
        get(app.test_client(), None, **{"X-Forwarded-For": "2001:db8:0:1::1"})
    redis = Redis.from_url(own_acme.redis_url)
    assert redis.keys("*") == [f"orgctx:quota:ip:{counted}".encode()]
    redis.close()


def test_a_cluster_takes_the_keys_of_one_charge(own_acme: Deployment) -> None:
    """All keys of the script have one hash tag, so a cluster keeps them in one slot."""
    from redis.crc import key_slot

    key = own_acme.issue_key(make.ACME, make.OWNER)
    with own_acme.app() as app:
        get(app.test_client(), key)
    redis: Any = Redis.from_url(own_acme.redis_url)
    names = [name for name in redis.keys("*") if b":ip:" not in name]
    assert len(names) == 4
    assert len({key_slot(name) for name in names}) == 1
    redis.close()
