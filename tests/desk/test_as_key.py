"""A member sees exactly what a key reads, and does not use the key."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from redis import Redis
from werkzeug.test import TestResponse

from orgctx import key_format
from orgctx.page.files import read_bundle
from orgctx.page.routes import POLICY
from tests.desk.conftest import ORIGIN, Browser, SignIn, desk_of, signed_in
from tests.operations import PATHS
from tests.support import crawl
from tests.support import factories as make
from tests.support import organizations as orgs
from tests.support.deployment import Deployment

TWO_KINDS = ("docs", "telegram")
CONTEXT = f"{crawl.PREFIX}/context"
# One request of each operation.
REQUESTS = [crawl.PREFIX + path for path in PATHS.values()]
# What a key is issued with: its organization, and further arguments of `issue_key`.
KEYS: dict[str, tuple[orgs.Organization, dict[str, Any]]] = {
    "all scopes": (orgs.AMBER, {}),
    "one scope": (orgs.AMBER, {"scopes": ["knowledge:read"]}),
    "two sources": (orgs.AMBER, {"sources": [make.KIND_SOURCES[one] for one in TWO_KINDS]}),
    "a source that is not approved": (orgs.AMBER, {"sources": [orgs.HIDDEN_SOURCES[0]]}),
    "suppressed document": (orgs.BASALT, {}),
    "some kinds approved": (orgs.FLINT, {}),
    "nothing approved": (orgs.EMBER, {}),
}
SCRIPT = next(name for name in read_bundle() if name.startswith("app-"))


def id_of(deployment: Deployment, key: str) -> UUID:
    """Return the id of a key."""
    statement = "SELECT id FROM api_keys WHERE key_hash = %s"
    ((key_id,),) = deployment.execute(statement, [key_format.digest(key)])
    return UUID(str(key_id))


def see(
    browser: Browser, key_id: UUID, path: str = "/", method: str = "GET", **headers: str
) -> TestResponse:
    """Request a path of the page that runs as a key."""
    return browser.client.open(
        f"/keys/{key_id}/see{path}",
        method=method,
        base_url=ORIGIN,
        headers={"Origin": ORIGIN, **headers},
    )


@pytest.fixture(scope="module")
def service(tenants: Deployment) -> Iterator[FlaskClient]:
    with tenants.app() as app:
        yield app.test_client()


@pytest.fixture(scope="module")
def tenants_desk(tenants: Deployment) -> Iterator[Flask]:
    with desk_of(tenants) as app:
        yield app


@pytest.fixture
def key_id(own_acme: Deployment, own_key: str) -> UUID:
    return id_of(own_acme, own_key)


def assert_equal(
    browser: Browser, key_id: UUID, service: FlaskClient, key: str, paths: list[str]
) -> None:
    """Assert that desk and service return the same statuses, bytes, ETags and links."""
    for path in paths:
        seen, read = see(browser, key_id, path), crawl.rest(service, key, path)
        bodies = [each.text.replace(each.headers["X-Request-Id"], "") for each in (seen, read)]
        assert seen.status_code == read.status_code, path
        assert bodies[0] == bodies[1], path
        for name in ("Content-Type", "ETag", "Link", "WWW-Authenticate"):
            assert seen.headers.get(name) == read.headers.get(name), path


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", KEYS)
def test_view_returns_the_bytes_of_the_service(
    tenants: Deployment, service: FlaskClient, tenants_desk: Flask, name: str
) -> None:
    organization, rights = KEYS[name]
    key = tenants.issue_key(organization.id, make.OWNER, **rights)
    browser, key_id = signed_in(tenants_desk, organization=organization.id), id_of(tenants, key)
    errors = [crawl.PREFIX + path for method, path in crawl.ERRORS if method == "GET"]
    assert_equal(browser, key_id, service, key, [*REQUESTS, *errors])
    # A secret in a header is ignored.
    bearer = f"Bearer {tenants.issue_key(orgs.BASALT.id, make.OWNER)}"
    response = see(browser, key_id, CONTEXT, Authorization=bearer)
    own = see(browser, key_id, CONTEXT)
    assert (response.status_code, response.json.get("meta")) == (
        own.status_code,
        own.json.get("meta"),
    )


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE api_keys SET expires_at = now() - interval '1 minute'",
        f"UPDATE members SET role = 'member' WHERE user_id = '{make.ADMIN}'",
    ],
)
def test_key_that_stopped_working_reads_nothing(
    own_acme: Deployment, sign_in: SignIn, change: str
) -> None:
    """The document is still served, and shows the error."""
    key = own_acme.issue_key(make.ACME, make.ADMIN)
    own_acme.execute(change)
    browser, key_id = sign_in(), id_of(own_acme, key)
    with own_acme.app() as app:
        assert_equal(browser, key_id, app.test_client(), key, [CONTEXT])
    assert see(browser, key_id, CONTEXT).status_code == 401
    assert see(browser, key_id).status_code == 200


def test_key_of_tools_reads_what_they_read(
    own_acme: Deployment, sign_in: SignIn, key_id: UUID
) -> None:
    """The API rejects such a key."""
    tools = id_of(own_acme, own_acme.issue_key(make.ACME, make.OWNER, access="mcp"))
    browser = sign_in()
    assert see(browser, tools, CONTEXT).data == see(browser, key_id, CONTEXT).data
    assert b'data-access="mcp"' in see(browser, tools).data


def test_only_reads_are_allowed(sign_in: SignIn, key_id: UUID) -> None:
    browser, script = sign_in(), f"/page/{SCRIPT}"
    assert "immutable" in see(browser, key_id, script).headers["Cache-Control"]
    for path in ("/", CONTEXT, script):
        for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
            assert see(browser, key_id, path, method).status_code == 405, (method, path)
        assert see(browser, key_id, path, "HEAD").status_code == 200
    assert see(browser, key_id, "/api/mcp", "POST").status_code in (404, 405)
    headers = see(browser, key_id, CONTEXT).headers
    assert headers["Cache-Control"] == "no-store"
    again = see(browser, key_id, CONTEXT, **{"If-None-Match": headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    for path in ("/healthz", "/.well-known/security.txt", "/api/mcp", "/page/../api/v1/context"):
        assert see(browser, key_id, path).status_code == 404, path


def test_look_is_not_a_use_of_the_key(own_acme: Deployment, key_id: UUID, tmp_path: Path) -> None:
    """It is counted for the member; collectors see that the organization is being read."""
    record = tmp_path / "reads.jsonl"
    with (
        Redis.from_url(own_acme.redis_url) as redis,
        desk_of(own_acme, audit_reads=str(record), limit_page=len(REQUESTS)) as app,
    ):
        before = {name: redis.dump(name) for name in redis.scan_iter()}
        for path in REQUESTS:
            assert see(signed_in(app), key_id, path).status_code != 429
        after = {name: redis.dump(name) for name in redis.scan_iter()}
        assert see(signed_in(app), key_id, CONTEXT).status_code == 429
        assert see(signed_in(app, make.ADMIN), key_id, CONTEXT).status_code == 200
    assert after.items() >= before.items()
    assert {name.decode() for name in after.keys() - before} == {
        f"orgctx:quota:page:{make.ACME}:{make.OWNER}",
        f"orgctx:watched:{{{make.ACME}}}",
    }
    assert not record.exists()


def test_document_names_the_key_and_nothing_secret(
    own_acme: Deployment, sign_in: SignIn, own_key: str, key_id: UUID
) -> None:
    own_acme.execute("""UPDATE api_keys SET name = 'A "<b>&'""")
    response = see(sign_in(), key_id)
    text = response.text
    assert f'content="A &#34;&lt;b&gt;&amp; ({own_key[:9]}…)" data-access="both"' in text
    assert f'data-desk="/keys/{key_id}"' in text
    assert re.search(rf'<noscript>.*href="/keys/{key_id}">Back.*</noscript>', text, re.DOTALL)
    assert own_key not in text
    assert text.count("<script") == text.count('<script type="module" src="page/') == 1
    assert response.headers.getlist("Content-Security-Policy") == [POLICY]
    assert response.headers["Cache-Control"] == "no-store"
    with own_acme.client() as client:
        assert "orgctx-key" not in client.get("/").text
