"""Quota counters in Redis: atomicity, expiry, client addresses. Section 8 tests the limits."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from redis import Redis

from tests.support import factories as make
from tests.support import redis_servers
from tests.support.deployment import Deployment
from tests.support.processes import free_port
from tests.support.redis_servers import Cluster


def get(client: FlaskClient, key: str | None, path: str = "/sources", **headers: str) -> Any:
    if key:
        headers["Authorization"] = f"Bearer {key}"
    return client.get(f"/api/v1{path}", headers=headers)


def limits(response: Any) -> tuple[int, int]:
    return int(response.headers["RateLimit-Limit"]), int(response.headers["RateLimit-Remaining"])


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
        (1, "2001:db8:0:1::1", "2001:db8:0:1::/64"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
        (1, "[::ffff:203.0.113.9]:443", "203.0.113.9"),
        (1, "203.0.113.9:50000", "203.0.113.9"),
        (1, "[2001:db8::1]:50000", "2001:db8::/64"),
        (1, "fe80::1%eth0", "fe80::/64"),
        (1, "203.0.113.9:port", "127.0.0.1"),
        (1, "1" * 8000, "127.0.0.1"),
        (1, "," * 8000, "127.0.0.1"),
    ],
)
def test_client_address_counts_only_the_trusted_hop(
    shared_acme: Deployment, hops: int, forwarded: str, counted: str
) -> None:
    with shared_acme.app(trusted_proxy_hops=hops) as app:
        get(app.test_client(), None, **{"X-Forwarded-For": forwarded})
    redis = Redis.from_url(shared_acme.redis_url)
    assert redis.keys("*") == [f"orgctx:quota:ip:{counted}".encode()]
    redis.close()


def test_quota_resets_a_counter_that_lasts_too_long(shared_acme: Deployment) -> None:
    """A restored copy or another program may leave such a counter."""
    key = shared_acme.issue_key(make.ACME, make.OWNER)
    redis = Redis.from_url(shared_acme.redis_url)
    with shared_acme.client(limit_key=3) as client:
        assert [get(client, key).status_code for _ in range(4)] == [200, 200, 200, 429]
        for name in redis.keys("orgctx:quota:*:key:*"):
            redis.expire(name, 61)
        assert limits(get(client, key)) == (3, 2)
        assert all(redis.pttl(name) <= 60_000 for name in redis.keys("orgctx:quota:*"))
        for name in redis.keys("orgctx:quota:*:key:*"):
            redis.persist(name)
        assert limits(get(client, key)) == (3, 2)
        for planted in (-1000, 1.5, "nan", "many"):
            for name in redis.keys("orgctx:quota:*:key:*"):
                redis.set(name, planted, ex=30)
            assert limits(get(client, key)) == (3, 2)
        count = len(redis.keys("orgctx:used:*"))
        get(client, shared_acme.issue_key(make.ACME, make.OWNER))
        assert len(redis.keys("orgctx:used:*")) == count + 1
    redis.close()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with redis_servers.cluster(tmp_path_factory.mktemp("cluster"), replicas=False) as servers:
        yield servers


@pytest.mark.thorough
def test_redis_cluster_counts_marks_and_limits(own_acme: Deployment, cluster: Cluster) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    with own_acme.client(key, redis_url=cluster.url, limit_key=3) as client:
        answers = [client.get("/api/v1/x/mentions") for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        assert client.get("/readyz").json["checks"]["redis"] == "ok"
    node = cluster.masters[cluster.owner(f"{{{make.ACME}}}")]
    assert node.ask("GET", f"orgctx:watched:{{{make.ACME}}}") is not None
    assert node.ask("GET", f"orgctx:quota:{{{make.ACME}}}") == b"3"


@pytest.mark.thorough
def test_doctor_checks_a_redis_cluster(deployment: Deployment, cluster: Cluster) -> None:
    of_cluster = replace(deployment, redis_url=cluster.url)
    assert of_cluster.check("redis") == "ok       redis: available"
    unauthenticated = cluster.url.replace("://", "://nobody:wrong-secret@")
    wrong = deployment.check("redis", ORGCTX_REDIS_URL=unauthenticated)
    assert "wrong password" in wrong
    assert "wrong-secret" not in wrong


def test_app_starts_while_the_redis_cluster_is_unreachable(deployment: Deployment) -> None:
    with deployment.app(redis_url=f"redis+cluster://127.0.0.1:{free_port()}") as app:
        assert app.test_client().get("/healthz").status_code == 200
        assert app.test_client().get("/readyz").json["checks"]["redis"] == "connection refused"
        assert app.test_client().get("/api/v1/sources").status_code == 503
