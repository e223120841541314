"""orgctx usage: requests by key and day, counted where they are admitted."""

from datetime import UTC, datetime, timedelta
from typing import Any

from redis import Redis

from orgctx.stores.quota import USAGE_SECONDS
from tests.support import crawl
from tests.support import factories as f
from tests.support.deployment import Deployment


def usage(deployment: Deployment, *options: str) -> list[dict[str, Any]]:
    result = deployment.cli("usage", "--organization", "acme", *options, "--json")
    rows: list[dict[str, Any]] = result.json()
    return rows


def send_requests(deployment: Deployment, keys: list[str], **settings: Any) -> list[int]:
    """Send a request with each key; returns the statuses."""
    with deployment.client(**settings) as client:
        return [crawl.rest(client, key, "/api/v1/sources").status_code for key in keys]


def test_usage_counts_the_requests_of_each_key(acme: Deployment) -> None:
    busy, idle = acme.issue_key("acme", f.OWNER), acme.issue_key("acme", f.OWNER)
    assert usage(acme) == []
    send_requests(acme, [busy, busy, idle, "octx_" + "0" * 40, busy])
    rows = usage(acme)
    assert sorted(row["requests"] for row in rows) == [1, 3]
    assert {row["hint"] for row in rows} == {busy[:9], idle[:9]}
    assert send_requests(acme, [idle] * 3, limit_key=2) == [200, 429, 429]
    assert sorted(row["requests"] for row in usage(acme)) == [2, 3]
    assert {row["day"] for row in rows} == {str(datetime.now(UTC).date())}
    assert busy[:9] in acme.cli("usage", "--organization", "acme").stdout
    assert acme.cli("usage", "--organization", "other", "--json").json() == []


def test_usage_selects_days_and_expires(acme: Deployment) -> None:
    """[8.13]"""
    send_requests(acme, [acme.issue_key("acme", f.OWNER)])
    with Redis.from_url(acme.redis_url) as redis:
        (name,) = redis.keys("orgctx:usage:*")
        assert USAGE_SECONDS - 60 < redis.ttl(name) <= USAGE_SECONDS
        yesterday = str(datetime.now(UTC).date() - timedelta(days=1))
        redis.rename(name, name[:-10] + yesterday.encode())
    assert [row["day"] for row in usage(acme)] == [yesterday]
    assert usage(acme, "--days", "1") == []


def test_usage_without_redis_names_the_setting(acme: Deployment) -> None:
    result = acme.cli("usage", "--organization", "acme", ORGCTX_REDIS_URL="redis://127.0.0.1:1/0")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: Redis is unavailable. Check ORGCTX_REDIS_URL")
