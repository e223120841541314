"""orgctx usage: requests by key and day, counted where they are admitted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from redis import Redis

from orgctx.stores.quota import USAGE_SECONDS
from tests.support import factories as f
from tests.support.deployment import Deployment


def used(deployment: Deployment, *options: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = deployment.cli(
        "usage", "--organization", "acme", *options, "--json"
    ).json()
    return rows


def ask(deployment: Deployment, keys: list[str], **settings: Any) -> list[int]:
    with deployment.app(**settings) as app:
        client = app.test_client()
        return [
            client.get("/api/v1/sources", headers={"Authorization": f"Bearer {key}"}).status_code
            for key in keys
        ]


def test_admitted_requests_by_key(acme: Deployment) -> None:
    busy, idle = acme.issue_key("acme", f.OWNER), acme.issue_key("acme", f.OWNER)
    assert used(acme) == []
    ask(acme, [busy, busy, idle, "octx_" + "0" * 40, busy])
    rows = used(acme)
    assert sorted(row["requests"] for row in rows) == [1, 3]
    assert {row["hint"] for row in rows} == {busy[:9], idle[:9]}
    assert {row["day"] for row in rows} == {str(datetime.now(UTC).date())}
    assert busy[:9] in acme.cli("usage", "--organization", "acme").stdout


def test_what_is_refused_is_not_counted(acme: Deployment) -> None:
    key = acme.issue_key("acme", f.OWNER)
    assert ask(acme, [key] * 4, limit_key=2) == [200, 200, 429, 429]
    assert [row["requests"] for row in used(acme)] == [2]


def test_what_is_given_back_is_not_counted(acme: Deployment) -> None:
    """A process that remembers a revoked key takes its charge back."""
    key = acme.issue_key("acme", f.OWNER)
    (listed,) = acme.cli("keys", "list", "--organization", "acme", "--json").json()
    with acme.app() as app:
        client = app.test_client()
        headers = {"Authorization": f"Bearer {key}"}
        for _ in range(3):
            assert client.get("/api/v1/sources", headers=headers).status_code == 200
        acme.cli("keys", "revoke", listed["id"], "--by", f.OWNER)
        assert client.get("/api/v1/sources", headers=headers).status_code == 401
    assert [row["requests"] for row in used(acme)] == [3]


def test_days_and_their_end(acme: Deployment) -> None:
    key = acme.issue_key("acme", f.OWNER)
    ask(acme, [key])
    with Redis.from_url(acme.redis_url) as redis:
        (name,) = redis.keys("orgctx:usage:*")
        assert USAGE_SECONDS - 60 < redis.ttl(name) <= USAGE_SECONDS
        yesterday = str(datetime.now(UTC).date() - timedelta(days=1))
        redis.rename(name, name[:-10] + yesterday.encode())
    assert [row["day"] for row in used(acme)] == [yesterday]
    assert used(acme, "--days", "1") == []


def test_another_organization_sees_nothing_of_it(acme: Deployment) -> None:
    ask(acme, [acme.issue_key("acme", f.OWNER)])
    assert acme.cli("usage", "--organization", "other", "--json").json() == []
