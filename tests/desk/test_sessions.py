"""Sessions and their end, changes from other pages, other hosts, headers, logs and Redis."""

import json
import logging
from collections.abc import Iterator
from contextlib import ExitStack
from hashlib import sha256
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from redis import Redis
from werkzeug.routing import Rule

from orgctx.desk import current
from orgctx.desk.guard import COOKIE
from orgctx.desk.sessions import LINK, Entry
from orgctx.errors import ServiceUnavailable
from orgctx.observability import logs
from tests.desk.conftest import ORIGIN, Browser, SignIn, desk_of, link_of, signed_in
from tests.support import factories as make
from tests.support.deployment import Deployment

# Views that need no session, with the reason.
PUBLIC = {
    "page_files.get_file": "style and scripts of all pages",
    "sign_in.show": "the page to sign in",
    "sign_in.sign_in": "uses up a link",
    "openid.begin": "sends the browser to the provider",
    "openid.finish": "the browser comes back from the provider",
    "openid.choose": "starts the session",
}
# Where a request goes whose session has ended.
ENDED = "/sign-in?ended=1"
GARBAGE = ("", "x", "\x00", "%", "=;=;", "x" * 4000, "\xff\xfe", '"', "a b")


@pytest.fixture(scope="module")
def all_rules_desk(acme: Deployment) -> Iterator[Flask]:
    """A desk with every view, including those that need settings."""
    with desk_of(
        acme,
        desk_oidc_issuer="http://127.0.0.1:9",
        desk_oidc_client_id="desk",
        desk_oidc_client_secret="hush",
    ) as app:
        yield app


def addresses(app: Flask, method: str) -> Iterator[tuple[Rule, str]]:
    """Yield each rule that accepts a method, with an address."""
    values = {"UUIDConverter": make.uuid("any"), "IntegerConverter": 1}
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if method in (rule.methods or ()):
            converters: dict[str, Any] = rule._converters
            arguments = {
                name: values.get(type(one).__name__, "x") for name, one in converters.items()
            }
            yield rule, adapter.build(rule.endpoint, arguments, method)


# Which requests are let through


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_views_need_a_session(all_rules_desk: Flask, acme: Deployment, method: str) -> None:
    """A cookie that names no session does not help. PUBLIC lists every exception."""
    before = acme.decided()
    public = set()
    for rule, address in addresses(all_rules_desk, method):
        browser = Browser(all_rules_desk)
        browser.client.set_cookie(COOKIE, "unknown", domain="localhost", secure=True)
        headers = {"Origin": ORIGIN}
        response = browser.client.open(address, method=method, base_url=ORIGIN, headers=headers)
        if response.status_code == 303 and response.location == ENDED:
            assert f"{COOKIE}=;" in response.headers["Set-Cookie"]
        else:
            public.add(rule.endpoint)
    assert public <= set(PUBLIC), "mark a view with @public only with a reason in PUBLIC"
    assert acme.decided() == before


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "origin",
    [None, "null", "", "https://evil.example", "https://localhost:8010", "http://localhost",
     "http://localhost:8010.evil.example", "http://localhost:8010/", "http://127.0.0.1:8010"],
)  # fmt: skip
def test_changes_from_other_origins_are_refused(
    all_rules_desk: Flask, acme: Deployment, redis_url: str, origin: str | None
) -> None:
    browser = signed_in(all_rules_desk)
    before = acme.decided()
    count = 0
    for rule, address in addresses(all_rules_desk, "POST"):
        headers = {} if origin is None else {"Origin": origin}
        data = {"secret": "x"}
        response = browser.client.post(address, base_url=ORIGIN, headers=headers, data=data)
        assert response.status_code == 403, rule
        count += 1
    assert count >= 4
    assert acme.decided() == before
    assert browser.get("/").status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none", "", "same-origin, cross-site"])
def test_changes_that_a_browser_calls_foreign_are_refused(
    all_rules_desk: Flask, acme: Deployment, redis_url: str, site: str
) -> None:
    """A page of another port of this host is same-site, and its cookies are sent."""
    browser = signed_in(all_rules_desk)
    before = acme.decided()
    for rule, address in addresses(all_rules_desk, "POST"):
        response = browser.send(address, {}, headers={"Sec-Fetch-Site": site})
        assert response.status_code == 403, rule
    assert acme.decided() == before
    assert browser.send("/sign-out", {}, headers={"Sec-Fetch-Site": "same-origin"}).location


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reads_change_nothing(
    all_rules_desk: Flask, acme: Deployment, redis_url: str, method: str
) -> None:
    browser = signed_in(all_rules_desk)
    with Redis.from_url(redis_url) as redis:
        # A look as a key counts for the member.
        before = acme.decided(), sorted(redis.keys("orgctx:desk:*"))
        for _, address in addresses(all_rules_desk, method):
            browser.client.open(address, method=method, base_url=ORIGIN)
        assert (acme.decided(), sorted(redis.keys("orgctx:desk:*"))) == before


@pytest.mark.parametrize("method", ["TRACE", "PUT", "DELETE", "PATCH", "CONNECT", "FOO"])
def test_other_methods_are_refused(shared_desk: Flask, method: str) -> None:
    browser = signed_in(shared_desk)
    for headers, status in (({}, 403), ({"Origin": ORIGIN}, 405)):
        response = browser.client.open("/", method=method, base_url=ORIGIN, headers=headers)
        assert response.status_code == status
        assert (browser.cookie or "") not in response.get_data(as_text=True)


# The end of a session


def test_sign_out_ends_the_session(shared_desk: Flask, redis_url: str) -> None:
    browser, other = signed_in(shared_desk), signed_in(shared_desk)
    secret = browser.cookie
    assert browser.post("/sign-out").status_code == 303
    assert browser.cookie is None
    copy = Browser(shared_desk)
    copy.client.set_cookie(COOKIE, secret or "", domain="localhost", secure=True)
    assert copy.get("/").status_code == 303
    # Sessions of other browsers go on.
    assert other.get("/").status_code == 200
    # Redis forgets those that ended.
    with Redis.from_url(redis_url) as redis:
        (kept,) = redis.keys("orgctx:desk:session:*")
        (member,) = redis.keys("orgctx:desk:member:*")
        assert [name for name in redis.zrange(member, 0, -1) if b"session" in name] == [kept]


def test_session_ends_after_twelve_hours(shared_desk: Flask, redis_url: str) -> None:
    """Requests do not postpone the end."""
    browser = signed_in(shared_desk)
    with Redis.from_url(redis_url) as redis:
        (name,) = redis.keys("orgctx:desk:session:*")
        assert 43_190 <= redis.ttl(name) <= 43_200
        redis.expire(name, 100)
        assert browser.get("/").status_code == 200
        assert redis.ttl(name) <= 100
        redis.expire(name, 0)
    assert browser.get("/").status_code == 303


def test_desk_end_ends_all_sessions_and_links(shared_desk: Flask, acme: Deployment) -> None:
    first, second = signed_in(shared_desk), signed_in(shared_desk)
    admin, link = signed_in(shared_desk, make.ADMIN), link_of(acme)
    who = ("--organization", "acme", "--for", make.OWNER)
    assert acme.cli("desk", "end", *who).stdout == "ended 2 sessions and all unopened links\n"
    assert first.get("/").status_code == second.get("/").status_code == 303
    assert admin.get("/").status_code == 200
    assert Browser(shared_desk).post("/sign-in", secret=link).status_code == 403
    assert acme.cli("desk", "end", *who, "--json").json() == {"ended": 0}


def test_link_that_was_accepted_before_all_end_starts_no_session(shared_desk: Flask) -> None:
    sessions = shared_desk.extensions["orgctx.desk"].sessions
    entry = Entry(UUID(make.ACME), UUID(make.OWNER))
    for ends in (False, True):
        link = sessions.invite(entry)
        assert sessions.accept(link) == entry
        if ends:
            sessions.end_all(entry)
        assert (sessions.start(entry, LINK, kept=link) is None) == ends
    assert sessions.end_all(entry) == 0


def test_session_that_starts_while_all_end_is_found_later(shared_desk: Flask) -> None:
    """In any order, no session survives that `desk end` cannot find."""
    sessions = shared_desk.extensions["orgctx.desk"].sessions
    entry = Entry(UUID(make.ACME), UUID(make.OWNER))
    run = sessions._run
    ended: list[bool] = []

    def ending(*command: str | int) -> Any:
        reply = run(*command)
        if command[0] == "ZADD" and not ended:
            ended.append(True)
            sessions.end_all(entry)
        return reply

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "_run", ending)
        assert sessions.start(entry, "link") is None
    assert sessions.start(entry, "link") is not None
    assert sessions.end_all(entry) == 1


@pytest.mark.parametrize("role", ["member", "removed"])
def test_demotion_ends_the_session(
    sign_in: SignIn, own_acme: Deployment, redis_url: str, role: str
) -> None:
    browser = sign_in(make.ADMIN)
    own_acme.load([make.member(make.ADMIN, role)])
    before = own_acme.decided()
    # In the middle of a form.
    assert browser.post("/sign-out").location == ENDED
    assert "session has ended" in browser.text(ENDED)
    assert browser.cookie is None
    assert own_acme.decided() == before
    with Redis.from_url(redis_url) as redis:
        assert redis.keys("orgctx:desk:session:*") == []


@pytest.mark.parametrize("deleted", [("member", make.OWNER), ("organization", make.ACME)])
def test_deletion_ends_the_session(
    sign_in: SignIn, own_acme: Deployment, deleted: tuple[str, str]
) -> None:
    browser = sign_in()
    own_acme.load([make.delete(*deleted)])
    assert browser.get("/members").location == ENDED


# Redis


def test_emptied_redis_ends_sessions(shared_desk: Flask, redis_url: str) -> None:
    browser = signed_in(shared_desk)
    with Redis.from_url(redis_url) as redis:
        redis.flushdb()
    assert browser.get("/").status_code == 303
    assert browser.get("/sign-in").status_code == 200


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
        for response in (browser.get("/"), browser.post("/sign-in", secret=link)):
            if response.status_code != 303:  # the unknown cookie needs no database
                assert response.status_code == 503
                page = response.get_data(as_text=True)
                assert "cannot reach its database or Redis" in page
                assert "Traceback" not in page
                assert "127.0.0.1:9" not in page
                assert "Content-Security-Policy" in response.headers
        assert browser.get("/sign-in").status_code == 200


def test_session_that_only_redis_knows_is_none(shared_desk: Flask, redis_url: str) -> None:
    """The service writes to the same Redis, so a session needs what only the desk knows."""
    genuine, other = signed_in(shared_desk), shared_desk.test_client()
    assert genuine.cookie
    with Redis.from_url(redis_url) as redis:
        value = redis.get(name_of(genuine.cookie))
        assert value
        redis.set(name_of("forged"), value)
    other.set_cookie(COOKIE, "forged", domain="localhost")
    assert other.get("/", base_url=ORIGIN).location == ENDED
    assert genuine.get("/").status_code == 200


def name_of(secret: str) -> str:
    """Return where Redis keeps a session."""
    return f"orgctx:desk:session:{sha256(secret.encode()).hexdigest()}"


def test_redis_and_log_hold_no_secret(
    acme: Deployment, redis_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    unused, used = link_of(acme), link_of(acme)
    with desk_of(acme, log_level="DEBUG") as app:
        logging.getLogger().addHandler(handler := logging.StreamHandler())
        browser = Browser(app)
        browser.post("/sign-in", secret=used)
        browser.get("/", query_string={"q": "quokka"})
        browser.post("/sign-in", secret="wrong wombat")
        browser.post("/nowhere", wombat="wombat")
    secrets = [unused, used, browser.cookie or "", "wombat", "quokka"]
    with Redis.from_url(redis_url) as redis:
        names = redis.keys()
        values = [redis.zrange(name, 0, -1) if b":member:" in name else redis.get(name)
                  for name in names]  # fmt: skip
        dump = repr((names, values))
        assert len(names) >= 4
    logging.getLogger().removeHandler(handler)
    logs.configure("INFO", "json")
    log = capfd.readouterr().err
    assert "/sign-in" in log
    for secret in secrets:
        assert secret
        assert secret not in dump
        assert secret not in log


@pytest.mark.parametrize(("logged", "address"), [(True, "203.0.113.9"), (False, None)])
def test_log_names_the_client_behind_a_proxy(
    acme: Deployment, capfd: pytest.CaptureFixture[str], logged: bool, address: str | None
) -> None:
    headers = {"X-Forwarded-For": "198.51.100.1, 203.0.113.9"}
    with desk_of(acme, trusted_proxy_hops=1, log_client_address=logged) as app:
        client = app.test_client()
        client.get("/sign-in", base_url=ORIGIN, headers=headers)
        client.get("/sign-in", base_url="http://evil.example", headers=headers)
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [(line["status"], line["client"]) for line in lines] == [(200, address), (421, address)]


# Hosts, headers and garbage


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
    browser = signed_in(shared_desk)
    for host in ("10.0.0.7:8010", "localhost:8010", ""):
        for method in ("GET", "HEAD"):
            response = browser.client.open(
                "/healthz", method=method, base_url=ORIGIN, headers={"Host": host}
            )
            assert response.status_code == 200
            assert response.get_data() == (b'{"status":"ok"}' if method == "GET" else b"")
            assert response.headers["Cache-Control"] == "no-store"
            assert "Set-Cookie" not in response.headers
    for path in ("/healthz/", "//healthz", "/readyz"):
        assert browser.client.get(path, headers={"Host": "10.0.0.7"}).status_code == 421
    assert browser.client.post("/healthz", headers={"Host": "10.0.0.7"}).status_code == 421
    # Names of hosts are compared in any case.
    headers = {"Host": "LocalHost:8010"}
    assert browser.client.get("/", base_url=ORIGIN, headers=headers).status_code == 200


def test_headers_of_all_responses(all_rules_desk: Flask, redis_url: str) -> None:
    browser = signed_in(all_rules_desk)
    static = {address for rule, address in addresses(all_rules_desk, "GET")
              if rule.endpoint == "page_files.get_file"}  # fmt: skip
    page = browser.get("/").get_data(as_text=True)
    files = [path.split('"')[0] for path in page.split('href="')[1:] if path.startswith("/files/")]
    assert len(files) >= 3
    paths = [address for _, address in addresses(all_rules_desk, "GET")]
    for path in (*paths, *files, "/nowhere", "/sign-out", "/../etc/passwd", "//evil.example"):
        response = browser.get(path)
        policy = response.headers["Content-Security-Policy"]
        for directive in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'",
                          "form-action '", "script-src 'self'"):  # fmt: skip
            assert directive in policy
        assert "unsafe" not in policy
        assert response.headers.getlist("Referrer-Policy") == ["same-origin"]
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        if path in files:
            assert "immutable" in response.headers["Cache-Control"]
            assert "Set-Cookie" not in response.headers
        elif path not in static:
            assert response.headers["Cache-Control"] == "no-store"
        if response.status_code in (301, 308):
            assert response.location.startswith(("/", ORIGIN))


def test_large_forms_are_refused(shared_desk: Flask) -> None:
    browser = signed_in(shared_desk)
    for path in ("/sign-in", "/sign-out"):
        assert browser.post(path, secret="x" * 1_000_000).status_code == 413
    many = {f"field{number}": "" for number in range(2000)}
    assert browser.send("/sign-out", many).status_code in (303, 413)


def test_form_without_a_session_is_small(shared_desk: Flask) -> None:
    """Anyone could send a larger one slowly, and keep a thread of the desk."""
    browser = Browser(shared_desk)
    assert browser.post("/sign-in", secret="x" * 3_000).status_code == 403
    assert browser.post("/sign-in", secret="x" * 5_000).status_code == 413


@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_in_cookies_and_headers_gives_no_session(shared_desk: Flask, garbage: str) -> None:
    headers = {
        "Cookie": f"{COOKIE}={garbage}; {COOKIE}=x",
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": garbage.strip("\x00"),
        "X-Forwarded-For": garbage.strip("\x00"),
        "Accept-Language": garbage.strip("\x00"),
    }
    client = shared_desk.test_client(use_cookies=False)
    response = client.get("/", base_url=ORIGIN, headers=headers)
    assert response.status_code == 303
    assert response.location == ENDED
    headers["Origin"] = ORIGIN
    response = client.post("/sign-in", base_url=ORIGIN, headers=headers, data=garbage.encode())
    assert response.status_code == 403
    assert "evil" not in response.get_data(as_text=True)


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
