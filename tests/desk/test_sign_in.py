"""Signing in with a link: once, for ten minutes, with few attempts, and a session of its own."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import UUID

from flask import Flask
from redis import Redis

from orgctx.desk import sessions
from orgctx.desk.sessions import COOKIE, LINK_SECONDS, Session
from tests.desk.conftest import ORIGIN, Browser, desk_of, link_of
from tests.support import factories as make
from tests.support.deployment import Deployment


def open_link(app: Flask, secret: str, headers: Mapping[str, str] | None = None) -> int:
    fields = {"secret": secret, "confirmed": "yes"}
    return Browser(app).send("/sign-in", fields, headers=headers).status_code


def link_since(app: Flask, at: datetime, key: bytes | None = None) -> str:
    """Return a link for the owner that was made at a time, by default with the desk's key."""
    invited = Session(UUID(make.ACME), UUID(make.OWNER), at)
    Browser(app).get("/sign-in")
    return str(sessions._links(key or app.secret_key).dumps(invited.to_json()))  # type: ignore[arg-type]


def test_link_signs_in_once(shared_desk: Flask, acme: Deployment) -> None:
    secret = link_of(acme)
    first, second = Browser(shared_desk), Browser(shared_desk)
    # Whom it signs in, and where. A look does not use it up.
    for _ in range(2):
        page = first.post("/sign-in", secret=secret)
        for words in ("Sign in to <bdi>Acme", "as <bdi>Owner</bdi>, owner"):
            assert words in page.text
        assert first.cookie is None
    response = first.post("/sign-in", secret=secret, confirmed="yes")
    assert response.status_code == 303
    cookie = response.headers["Set-Cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert "Domain" not in cookie
    assert all(word in cookie for word in ("Secure", "HttpOnly", "SameSite=Lax", "Path=/"))
    assert first.get("/").status_code == 200
    command = ("audit", "--organization", "acme", "--json", "--limit", "2")
    invited, signed_in = acme.cli(*command).json()
    assert (signed_in["command"], signed_in["authentication"]) == ("desk sign-in", "link")
    assert signed_in["decidedBy"] == make.OWNER
    assert (invited["command"], invited["authentication"]) == ("desk invite", "admin login")
    # A member pastes what a mail program did not make a link of.
    assert open_link(shared_desk, f" {ORIGIN}/sign-in#{link_of(acme)}\n") == 303
    assert open_link(shared_desk, f"{ORIGIN}/sign-in#{link_of(acme)[:-9]}") == 403
    for fields in ({}, {"confirmed": "yes"}):
        assert second.post("/sign-in", secret=secret, **fields).status_code == 403
    assert second.get("/").location.endswith("/sign-in")


def test_sign_in_keeps_nothing_of_an_earlier_session(shared_desk: Flask, acme: Deployment) -> None:
    browser = Browser(shared_desk)
    browser.get("/sign-in")
    with browser.client.session_transaction(base_url=ORIGIN) as session:
        session["left"] = "by someone else"
    browser.post("/sign-in", secret=link_of(acme), confirmed="yes")
    with browser.client.session_transaction(base_url=ORIGIN) as session:
        assert {*session} == {"member", "_permanent"}


def test_link_opened_in_many_browsers_at_once_signs_in_one(
    shared_desk: Flask, acme: Deployment
) -> None:
    secret = link_of(acme)
    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda _: open_link(shared_desk, secret), range(8)))
    assert sorted(statuses) == [303] + [403] * 7


def test_link_is_sent_in_the_fragment_only(shared_desk: Flask, acme: Deployment) -> None:
    """It expires by the clock of the database."""
    options = ("--organization", "acme", "--for", make.OWNER, "--json")
    answer = acme.cli("desk", "invite", *options).json()
    assert answer["expiresInSeconds"] == LINK_SECONDS == 600
    address, _, secret = answer["link"].partition("#")
    assert address == f"{ORIGIN}/sign-in"
    now = datetime.now(UTC)
    for age, status in ((590, 303), (610, 403)):
        assert (
            open_link(shared_desk, link_since(shared_desk, now - timedelta(seconds=age))) == status
        )
    assert open_link(shared_desk, link_since(shared_desk, now, b"another key")) == 403
    # Neither a session is a link, nor a link a session.
    browser = Browser(shared_desk)
    browser.client.set_cookie(COOKIE, secret, domain="localhost", secure=True)
    assert browser.get("/").status_code == 303
    browser.post("/sign-in", secret=secret, confirmed="yes")
    assert open_link(shared_desk, browser.cookie or "") == 403


def test_errors_do_not_reveal_why(own_acme: Deployment, desk: Flask) -> None:
    """Unknown, used, incomplete and expired links, and links of demoted members."""
    used, demoted = link_of(own_acme), link_of(own_acme, make.ADMIN)
    assert open_link(desk, used) == 303
    expired = link_since(desk, datetime.now(UTC) - timedelta(hours=1))
    own_acme.load([make.member(make.ADMIN, "member")])
    pages = set()
    for secret in (used, expired, demoted, demoted[:-1], "", "x" * 1000, "\u202e\0"):
        browser = Browser(desk)
        response = browser.post("/sign-in", secret=secret, confirmed="yes")
        pages.add((response.status_code, response.get_data()))
        assert browser.cookie is None
    assert len(pages) == 1


def test_only_owners_and_admins_are_invited(acme: Deployment) -> None:
    for user_id in (make.MEMBER, "Nobody"):
        error = acme.cli("desk", "invite", "--organization", "acme", "--for", user_id).failed()
        assert "is not an owner or admin" in error
        assert "with --for" in error


def test_attempts_of_an_address_are_bounded(
    shared_desk: Flask, acme: Deployment, redis_url: str
) -> None:
    """X-Forwarded-For does not help, because no proxy is trusted."""
    for number in range(10):
        headers = {"X-Forwarded-For": f"192.0.2.{number}"}
        assert open_link(shared_desk, "wrong", headers=headers) == 403
    response = Browser(shared_desk).post("/sign-in", secret="wrong")
    assert response.status_code == 429
    assert response.headers["Retry-After"] == "60"
    with Redis.from_url(redis_url) as redis:
        assert 50 <= redis.ttl("orgctx:quota:page:sign-in:127.0.0.1") <= 60
    # A link that is valid needs no guess.
    assert open_link(shared_desk, link_of(acme)) == 303


def test_attempts_behind_a_proxy_are_those_of_its_client(acme: Deployment, redis_url: str) -> None:
    with desk_of(acme, trusted_proxy_hops=1) as app:
        # Only the last entry is the proxy's.
        first, second = ({"X-Forwarded-For": f"198.51.100.1, 192.0.2.{n}"} for n in (1, 2))
        statuses = [open_link(app, "wrong", headers=first) for _ in range(11)]
        assert statuses == [403] * 10 + [429]
        assert open_link(app, "wrong", headers=second) == 403
