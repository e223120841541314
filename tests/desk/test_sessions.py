"""Sessions and their end, other hosts, large forms, logs, Redis and the database."""

import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import product
from uuid import UUID

import psycopg
import pytest
from flask import Flask
from psycopg.conninfo import make_conninfo
from redis import Redis

from orgctx.decisions import members
from orgctx.desk import current
from orgctx.desk.sessions import COOKIE
from orgctx.errors import ServiceUnavailable
from orgctx.observability import logs
from orgctx.stores.db import Tenant
from tests.desk.conftest import ENDED, ORIGIN, Browser, SignIn, desk_of, link_of, signed_in
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.waiting import until

# The end of a session


def test_sign_out_ends_all_sessions_of_the_member(shared_desk: Flask, acme: Deployment) -> None:
    browser, other = signed_in(shared_desk), signed_in(shared_desk)
    admin, copy = signed_in(shared_desk, make.ADMIN), Browser(shared_desk)
    copy.client.set_cookie(COOKIE, browser.cookie or "", domain="localhost", secure=True)
    assert browser.post("/sign-out").status_code == 303
    assert browser.cookie is None
    assert copy.get("/").status_code == other.get("/").status_code == 303
    assert admin.get("/").status_code == signed_in(shared_desk).get("/").status_code == 200
    (record,) = acme.cli("audit", "--organization", "acme", "--json", "--limit", "1").json()
    assert (record["command"], record["decidedBy"]) == ("desk end", make.OWNER)


def test_session_ends_after_twelve_hours(desk: Flask) -> None:
    """Requests do not postpone the end: they send no new cookie."""
    for seconds, status in ((43_190, 200), (43_210, 303)):
        response = signed_in(desk, age_seconds=seconds).get("/")
        assert response.status_code == status
        assert ("Set-Cookie" in response.headers) == (status == 303)


def test_key_needs_the_secret_of_the_database_and_the_login(
    shared_desk: Flask, acme: Deployment
) -> None:
    """So a copy of the database, or a setting, is not enough to sign a session."""
    browser = signed_in(shared_desk)
    assert browser.get("/").status_code == 200
    other_login = make_conninfo(acme.admin_url, application_name="other")
    with desk_of(acme, desk_database_url=other_login) as other:
        foreign = signed_in(other).cookie or ""
    browser.client.set_cookie(COOKIE, foreign, domain="localhost", secure=True)
    assert browser.get("/").location == ENDED
    ((secret,),) = acme.execute("SELECT secret FROM desk_signing_secret")
    assert len(secret) == 72
    assert secret.encode() not in shared_desk.secret_key  # type: ignore[operator]


def test_desk_end_ends_all_sessions_and_links(shared_desk: Flask, acme: Deployment) -> None:
    first, second = signed_in(shared_desk), signed_in(shared_desk)
    admin, link = signed_in(shared_desk, make.ADMIN), link_of(acme)
    who = ("--organization", "acme", "--for", make.OWNER)
    result = acme.cli("desk", "end", *who)
    assert result.stdout == f"ended all sessions and unopened links of {make.OWNER}\n"
    assert first.get("/").status_code == second.get("/").status_code == 303
    assert admin.get("/").status_code == 200
    acme.load([make.member(make.OWNER, "owner", displayName="Owner")])
    assert first.get("/").status_code == 303
    refused = Browser(shared_desk).post("/sign-in", secret=link, confirmed="yes")
    assert refused.status_code == 403
    assert acme.cli("desk", "end", *who, "--json").json() == {"id": make.OWNER}


def test_demotion_ends_sessions_and_links_for_good(desk: Flask, own_acme: Deployment) -> None:
    admin, link = signed_in(desk, make.ADMIN), link_of(own_acme, make.ADMIN)
    who = ("members", "role", make.ADMIN, "--organization", "acme", "--by", "Owner")
    for role in ("member", "admin"):
        own_acme.cli(*who, "--role", role).done()
        assert admin.get("/").status_code == 303
        refused = Browser(desk).post("/sign-in", secret=link, confirmed="yes")
        assert refused.status_code == 403


def test_demotion_ends_sessions_that_begin_during_it(desk: Flask, own_acme: Deployment) -> None:
    demotion = [make.member(id_, "member") for id_ in (make.OWNER, make.ADMIN)]
    with psycopg.connect(own_acme.admin_url) as holder, ThreadPoolExecutor(1) as pool:
        holder.execute("SELECT FROM members WHERE user_id = %s FOR UPDATE", (make.OWNER,))
        load = pool.submit(own_acme.load, demotion)
        until(own_acme.waiting)
        admin = signed_in(desk, make.ADMIN)
        holder.commit()
        load.result()
    own_acme.load([make.member(make.ADMIN, "admin")])
    assert admin.get("/").status_code == 303


def test_sign_in_that_waits_while_all_end_starts_no_session(
    shared_desk: Flask, acme: Deployment
) -> None:
    """In either order, no session survives `desk end`: both lock the member."""
    browser = Browser(shared_desk)
    link = link_of(acme)
    with psycopg.connect(acme.admin_url) as ending, ThreadPoolExecutor(1) as pool:
        tenant = Tenant(ending, UUID(make.ACME))  # type: ignore[arg-type]
        members.sign_out(tenant, UUID(make.OWNER))
        waiting = pool.submit(browser.post, "/sign-in", secret=link, confirmed="yes")
        until(lambda: acme.waiting() == 1)
        ending.commit()
        assert waiting.result().status_code == 403
    assert browser.cookie is None


ENDS = (
    make.member(make.ADMIN, "member"), make.member(make.ADMIN, "removed"),
    make.delete("member", make.ADMIN), make.delete("organization", make.ACME),
)  # fmt: skip


@pytest.mark.parametrize("record", ENDS, ids=str)
def test_end_of_the_member_ends_the_session(
    sign_in: SignIn, own_acme: Deployment, record: make.Record
) -> None:
    browser = sign_in(make.ADMIN)
    own_acme.load([record])
    before = own_acme.decided()
    # In the middle of a form.
    assert browser.post("/sign-out").location == ENDED
    assert "session has ended" in browser.text(ENDED)
    assert browser.cookie is None
    assert own_acme.decided() == before


# The stores


@pytest.mark.parametrize(
    "broken",
    [{"redis_url": "redis://127.0.0.1:9"}, {"desk_database_url": "host=/nowhere"}],
    ids=str,
)
def test_redis_and_database_down_give_a_page(
    acme: Deployment, redis_url: str, broken: dict[str, str]
) -> None:
    url = broken.get("desk_database_url", acme.admin_url)
    link = link_of(acme, ORGCTX_DESK_DATABASE_URL=url)
    with desk_of(acme, **broken) as app:
        browser = Browser(app)
        browser.client.set_cookie(COOKIE, "x", domain="localhost", secure=True)
        first = browser.get("/")
        # The page itself needs no Redis.
        assert first.status_code == (303 if "redis_url" in broken else 503)
        response = browser.post("/sign-in", secret=link, confirmed="yes")
        assert response.status_code == 503
        assert "cannot reach its database or Redis" in response.text
        assert not [word for word in ("Traceback", "127.0.0.1:9") if word in response.text]
        assert "Content-Security-Policy" in response.headers
        assert browser.get("/sign-in").status_code == 200


def test_redis_and_log_hold_no_secret(
    acme: Deployment, redis_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    unused, used = link_of(acme), link_of(acme)
    with desk_of(acme, log_level="DEBUG") as app:
        logging.getLogger().addHandler(handler := logging.StreamHandler())
        browser = Browser(app)
        browser.post("/sign-in", secret=used)
        browser.post("/sign-in", secret=used, confirmed="yes")
        browser.get("/", query_string={"q": "quokka"})
        browser.post("/sign-in", secret="wrong wombat")
        browser.post("/nowhere", wombat="wombat")
        secrets = [unused, used, browser.cookie or "", "wombat", "quokka", str(app.secret_key)]
    with Redis.from_url(redis_url) as redis:
        dump = repr([(name, redis.dump(name)) for name in redis.scan_iter()])
    logging.getLogger().removeHandler(handler)
    logs.configure("INFO", "json")
    log = capfd.readouterr().err
    assert "/sign-in" in log
    assert "used-once" in dump
    for secret in secrets:
        assert secret
        assert secret not in dump
        assert secret not in log


# Hosts and forms


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:8010", "evil.example", "localhost", "localhost:9", "localhost.evil.example:8010",
     "localhost:8010:8010", "", "<script>", "x" * 300],
)  # fmt: skip
def test_other_hosts_get_the_address(shared_desk: Flask, host: str) -> None:
    """A page of an attacker whose host name resolves to the desk reads and changes nothing."""
    browser = signed_in(shared_desk)
    for method, path in product(("GET", "POST", "HEAD"), ("/", "/sign-in", "/files/x")):
        response = browser.client.open(
            path, method=method, base_url=ORIGIN, headers={"Host": host, "Origin": ORIGIN}
        )
        assert response.status_code == 421
        if method != "HEAD":
            assert f'<a href="{ORIGIN}">' in response.get_data(as_text=True)
        assert "Content-Security-Policy" in response.headers
        assert response.headers["Cache-Control"] == "no-store"


def test_probes_need_no_host_name(shared_desk: Flask) -> None:
    client = signed_in(shared_desk).client
    for host, method in product(("10.0.0.7:8010", "localhost:8010", ""), ("GET", "HEAD")):
        headers = {"Host": host}
        response = client.open("/healthz", method=method, base_url=ORIGIN, headers=headers)
        assert response.status_code == 200
        assert response.get_data() == (b'{"status":"ok"}' if method == "GET" else b"")
        assert response.headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in response.headers
    for path in ("/healthz/", "//healthz", "/readyz"):
        assert client.get(path, headers={"Host": "10.0.0.7"}).status_code == 421
    assert client.post("/healthz", headers={"Host": "10.0.0.7"}).status_code == 421
    # Names of hosts are compared in any case.
    assert client.get("/", base_url=ORIGIN, headers={"Host": "LocalHost:8010"}).status_code == 200


def test_large_forms_are_refused(shared_desk: Flask) -> None:
    """Anyone could send one slowly, so without a session only small ones are read."""
    browser = signed_in(shared_desk)
    for path in ("/sign-in", "/sign-out"):
        assert browser.post(path, secret="x" * 1_000_000).status_code == 413
    for size, status in ((3_000, 403), (5_000, 413)):
        assert Browser(shared_desk).post("/sign-in", secret="x" * size).status_code == status


def test_an_organization_uses_half_of_the_connections(
    shared_desk: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current, "WAIT_SECONDS", 0)
    with shared_desk.app_context(), ExitStack() as stack:
        for _ in range(current.MOST_CONNECTIONS // 2):
            stack.enter_context(current.reading(UUID(make.ACME)))
        with pytest.raises(ServiceUnavailable), current.reading(UUID(make.ACME)):
            pass
        with current.reading(UUID(make.OWNER)) as tenant:
            assert tenant.connection.execute("SELECT 1 AS one").fetchall() == [{"one": 1}]
    with shared_desk.app_context(), current.reading(UUID(make.ACME)):
        pass
