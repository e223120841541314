"""What holds for every route: sessions, origins, organizations, headers, and text that stays text.

The routes are those of the URL map, so that nobody forgets a new one.
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from flask import Flask
from psycopg.types.json import Jsonb
from redis import Redis

from orgctx.desk.app import VIEWS
from orgctx.desk.sessions import COOKIE
from tests.desk.conftest import ENDED, ORIGIN, Browser, SignIn, desk_of, signed_in
from tests.support import factories as make
from tests.support.deployment import Deployment

# Views that need no session, with the reason.
PUBLIC = {
    "health": "probes",
    "page_files.get_file": "style and scripts of all pages",
    "sign_in.show": "the page to sign in",
    "sign_in.sign_in": "uses up a link",
    "openid.begin": "sends the browser to the provider",
    "openid.finish": "the browser comes back from the provider",
}


class Objects(NamedTuple):
    """The ids in the requests: of a key, a member, a source, a document and an audit record."""

    key_id: str
    user_id: str
    source: str
    id: str
    sequence: str


UNKNOWN = Objects(str(uuid4()), str(uuid4()), "docs:none", make.knowledge_id("none"), str(2**40))


class Request(NamedTuple):
    """One request of a route. fields: of its query and of its form."""

    endpoint: str
    rule: str
    path: str
    fields: dict[str, Any]


def requests_of(app: Flask, method: str, objects: Objects = UNKNOWN) -> Iterator[Request]:
    """Yield a request about the objects for each route that accepts a method."""
    urls = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if method in (rule.methods or ()):
            name = rule.endpoint
            decision = {"sources.decide": "withdraw"}.get(name, "suppress")
            fields = {
                **objects._asdict(), "_": "x", "name": "x", "document": objects.id,
                "source_ids": objects.source,
                "decision": "include" if "preview" in name else decision,
                "id": objects.source if name == "sources.show" else objects.id,
            }  # fmt: skip
            yield Request(name, rule.rule, urls.build(name, fields, method), fields)


@pytest.fixture(scope="module")
def all_routes_desk(acme: Deployment) -> Iterator[Flask]:
    """A desk with every view, including those that need settings."""
    with desk_of(
        acme,
        desk_oidc_issuer="http://127.0.0.1:9",
        desk_oidc_client_id="desk",
        desk_oidc_client_secret="hush",
    ) as app:
        yield app


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_views_need_a_session(all_routes_desk: Flask, acme: Deployment, method: str) -> None:
    """A cookie that names no session does not help. PUBLIC lists every exception."""
    before = acme.decided()
    public = set()
    for one in requests_of(all_routes_desk, method):
        browser = Browser(all_routes_desk)
        browser.client.set_cookie(COOKIE, "unknown", domain="localhost", secure=True)
        headers = {"Origin": ORIGIN}
        response = browser.client.open(one.path, method=method, base_url=ORIGIN, headers=headers)
        if response.status_code == 303 and response.location == ENDED:
            assert f"{COOKIE}=;" in response.headers["Set-Cookie"]
        else:
            public.add(one.endpoint)
    assert public <= set(PUBLIC), "mark a view with @public only with a reason in PUBLIC"
    assert acme.decided() == before


ORIGINS = (
    "null", "", "https://evil.example", "https://localhost:8010", "http://localhost",
    "http://localhost:8010.evil.example", "http://localhost:8010/", "http://127.0.0.1:8010",
)  # fmt: skip
# A page of another port of this host is same-site, and its cookies are sent.
SITES = ("same-site", "cross-site", "none", "", "same-origin, cross-site")
FOREIGN: list[dict[str, str]] = [
    {},
    *({"Origin": ORIGIN, "Sec-Fetch-Site": site} for site in SITES),
    *({"Origin": origin} for origin in ORIGINS),
]


def test_changes_from_other_pages_are_refused(
    all_routes_desk: Flask, acme: Deployment, redis_url: str
) -> None:
    browser = signed_in(all_routes_desk)
    before = acme.decided()
    posts = [*requests_of(all_routes_desk, "POST")]
    assert len(posts) >= 4
    for one, headers in product(posts, FOREIGN):
        response = browser.client.post(one.path, base_url=ORIGIN, headers=headers, data=one.fields)
        assert response.status_code == 403, (one.path, headers)
    assert acme.decided() == before
    assert browser.send("/sign-out", {}, headers={"Sec-Fetch-Site": "same-origin"}).location


@pytest.mark.parametrize("method", ["TRACE", "PUT", "DELETE", "PATCH", "CONNECT", "FOO"])
def test_other_methods_are_refused(shared_desk: Flask, method: str) -> None:
    browser = signed_in(shared_desk)
    for headers, status in (({}, 403), ({"Origin": ORIGIN}, 405)):
        response = browser.client.open("/", method=method, base_url=ORIGIN, headers=headers)
        assert response.status_code == status
        assert (browser.cookie or "") not in response.get_data(as_text=True)


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reads_change_nothing(
    all_routes_desk: Flask, acme: Deployment, redis_url: str, method: str
) -> None:
    browser = signed_in(all_routes_desk)
    with Redis.from_url(redis_url) as redis:
        # A look as a key counts for the member.
        before = acme.decided(), redis.keys("orgctx:used-once:*")
        for one in requests_of(all_routes_desk, method):
            browser.client.open(one.path, method=method, base_url=ORIGIN)
        assert (acme.decided(), redis.keys("orgctx:used-once:*")) == before


def test_headers_of_all_responses(all_routes_desk: Flask, redis_url: str) -> None:
    browser = signed_in(all_routes_desk)
    files = re.findall(r'href="(/files/[^"]+)"', browser.text("/"))
    assert len(files) >= 3
    paths = [one.path for one in requests_of(all_routes_desk, "GET")]
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
            assert response.headers["Cache-Control"].startswith("public")
            assert "Set-Cookie" not in response.headers
        else:
            assert response.headers["Cache-Control"] == "no-store"
        if response.status_code in (301, 308):
            assert response.location.startswith(("/", ORIGIN))


# An object of another organization is as unknown as one that nobody has


OTHER, OTHER_OWNER, SECRET = make.uuid("other organization"), make.uuid("its owner"), "quokka"
RECORDS = [
    make.organization(OTHER, slug="other", displayName=SECRET),
    make.member(OTHER_OWNER, organization_id=OTHER, displayName=SECRET),
    make.source("docs", "docs:foreign", organization_id=OTHER, label=SECRET),
    make.knowledge("foreign", source_id="docs:foreign", organization_id=OTHER, title=SECRET),
]
# Views that find their objects in the query or the form.
BY_FIELDS = ("sources.", "documents.decide_several", "keys.issue")
WITHOUT = ("sources.list_all", "page_files.get_file")
FORM = {
    "name": "x", "access": "api", "scopes": "context:read", "days": "7", "limit": "chosen",
    "once": str(uuid4()), "role": "member", "old_seconds": "0",
}  # fmt: skip


def answers(browser: Browser, app: Flask, objects: Objects) -> dict[str, tuple[int, str]]:
    """The status and the text without ids of each view, for these objects."""
    found = {}
    for method in ("GET", "POST"):
        for name, rule, path, fields in requests_of(app, method, objects):
            if name not in WITHOUT and ("<" in rule or name.startswith(BY_FIELDS)):
                is_read = method == "GET"
                answer = browser.get(path) if is_read else browser.post(path, **fields | FORM)
                text = re.sub(r"record \d+", "record ID", answer.text)
                for id_ in objects[:4]:
                    text = text.replace(id_, "ID")
                found[f"{method} {rule}"] = (answer.status_code, text)
    return found


def test_objects_of_another_organization_are_unknown(module_desk: Flask, acme: Deployment) -> None:
    acme.load(RECORDS)
    acme.issue_key(OTHER, OTHER_OWNER)
    ((key_id, sequence),) = acme.execute(
        "SELECT id::text, (SELECT max(sequence)::text FROM audit)"
        " FROM api_keys WHERE organization_id = %s",
        [OTHER],
    )
    document = make.knowledge_id("foreign")
    objects = Objects(key_id, OTHER_OWNER, "docs:foreign", document, sequence)
    browser, before = signed_in(module_desk), acme.decided()
    foreign, absent = (answers(browser, module_desk, each) for each in (objects, UNKNOWN))
    assert len(foreign) >= 18
    for view, (status, text) in foreign.items():
        assert status in (404, 409), view
        assert SECRET not in text, view
        assert (status, text) == absent[view], view
    lists = [browser.text(path) for path in ("/", "/documents", "/keys", "/audit", "/members")]
    assert not [text for text in lists if SECRET in text]
    assert acme.decided() == before


# Stored text is text; hidden characters would reorder or hide parts of a page


HIDDEN_FIELD = re.compile(r'<input type="hidden"[^>]*>')
HIDDEN = "\x01\x7f\x85\x9b\u200b\u202e\u2066"
NAME = f'Ada"><img src=x>{HIDDEN}gnp.exe'


def test_every_view_shows_stored_text_as_text(
    own_acme: Deployment, desk: Flask, sign_in: SignIn
) -> None:
    own_acme.load([
        make.organization(displayName=NAME),
        make.member(make.OWNER, "owner", displayName=NAME),
        make.knowledge(1, title=NAME, content=NAME),
        make.chat(title=NAME),
    ])  # fmt: skip
    own_acme.execute("UPDATE sources SET label = %s", [NAME])
    insert = "INSERT INTO audit (organization_id, command, before, after) VALUES (%s, %s, %s, '{}')"
    own_acme.execute(insert, [make.ACME, NAME, Jsonb({NAME: NAME})])
    own_acme.issue_key("acme", make.OWNER)
    ((key_id,),) = own_acme.execute("SELECT id::text FROM api_keys")
    browser = sign_in()
    objects = Objects(key_id, make.OWNER, "docs:handbook", make.knowledge_id(), "1")
    views = {view.name for view in VIEWS}
    for endpoint, _, path, _ in requests_of(desk, "GET", objects):
        if endpoint.partition(".")[0] in views:
            text = HIDDEN_FIELD.sub("", browser.text(path))
            assert "gnp.exe" in text, path
            assert not {*HIDDEN}.intersection(text), path
            assert '<span class="hidden-characters">U+202E U+2066</span>' in text, path
            assert "<img src=x" not in text, path
