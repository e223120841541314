"""Section 8: quotas. The other limits are tested where the endpoints are (section 4)."""

from collections.abc import Callable
from math import ceil
from time import sleep
from typing import Any

import pytest

from orgctx.config.settings import Config
from tests.contract import data
from tests.contract.conftest import Api
from tests.support import factories as make

DEFAULTS = {
    name: Config.__dataclass_fields__[name].default
    for name in ("limit_key", "limit_organization", "limit_ip", "limit_key_top",
                 "limit_organization_top", "top_holding_units")
}  # fmt: skip


def remaining(api: Api, path: str = "/sources", **options: Any) -> tuple[int, int]:
    """The values of RateLimit-Limit and RateLimit-Remaining."""
    headers = api.request(path, **options).headers
    return int(headers["RateLimit-Limit"]), int(headers["RateLimit-Remaining"])


def statuses(api: Api, count: int, path: str = "/sources", **options: Any) -> list[int]:
    return [api.request(path, **options).status_code for _ in range(count)]


def test_defaults(acme_api: Callable[..., Api]) -> None:
    api = acme_api(**DEFAULTS)
    assert remaining(api) == (120, 119)
    api = acme_api(**DEFAULTS | {"limit_key": 10_000})
    assert remaining(api, scopes=("context:read",)) == (300, 298)
    api = acme_api(**DEFAULTS | {"limit_key": 10_000, "limit_ip": 10_000})
    assert remaining(api, scopes=("context:read", "x:read")) == (600, 597)


PLANS: dict[str, tuple[dict[str, Any], tuple[int, int]]] = {
    "standard": ({}, (120, 600)),
    "pro": ({"plan": "pro"}, (360, 1800)),
    "holding": ({"verifiedHolding": 25_000}, (360, 1800)),
    "almost": ({"verifiedHolding": 24_999.999}, (120, 600)),
}


@pytest.mark.parametrize("plan", PLANS)
def test_top_plan_limits(own_api: Callable[..., Api], plan: str) -> None:
    """[8.4]"""
    members, (of_key, of_organization) = PLANS[plan]
    api = own_api(**DEFAULTS | {"limit_ip": 10_000})
    api.deployment.load([make.organization(**members), *make.staff()])
    assert remaining(api) == (of_key, of_key - 1)
    loose = {"limit_ip": 10_000, "limit_key": 10_000, "limit_key_top": 10_000}
    api = own_api(**DEFAULTS | loose)
    assert remaining(api) == (of_organization, of_organization - 2)


def test_key_limit(acme_api: Callable[..., Api]) -> None:
    """[7.10]"""
    api = acme_api(limit_key=2)
    assert [remaining(api) for _ in "123"] == [(2, 1), (2, 0), (2, 0)]
    response = api.request("/nothing")
    assert response.status_code == 429
    assert "exceeded for this API key" in response.json["error"]["message"]
    assert 0 < int(response.headers["Retry-After"]) <= 60
    assert response.headers["Retry-After"] == response.headers["RateLimit-Reset"]
    assert statuses(api, 1, scopes=("context:read",)) == [200]


def test_organization_limit(acme_api: Callable[..., Api]) -> None:
    """[8.6]"""
    api = acme_api(limit_organization=3, limit_key=2)
    assert statuses(api, 4) == [200, 200, 429, 429]
    # Rejected requests were not counted for the organization.
    assert statuses(api, 2, scopes=("context:read",)) == [200, 429]
    message = api.message("/sources", 429, scopes=("context:read",))
    assert "exceeded for this organization" in message
    acme = api.organization_id
    foreign = Api(api.deployment, api.client, data.FOREIGN)
    assert acme != foreign.organization_id
    assert statuses(foreign, 1) == [200]


def test_address_limit(acme_api: Callable[..., Api]) -> None:
    """[8.5]"""
    api = acme_api(limit_ip=2)
    assert api.client.get("/api/v1/sources").status_code == 401
    assert remaining(api) == (2, 0)
    response = api.request("/sources")
    assert response.status_code == 429
    assert "exceeded for this IP address" in response.json["error"]["message"]


def test_request_over_the_limit_of_its_address_charges_no_key(
    acme_api: Callable[..., Api],
) -> None:
    """[8.5] Also not the key of a cached caller."""
    api = acme_api(limit_ip=2, limit_key=3)
    assert statuses(api, 5) == [200, 200, 429, 429, 429]
    api.client.environ_base["REMOTE_ADDR"] = "127.0.0.2"
    assert statuses(api, 1) == [200]
    assert "exceeded for this API key" in api.message("/sources", 429)


def test_request_that_its_key_may_not_make_counts_for_its_address(
    acme_api: Callable[..., Api],
) -> None:
    """[8.5]"""
    api = acme_api(limit_ip=3, limit_key=1)
    api.get("/sources")
    for limit in ("API key", "API key", "IP address"):
        assert f"exceeded for this {limit}" in api.message("/sources", 429)


def test_headers_report_the_tightest_limit(acme_api: Callable[..., Api]) -> None:
    """[8.8]"""
    api = acme_api(limit_ip=9, limit_organization=7, limit_key=5)
    assert [remaining(api) for _ in "12"] == [(5, 4), (5, 3)]
    others = (("context:read",), ("context:read", "x:read"))
    assert [remaining(api, scopes=scopes) for scopes in others] == [(5, 4), (7, 3)]


def test_headers_report_the_later_reset_of_equal_limits(acme_api: Callable[..., Api]) -> None:
    """[8.8]"""
    api = acme_api(limit_key=9, limit_organization=9)
    assert remaining(api) == (9, 8)
    redis = api.redis()
    for of_key, of_organization in ((50_000, 20_000), (20_000, 50_000)):
        for name in redis.keys("orgctx:quota:{*"):
            redis.pexpire(name, of_key if b":key:" in name else of_organization)
        assert 20 < int(api.request("/sources").headers["RateLimit-Reset"]) <= 50


def test_quota_counts_every_request(acme_api: Callable[..., Api]) -> None:
    """[8.11]"""
    api = acme_api(limit_key=100)
    requests: list[dict[str, Any]] = [
        {"path": "/sources"},
        {"path": "/sources", "method": "HEAD"},
        {"path": "/sources", "headers": {"If-None-Match": "*"}},
        {"path": "/sources", "x": "1"},
        {"path": "/nothing"},
        {"path": "/people/x:nobody"},
    ]
    left = [remaining(api, **options)[1] for options in requests]
    assert left == [99, 98, 97, 96, 95, 94]
    for options in ({"method": "POST"}, {"body": b"x"}):
        api.request("/sources", **options)
    assert remaining(api) == (100, 93)


def test_windows_are_fixed(acme_api: Callable[..., Api]) -> None:
    """[8.7] [8.13]"""
    api = acme_api(limit_key=2)
    redis = api.redis()
    # It also marks the organization as watched.
    assert statuses(api, 1, "/token") == [200]
    counters = [name for name in redis.keys("orgctx:*") if b"quota" in name]
    assert len(counters) == 3
    for name in redis.keys("orgctx:*"):
        assert 0 < redis.ttl(name) <= 90 * 24 * 3600
    for name in counters:
        redis.pexpire(name, 30_500)
    assert statuses(api, 2) == [200, 429]
    response = api.request("/sources")
    assert response.status_code == 429
    # The header is rounded up, and time passes between the two reads.
    assert ceil(redis.pttl(counters[0]) / 1000) <= int(response.headers["RateLimit-Reset"]) <= 31
    for name in counters:
        redis.pexpire(name, 1)
    while redis.exists(*counters):
        sleep(0.001)
    assert statuses(api, 1) == [200]
    assert remaining(api) == (2, 0)


def test_processes_share_limits(acme_api: Callable[..., Api]) -> None:
    """[8.12]"""
    first, second = acme_api(limit_key=3), acme_api(limit_key=3)
    key = first.key()
    second._keys |= first._keys
    assert second.key() == key
    assert [remaining(api) for api in (first, second, first)] == [(3, 2), (3, 1), (3, 0)]
    assert statuses(second, 1) == [429]
