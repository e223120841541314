"""Signing in with a link: once, for ten minutes, with few attempts, and a session of its own."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from redis import Redis

from orgctx.desk.guard import COOKIE
from tests.desk.conftest import ORIGIN, Browser, desk_of, link_of
from tests.support import factories as make
from tests.support.deployment import Deployment

PROXY = "10.0.0.1"


def open_link(
    app: Flask,
    secret: str,
    headers: Mapping[str, str] | None = None,
    address: str = "127.0.0.1",
) -> int:
    fields = {"secret": secret}
    return Browser(app).send("/sign-in", fields, headers=headers, address=address).status_code


def test_link_signs_in_once(shared_desk: Flask, acme: Deployment) -> None:
    secret = link_of(acme)
    first, second = Browser(shared_desk), Browser(shared_desk)
    response = first.post("/sign-in", secret=secret)
    assert response.status_code == 303
    cookie = response.headers["Set-Cookie"]
    assert cookie.startswith("__Host-")
    assert "Domain" not in cookie
    assert all(word in cookie for word in ("Secure", "HttpOnly", "SameSite=Strict", "Path=/"))
    assert f"Max-Age={12 * 60 * 60}" in cookie
    assert first.get("/").status_code == 200
    # A member pastes what a mail program did not make a link of.
    assert open_link(shared_desk, f" {ORIGIN}/sign-in#{link_of(acme)}\n") == 303
    assert open_link(shared_desk, f"{ORIGIN}/sign-in#{link_of(acme)[:-9]}") == 403
    assert second.post("/sign-in", secret=secret).status_code == 403
    assert second.get("/").location.endswith("/sign-in")


def test_link_opened_in_many_browsers_at_once_signs_in_one(
    shared_desk: Flask, acme: Deployment
) -> None:
    secret = link_of(acme)
    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda _: open_link(shared_desk, secret), range(8)))
    assert sorted(statuses) == [303] + [403] * 7


def test_link_is_sent_in_the_fragment_only(
    shared_desk: Flask, acme: Deployment, redis_url: str
) -> None:
    """It expires in Redis."""
    options = ("--organization", "acme", "--for", make.OWNER, "--json")
    answer = acme.cli("desk", "invite", *options).json()
    assert answer["expiresInSeconds"] == 600
    address, _, secret = answer["link"].partition("#")
    assert address == f"{ORIGIN}/sign-in"
    assert len(secret) == 43
    with Redis.from_url(redis_url) as redis:
        (name,) = redis.keys("orgctx:desk:link:*")
        assert 590 <= redis.ttl(name) <= 600
        redis.expire(name, 0)
    assert open_link(shared_desk, secret) == 403


def test_errors_do_not_reveal_why(own_acme: Deployment, desk: Flask, redis_url: str) -> None:
    """Unknown, used, incomplete and expired links, and links of demoted members."""
    used, expired, demoted = link_of(own_acme), link_of(own_acme), link_of(own_acme, make.ADMIN)
    assert open_link(desk, used) == 303
    with Redis.from_url(redis_url) as redis:
        redis.delete(*redis.keys("orgctx:desk:link:*"))
    demoted = link_of(own_acme, make.ADMIN)
    own_acme.load([make.member(make.ADMIN, "member")])
    pages = set()
    for secret in (used, expired, demoted, demoted[:-1], "", "x" * 1000, "\u202e\0"):
        browser = Browser(desk)
        response = browser.post("/sign-in", secret=secret)
        pages.add((response.status_code, response.get_data()))
        assert browser.cookie is None
    assert len(pages) == 1


@pytest.mark.parametrize("user_id", [make.MEMBER, "Nobody"])
def test_only_owners_and_admins_are_invited(acme: Deployment, user_id: str) -> None:
    result = acme.cli("desk", "invite", "--organization", "acme", "--for", user_id)
    assert result.exit_code == 1
    assert "is not an owner or admin" in result.stderr
    assert "with --for" in result.stderr


def test_attempts_of_an_address_are_bounded(
    shared_desk: Flask, acme: Deployment, redis_url: str
) -> None:
    """X-Forwarded-For does not help, because no proxy is trusted."""
    secret = link_of(acme)
    for number in range(10):
        headers = {"X-Forwarded-For": f"192.0.2.{number}"}
        assert open_link(shared_desk, "wrong", headers=headers) == 403
    response = Browser(shared_desk).post("/sign-in", secret=secret)
    assert response.status_code == 429
    assert response.headers["Retry-After"] == "600"
    with Redis.from_url(redis_url) as redis:
        assert 590 <= redis.ttl("orgctx:desk:attempts:127.0.0.1") <= 600
    # The link was not used up, and other addresses may try.
    assert open_link(shared_desk, secret, address="192.0.2.7") == 303


def test_attempts_behind_a_proxy_are_those_of_its_client(acme: Deployment, redis_url: str) -> None:
    with desk_of(acme, trusted_proxy_hops=1) as app:
        # Only the last entry is the proxy's.
        headers = {"X-Forwarded-For": "198.51.100.1, 192.0.2.1"}
        statuses = [open_link(app, "wrong", headers=headers, address=PROXY) for _ in range(11)]
        assert statuses == [403] * 10 + [429]
        headers = {"X-Forwarded-For": "198.51.100.1, 192.0.2.2"}
        assert open_link(app, "wrong", headers=headers, address=PROXY) == 403
        # Addresses of one IPv6 network count together.
        for number in range(10):
            headers = {"X-Forwarded-For": f"2001:db8::{number}"}
            open_link(app, "wrong", headers=headers, address=PROXY)
        assert open_link(app, "wrong", headers=headers, address=PROXY) == 429


def test_cookie_from_before_is_not_adopted(shared_desk: Flask, acme: Deployment) -> None:
    """An attacker who plants a cookie does not know the secret of the session."""
    browser = Browser(shared_desk)
    browser.client.set_cookie(COOKIE, "planted", domain="localhost", secure=True)
    browser.post("/sign-in", secret=link_of(acme))
    assert browser.cookie not in (None, "planted")
    planted = Browser(shared_desk)
    planted.client.set_cookie(COOKIE, "planted", domain="localhost", secure=True)
    assert planted.get("/").status_code == 303


def test_signing_in_again_gives_a_new_secret_and_ends_the_old_session(
    shared_desk: Flask, acme: Deployment
) -> None:
    browser = Browser(shared_desk)
    browser.post("/sign-in", secret=link_of(acme))
    browser.get("/")
    old = browser.cookie
    browser.post("/sign-in", secret=link_of(acme, make.ADMIN))
    assert "Admin, admin" in browser.get("/").get_data(as_text=True)
    assert browser.cookie != old
    other = Browser(shared_desk)
    other.client.set_cookie(COOKIE, old or "", domain="localhost", secure=True)
    assert other.get("/").status_code == 303


def test_sign_in_is_audited(shared_desk: Flask, acme: Deployment) -> None:
    assert open_link(shared_desk, link_of(acme)) == 303
    command = ("audit", "--organization", "acme", "--json", "--limit", "2")
    invited, signed_in = acme.cli(*command).json()
    assert (signed_in["command"], signed_in["authentication"]) == ("desk sign-in", "link")
    assert signed_in["decidedBy"] == make.OWNER
    assert (invited["command"], invited["authentication"]) == ("desk invite", "admin login")
