"""orgctx keys: the secret is shown once and only its hash is stored."""

from datetime import UTC, datetime, timedelta
from typing import Any

from redis import Redis

from orgctx.stores.quota import USAGE_SECONDS, last_used_name
from tests.support import crawl
from tests.support import factories as f
from tests.support.deployment import Deployment, Result

RIGHTS = ("--access", "api", "--scope", "context:read", "--expires-in-days", "7")
ORGANIZATION = ("--organization", "acme")
DEAD_REDIS = "redis://127.0.0.1:1/0"


def issue(deployment: Deployment, *rights: str) -> dict[str, Any]:
    issued: dict[str, Any] = deployment.cli(
        "keys", "issue", *f.WHO, *(rights or RIGHTS), "--json"
    ).json()
    return issued


def list_keys(deployment: Deployment, **environment: str) -> Result:
    return deployment.cli("keys", "list", "--organization", "acme", "--json", **environment)


def test_issue_returns_the_key_and_its_expiry(acme: Deployment) -> None:
    """[5.5] [5.6]"""
    key = issue(
        acme, "--access", "both", "--scope", "x:read,context:read", "--scope", "x:read",
        "--expires-in-days", "90",
    )  # fmt: skip
    assert list(key) == [
        "id", "key", "hint", "name", "access", "scopes", "sources", "organizationId", "expiresAt"
    ]  # fmt: skip
    assert key["organizationId"] == f.ACME
    assert key["scopes"] == ["context:read", "x:read"]
    assert key["hint"] == key["key"][:9]
    lifetime = datetime.fromisoformat(key["expiresAt"]) - datetime.now(UTC)
    assert timedelta(days=89, hours=23) < lifetime <= timedelta(days=90)


def test_list_shows_an_unused_key(acme: Deployment) -> None:
    key = issue(acme)
    (row,) = list_keys(acme).json()
    assert {name: row[name] for name in row if name != "createdAt"} == {
        "id": key["id"],
        "name": None,
        "hint": key["hint"],
        "issuerId": f.OWNER,
        "issuerName": "Owner",
        "access": "api",
        "scopes": ["context:read"],
        "sources": None,
        "state": "active",
        "expiresAt": key["expiresAt"],
        "lastUsedAt": None,
    }
    table = acme.cli("keys", "list", "--organization", "acme").stdout
    assert "none recorded" in table
    assert " Owner " in table
    acme.execute("UPDATE members SET display_name = NULL")
    assert f.OWNER in acme.cli("keys", "list", "--organization", "acme").stdout
    assert acme.cli("keys", "list", "--organization", "other", "--json").json() == []


def test_list_shows_the_last_use(acme: Deployment) -> None:
    key = issue(acme)
    with Redis.from_url(acme.redis_url) as redis:
        redis.set(last_used_name(f.ACME, key["id"]), 1_769_846_400)  # type: ignore[arg-type]
    assert list_keys(acme).json()[0]["lastUsedAt"] == "2026-01-31T08:00:00Z"
    result = list_keys(acme, ORGCTX_REDIS_URL=DEAD_REDIS)
    assert result.json()[0]["lastUsedAt"] is None
    assert result.stderr == "Warning: Redis is unavailable, so the last use of keys is unknown.\n"


def test_list_shows_the_state_of_each_key(acme: Deployment) -> None:
    acme.cli("keys", "issue", *ORGANIZATION, "--by", f.ADMIN, *RIGHTS)
    expired, revoked, active = (issue(acme)["id"] for _ in range(3))
    acme.execute("UPDATE api_keys SET expires_at = now() WHERE id = %s", [expired])
    printed = acme.cli("keys", "revoke", revoked, "--by", f.OWNER).stdout
    assert printed == f"revoked key {revoked}\n"
    acme.load([f.member(f.ADMIN, "removed")])
    states = {row["id"]: row["state"] for row in list_keys(acme).json()}
    assert states.pop(expired) == "expired"
    assert states.pop(revoked) == "revoked"
    assert states.pop(active) == "active"
    assert list(states.values()) == ["ineligible"]


def test_change_prints_the_rights_and_needs_one(acme: Deployment) -> None:
    """[5.8]"""
    key = issue(acme)
    change = ("keys", "change", key["id"], "--by", f.ADMIN)
    acme.cli(*change, "--name", "octx_1").failed(2)
    acme.cli(*change, "--name", "server").done()
    changed = acme.cli(*change, "--access", "both", "--json").json()
    assert changed == {
        "organizationId": f.ACME,
        "id": key["id"],
        "name": "server",
        "hint": key["hint"],
        "access": "both",
        "scopes": ["context:read"],
        "sources": None,
        "expiresAt": key["expiresAt"],
    }
    acme.cli(*change, "--scope", "token:read", "--scope", "x:read").done()
    (row,) = list_keys(acme).json()
    assert (row["access"], row["scopes"]) == ("both", ["x:read", "token:read"])
    acme.cli(*change).failed(2)


REJECTED = [
    (("--access", "api", "--expires-in-days", "7"), "--scope"),
    (RIGHTS[2:], "--access"),
    (RIGHTS[:4], "--expires-in-days"),
    ((*RIGHTS, "--scope", ""), "Unknown scope ''"),
    ((*RIGHTS, "--scope", "context:read,knowlege:read"), "did you mean 'knowledge:read'?"),
    ((*RIGHTS, "--access", "web"), "'web'"),
    ((*RIGHTS, "--expires-in-days", "8"), "'8'"),
    (
        (*RIGHTS, "--source", "docs:handbok"),
        "no source 'docs:handbok'; did you mean 'docs:handbook'?",
    ),
]


def test_issue_rejects_invalid_options(acme: Deployment) -> None:
    """[5.6]"""
    for options, text in REJECTED:
        result = acme.cli("keys", "issue", *f.WHO, *options)
        assert result.exit_code == (1 if "--source" in options else 2)
        assert text in result.stderr
    assert acme.execute("SELECT FROM api_keys") == []


def test_rotate_hands_name_and_rights_to_a_new_key(acme: Deployment) -> None:
    rights = ("--access", "both", "--scope", "context:read,x:read", "--expires-in-days", "30")
    old = issue(acme, *rights, "--name", "laptop")
    rotate = ("keys", "rotate", "laptop", *f.WHO, "--old-ends-in", "12h", "--json")
    new = acme.cli(*rotate).json()
    assert {name: new[name] for name in ("name", "access", "scopes")} == {
        "name": "laptop", "access": "both", "scopes": ["context:read", "x:read"],
    }  # fmt: skip
    assert new["replaces"]["id"] == old["id"]
    now = datetime.now(UTC)
    assert datetime.fromisoformat(new["expiresAt"]) - now > timedelta(days=29)
    remaining = datetime.fromisoformat(new["replaces"]["expiresAt"]) - now
    assert timedelta(hours=11) < remaining <= timedelta(hours=12)
    # Its hint is of one key, its name of all access.
    acme.cli("keys", "rotate", "laptop", *f.WHO)
    newest = list_keys(acme).json()[0]["hint"]
    for name, left in ((newest, 2), ("Laptop", 0)):
        acme.cli("keys", "revoke", name, *f.WHO)
        assert [key["state"] for key in list_keys(acme).json()].count("active") == left


def test_key_is_limited_to_sources(acme: Deployment) -> None:
    limit = ("docs:handbook", "telegram:main", "docs:handbook")
    key = issue(acme, *RIGHTS, *(f"--source={each}" for each in limit))
    assert key["sources"] == ["docs:handbook", "telegram:main"]
    assert [row["sources"] for row in list_keys(acme).json()] == [key["sources"]]
    table = acme.cli("keys", "list", "--organization", "acme").stdout
    assert "docs:handbook,telegram:main" in table
    (record,) = acme.cli("audit", "--json").json()[-1:]
    assert record["after"][key["id"]]["sources"] == key["sources"]
    assert record["authentication"] == "admin login"
    change = ("keys", "change", key["id"], "--by", f.OWNER, "--json")
    assert acme.cli(*change, "--source", "x:main").json()["sources"] == ["x:main"]
    assert "either" in acme.cli(*change, "--all-sources", "--source", "x:main").failed(2)
    assert acme.cli(*change, "--all-sources").json()["sources"] is None


def test_rotation_keeps_the_limit(acme: Deployment) -> None:
    """The new key must not read more than the old one, even if its sources are gone."""
    key = issue(acme, *RIGHTS, "--source", "docs:handbook", "--name", "laptop")
    acme.cli("sources", "delete", *f.WHO, "docs:handbook", "--yes")
    new = acme.cli("keys", "rotate", "laptop", *f.WHO, "--json").json()
    assert (key["sources"], new["sources"]) == (["docs:handbook"], [""])
    assert [row["sources"] for row in list_keys(acme).json()] == [[""]] * 2


def test_issue_warns_of_sources_that_the_key_does_not_read(acme: Deployment) -> None:
    acme.cli("sources", "approve", *f.WHO, "docs:handbook", "assets:main")
    acme.cli("sources", "exclude", *f.WHO, "assets:main")
    limit = ("--source", "docs:handbook", "--source", "assets:main", "--source", "x:main")
    result = acme.cli("keys", "issue", *f.WHO, *RIGHTS, *limit)
    warnings = [line for line in result.stderr.splitlines() if line.startswith("Warning: the key")]
    assert warnings == [
        "Warning: the key does not read docs:handbook yet: the key lacks knowledge:read.",
        "Warning: the key does not read assets:main yet: it is excluded.",
        "Warning: the key does not read x:main yet: it is not approved.",
    ]


# A key is named by its name, hint or id


def revoke(deployment: Deployment, key: str, *options: str) -> str:
    """Return the id of the revoked key, or the error message."""
    result = deployment.cli("keys", "revoke", key, "--by", f.OWNER, *options, "--json")
    return str(result.json()["id"]) if result.exit_code == 0 else result.stderr


def test_key_is_named_by_name_hint_or_id(acme: Deployment) -> None:
    laptop, phone, tablet = (
        issue(acme, *RIGHTS, "--name", name) for name in ("laptop", "phone", "tablet")
    )
    assert revoke(acme, "Laptop", *ORGANIZATION) == laptop["id"]
    assert revoke(acme, phone["hint"], *ORGANIZATION) == phone["id"]
    assert revoke(acme, tablet["id"]) == tablet["id"]
    # The only key with the name, although it is revoked. Then another gets the name.
    assert revoke(acme, "laptop", *ORGANIZATION) == laptop["id"]
    again = issue(acme, *RIGHTS, "--name", "laptop")
    assert revoke(acme, "laptop", *ORGANIZATION) == again["id"]


def test_ambiguous_name_lists_the_candidates(acme: Deployment) -> None:
    first = issue(acme, *RIGHTS, "--name", "laptop")
    issue(acme, *RIGHTS, "--name", "laptop")
    message = revoke(acme, "laptop", *ORGANIZATION)
    assert "Several keys of organization 'acme' match 'laptop'." in message
    assert f"{first['id']} ({first['hint']}, active)" in message
    assert acme.execute("SELECT count(*) FROM api_keys WHERE revoked_at IS NOT NULL") == [(0,)]


def test_unknown_and_foreign_keys_are_not_found(acme: Deployment) -> None:
    key = issue(acme, *RIGHTS, "--name", "laptop")
    assert "no key named 'labtop'; did you mean 'laptop'?" in revoke(acme, "labtop", *ORGANIZATION)
    assert "no key named ''" in revoke(acme, "", *ORGANIZATION)
    assert "Unknown key" in revoke(acme, key["id"], "--organization", "other")
    assert "pass --organization too" in revoke(acme, "laptop")
    for options in (ORGANIZATION, ()):
        message = revoke(acme, key["key"], *options)
        assert "not the key itself" in message
        assert key["key"][9:] not in message


# orgctx usage counts requests where they are admitted


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
    result = acme.cli("usage", "--organization", "acme", ORGCTX_REDIS_URL=DEAD_REDIS)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: Redis is unavailable. Check ORGCTX_REDIS_URL")


def test_key_that_cannot_search_is_warned_about(acme: Deployment) -> None:
    issue = ("keys", "issue", *f.WHO, "--access", "both", "--expires-in-days", "7", "--scope")
    warned = acme.cli(*issue, "knowledge:read")
    assert "without context:read, the key can neither search" in warned.stderr
    assert "Warning" not in acme.cli(*issue, "context:read").stderr
    assert "; use knowledge:read (documents)." in acme.cli(*issue, "docs:read").stderr
