"""orgctx keys: the secret is shown once and only its hash is stored."""

from __future__ import annotations

import re
import string
import zlib
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from redis import Redis

from orgctx.stores.quota import last_used_name
from tests.cli.conftest import WHO
from tests.support import factories as f
from tests.support.deployment import Deployment, Result

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
WHAT = ("--access", "api", "--scope", "context:read", "--expires-in-days", "7")
DEAD_REDIS = "redis://127.0.0.1:1/0"


def issue(deployment: Deployment, *what: str) -> dict[str, Any]:
    issued: dict[str, Any] = deployment.cli("keys", "issue", *WHO, *(what or WHAT), "--json").json()
    return issued


def listed(deployment: Deployment, **environment: str) -> Result:
    return deployment.cli("keys", "list", "--organization", "acme", "--json", **environment)


def test_issue(acme: Deployment) -> None:
    key = issue(
        acme, "--access", "both", "--scope", "x:read,context:read", "--scope", "x:read",
        "--expires-in-days", "90",
    )  # fmt: skip
    assert list(key) == [
        "id", "key", "hint", "name", "access", "scopes", "organizationId", "expiresAt"
    ]  # fmt: skip
    assert key["organizationId"] == f.ACME
    assert key["scopes"] == ["context:read", "x:read"]
    assert key["hint"] == key["key"][:9]
    lifetime = datetime.fromisoformat(key["expiresAt"]) - datetime.now(UTC)
    assert timedelta(days=89, hours=23) < lifetime <= timedelta(days=90)


def test_the_form_of_a_secret(acme: Deployment) -> None:
    secret = issue(acme)["key"]
    assert re.fullmatch(r"octx_[0-9A-Za-z]{40}", secret)
    number = 0
    for digit in secret[-6:]:
        number = number * 62 + BASE62.index(digit)
    assert number == zlib.crc32(secret[:-6].encode())


def test_the_secret_is_shown_once_and_only_its_hash_is_stored(acme: Deployment) -> None:
    shown = acme.cli("keys", "issue", *WHO, *WHAT)
    secret = shown.stdout.strip()
    assert secret not in shown.stderr
    ((stored,),) = acme.execute("SELECT to_jsonb(k)::text FROM api_keys AS k")
    assert secret not in stored
    assert secret[5:] not in stored
    assert acme.execute("SELECT key_hash, hint FROM api_keys") == [
        (sha256(secret.encode()).digest(), secret[:9])
    ]
    digest = sha256(secret.encode()).hexdigest()
    for form in ([], ["--json"]):
        text = acme.cli("keys", "list", "--organization", "acme", *form).stdout
        assert secret[:9] in text
        assert secret[9:] not in text
        assert digest not in text


def test_list(acme: Deployment) -> None:
    key = issue(acme)
    (row,) = listed(acme).json()
    assert {name: row[name] for name in row if name != "createdAt"} == {
        "id": key["id"],
        "name": None,
        "hint": key["hint"],
        "issuerId": f.OWNER,
        "access": "api",
        "scopes": ["context:read"],
        "state": "active",
        "expiresAt": key["expiresAt"],
        "used": False,
        "lastUsedAt": None,
    }
    assert "never" in acme.cli("keys", "list", "--organization", "acme").stdout
    assert acme.cli("keys", "list", "--organization", "other", "--json").json() == []


def test_list_says_when_a_key_was_last_used(acme: Deployment) -> None:
    key = issue(acme)
    with Redis.from_url(acme.redis_url) as redis:
        redis.set(last_used_name(f.ACME, key["id"]), 1_769_846_400)  # type: ignore[arg-type]
    assert listed(acme).json()[0]["lastUsedAt"] == "2026-01-31T08:00:00Z"


def test_a_lost_mark_is_unknown_and_not_never(acme: Deployment) -> None:
    issue(acme)
    with Redis.from_url(acme.redis_url) as redis:
        redis.flushdb()
    (row,) = listed(acme).json()
    assert (row["used"], row["lastUsedAt"]) == (None, None)
    table = acme.cli("keys", "list", "--organization", "acme").stdout
    assert "unknown" in table
    assert "never" not in table


def test_a_key_is_issued_without_redis(acme: Deployment) -> None:
    issued = acme.cli("keys", "issue", *WHO, *WHAT, ORGCTX_REDIS_URL=DEAD_REDIS)
    assert issued.exit_code == 0
    assert "Warning: Redis does not answer; until its first use" in issued.stderr
    assert "unknown" in acme.cli("keys", "list", "--organization", "acme").stdout


def test_list_without_redis(acme: Deployment) -> None:
    issue(acme)
    result = listed(acme, ORGCTX_REDIS_URL=DEAD_REDIS)
    assert result.json()[0]["lastUsedAt"] is None
    assert result.stderr == (
        "Warning: Redis does not answer, so when keys were last used is unknown.\n"
    )
    table = acme.cli("keys", "list", "--organization", "acme", ORGCTX_REDIS_URL=DEAD_REDIS)
    assert "unknown" in table.stdout


def test_states(acme: Deployment) -> None:
    by_admin = ("--organization", "acme", "--by", f.ADMIN)
    acme.cli("keys", "issue", *by_admin, *WHAT)
    expired, revoked, active = (issue(acme)["id"] for _ in range(3))
    acme.execute("UPDATE api_keys SET expires_at = now() WHERE id = %s", [expired])
    acme.cli("keys", "revoke", revoked, "--by", f.OWNER)
    acme.load([f.member(f.ADMIN, "removed")])
    states = {row["id"]: row["state"] for row in listed(acme).json()}
    assert states.pop(expired) == "expired"
    assert states.pop(revoked) == "revoked"
    assert states.pop(active) == "active"
    assert list(states.values()) == ["ineligible"]


def test_change_keeps_secret_and_expiry(acme: Deployment) -> None:
    key = issue(acme)
    (before,) = acme.execute("SELECT key_hash, expires_at, issued_by FROM api_keys")
    change = ("keys", "change", key["id"], "--by", f.ADMIN)
    changed = acme.cli(*change, "--access", "both", "--json").json()
    assert changed == {
        "organizationId": f.ACME,
        "id": key["id"],
        "name": None,
        "hint": key["hint"],
        "access": "both",
        "scopes": ["context:read"],
        "expiresAt": key["expiresAt"],
    }
    assert acme.cli(*change, "--scope", "token:read", "--scope", "x:read").exit_code == 0
    (row,) = listed(acme).json()
    assert (row["access"], row["scopes"]) == ("both", ["x:read", "token:read"])
    assert acme.execute("SELECT key_hash, expires_at, issued_by FROM api_keys") == [before]
    assert acme.execute("SELECT changed_by::text FROM api_keys") == [(f.ADMIN,)]
    assert acme.cli(*change).exit_code == 2


@pytest.mark.parametrize(
    ("state", "column"), [("expired", "expires_at"), ("revoked", "revoked_at")]
)
def test_a_key_that_ended_cannot_be_changed(acme: Deployment, state: str, column: str) -> None:
    key = issue(acme)
    acme.execute(f"UPDATE api_keys SET {column} = now()")
    refused = acme.cli("keys", "change", key["id"], "--by", f.OWNER, "--access", "mcp")
    assert refused.exit_code == 1
    assert refused.stderr == (
        f"Error: key {key['id']} is {state} and cannot be changed: issue a new one\n"
    )


def test_revoking_again_keeps_the_first_time(acme: Deployment) -> None:
    key = issue(acme)
    for user in (f.ADMIN, f.OWNER):
        result = acme.cli("keys", "revoke", key["id"], "--by", user)
        assert (result.exit_code, result.stdout) == (0, f"revoked key {key['id']}\n")
    assert acme.execute("SELECT revoked_by::text FROM api_keys") == [(f.ADMIN,)]


@pytest.mark.parametrize("user", [f.MEMBER, f.uuid("stranger"), f.uuid("nobody")])
def test_only_an_owner_or_admin_of_the_organization_decides(acme: Deployment, user: str) -> None:
    key = issue(acme)
    (before,) = acme.execute("SELECT to_jsonb(k) FROM api_keys AS k")
    for command in (
        ("issue", "--organization", "acme", *WHAT),
        ("change", key["id"], "--access", "mcp"),
        ("revoke", key["id"]),
    ):
        refused = acme.cli("keys", *command, "--by", user)
        assert refused.exit_code == 1
        assert "is not an owner or admin" in refused.stderr
    assert acme.execute("SELECT to_jsonb(k) FROM api_keys AS k") == [before]


def test_an_unknown_key(acme: Deployment) -> None:
    refused = acme.cli("keys", "revoke", f.uuid("none"), "--by", f.OWNER)
    assert refused.exit_code == 1
    assert "no key has the id" in refused.stderr


@pytest.mark.parametrize(
    ("what", "hint"),
    [
        (("--access", "api", "--expires-in-days", "7"), "--scope"),
        (("--access", "api", "--scope", "", "--expires-in-days", "7"), "'' is not a scope"),
        (
            ("--access", "api", "--scope", "context:read,knowlege:read", "--expires-in-days", "7"),
            "did you mean 'knowledge:read'?",
        ),
        (("--access", "web", "--scope", "x:read", "--expires-in-days", "7"), "'web'"),
        (("--access", "api", "--scope", "x:read", "--expires-in-days", "8"), "'8'"),
    ],
)
def test_usage(acme: Deployment, what: tuple[str, ...], hint: str) -> None:
    wrong = acme.cli("keys", "issue", *WHO, *what)
    assert wrong.exit_code == 2
    assert hint in wrong.stderr
    assert acme.execute("SELECT FROM api_keys") == []
