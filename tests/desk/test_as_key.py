"""A member sees exactly what a key reads, and does not use the key."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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
from tests.desk.conftest import ORIGIN, Browser, desk_of, signed_in
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
# Keys that request all that the data offers; the others request each operation once.
THOROUGH = ("two sources", "suppressed document")


@dataclass
class KeyViews:
    """A desk, and a browser in which a member is signed in."""

    deployment: Deployment
    desk: Flask
    browser: Browser

    def sign_in(self, organization: str, user_id: str = make.OWNER) -> None:
        self.browser = signed_in(self.desk, user_id, organization)

    def id_of(self, key: str) -> UUID:
        """Return the id of a key."""
        statement = "SELECT id FROM api_keys WHERE key_hash = %s"
        ((key_id,),) = self.deployment.execute(statement, [key_format.digest(key)])
        return UUID(str(key_id))

    def see(
        self, key_id: UUID, path: str = "/", method: str = "GET", **headers: str
    ) -> TestResponse:
        """Request a path of the page that runs as a key."""
        return self.browser.client.open(
            f"/keys/{key_id}/see{path}",
            method=method,
            base_url=ORIGIN,
            headers={"Origin": ORIGIN, **headers},
        )


@contextmanager
def key_views(deployment: Deployment, organization: str, **settings: Any) -> Iterator[KeyViews]:
    """Run a desk while the block runs. settings: replace those of the deployment's Config."""
    with desk_of(deployment, **settings) as app:
        yield KeyViews(deployment, app, signed_in(app, organization=organization))


@pytest.fixture(scope="module")
def service(tenants: Deployment) -> Iterator[FlaskClient]:
    with tenants.app() as app:
        yield app.test_client()


@pytest.fixture(scope="module")
def amber_views(tenants: Deployment) -> Iterator[KeyViews]:
    with key_views(tenants, orgs.AMBER.id) as running:
        yield running


@pytest.fixture
def acme_views(own_acme: Deployment) -> Iterator[KeyViews]:
    with key_views(own_acme, make.ACME) as running:
        yield running


def assert_equal(views: KeyViews, service: FlaskClient, key: str, paths: list[str]) -> None:
    """Assert that both return the same statuses, bytes, ETags and links."""
    key_id = views.id_of(key)
    for path in paths:
        seen, read = views.see(key_id, path), crawl.rest(service, key, path)
        bodies = [each.text.replace(each.headers["X-Request-Id"], "") for each in (seen, read)]
        assert seen.status_code == read.status_code, path
        assert bodies[0] == bodies[1], path
        for name in ("Content-Type", "ETag", "Link", "WWW-Authenticate"):
            assert seen.headers.get(name) == read.headers.get(name), path


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", KEYS)
def test_view_returns_the_bytes_of_the_service(
    tenants: Deployment, service: FlaskClient, amber_views: KeyViews, name: str
) -> None:
    organization, rights = KEYS[name]
    key = tenants.issue_key(organization.id, make.OWNER, **rights)
    amber_views.sign_in(organization.id)
    errors = [crawl.PREFIX + path for method, path in crawl.ERRORS if method == "GET"]
    paths = crawl.reads() if name in THOROUGH else REQUESTS
    assert_equal(amber_views, service, key, [*paths, *errors])


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE api_keys SET expires_at = now() - interval '1 minute'",
        f"UPDATE members SET role = 'member' WHERE user_id = '{make.ADMIN}'",
    ],
)
def test_key_that_stopped_working_reads_nothing(
    acme_views: KeyViews, own_acme: Deployment, change: str
) -> None:
    """The document is still served, and shows the error."""
    key = own_acme.issue_key(make.ACME, make.ADMIN)
    own_acme.execute(change)
    with own_acme.app() as app:
        assert_equal(acme_views, app.test_client(), key, [CONTEXT])
    assert acme_views.see(acme_views.id_of(key), CONTEXT).status_code == 401
    assert acme_views.see(acme_views.id_of(key)).status_code == 200


def test_key_of_tools_reads_what_they_read(acme_views: KeyViews, own_acme: Deployment) -> None:
    """The API rejects such a key."""
    tools, both = (
        acme_views.id_of(own_acme.issue_key(make.ACME, make.OWNER, access=access))
        for access in ("mcp", "both")
    )
    assert acme_views.see(tools, CONTEXT).data == acme_views.see(both, CONTEXT).data
    assert b'data-access="mcp"' in acme_views.see(tools).data


def test_secret_in_a_header_is_ignored(tenants: Deployment, amber_views: KeyViews) -> None:
    secrets = {
        each.id: tenants.issue_key(each.id, make.OWNER) for each in (orgs.BASALT, orgs.AMBER)
    }
    bearer = f"Bearer {secrets[orgs.BASALT.id]}"
    for organization_id, key in secrets.items():
        amber_views.sign_in(organization_id)
        response = amber_views.see(amber_views.id_of(key), CONTEXT, Authorization=bearer)
        assert response.json["meta"]["organizationId"] == organization_id


def test_only_reads_are_allowed(acme_views: KeyViews, own_acme: Deployment) -> None:
    key_id = acme_views.id_of(own_acme.issue_key(make.ACME, make.OWNER))
    script = f"/page/{SCRIPT}"
    assert "immutable" in acme_views.see(key_id, script).headers["Cache-Control"]
    for path in ("/", CONTEXT, script):
        for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
            assert acme_views.see(key_id, path, method).status_code == 405, (method, path)
        assert acme_views.see(key_id, path, "HEAD").status_code == 200
    assert acme_views.see(key_id, "/api/mcp", "POST").status_code in (404, 405)
    headers = acme_views.see(key_id, CONTEXT).headers
    assert headers["Cache-Control"] == "no-store"
    again = acme_views.see(key_id, CONTEXT, **{"If-None-Match": headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    for path in ("/healthz", "/.well-known/security.txt", "/api/mcp", "/page/../api/v1/context"):
        assert acme_views.see(key_id, path).status_code == 404, path


def test_look_is_not_a_use_of_the_key(own_acme: Deployment, tmp_path: Path) -> None:
    """It is counted for the member; collectors see that the organization is being read."""
    record = tmp_path / "reads.jsonl"
    key = own_acme.issue_key(make.ACME, make.OWNER)
    with (
        Redis.from_url(own_acme.redis_url) as redis,
        key_views(own_acme, make.ACME, audit_reads=str(record)) as running,
    ):
        before = {name: redis.dump(name) for name in redis.scan_iter()}
        for path in REQUESTS:
            running.see(running.id_of(key), path)
        after = {name: redis.dump(name) for name in redis.scan_iter()}
    assert after.items() >= before.items()
    assert {name.decode() for name in after.keys() - before} == {
        f"orgctx:quota:page:{make.ACME}:{make.OWNER}",
        f"orgctx:watched:{{{make.ACME}}}",
    }
    assert not record.exists()


def test_looks_of_a_member_are_limited(own_acme: Deployment) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    with key_views(own_acme, make.ACME, limit_page=2) as running:
        key_id = running.id_of(key)
        statuses = [running.see(key_id, CONTEXT).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]
        running.sign_in(make.ACME, make.ADMIN)
        assert running.see(key_id, CONTEXT).status_code == 200


def test_document_names_the_key_and_nothing_secret(
    acme_views: KeyViews, own_acme: Deployment
) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    own_acme.execute("""UPDATE api_keys SET name = 'A "<b>&'""")
    response = acme_views.see(acme_views.id_of(key))
    text = response.text
    assert f'content="A &#34;&lt;b&gt;&amp; ({key[:9]}…)" data-access="both"' in text
    assert f'data-desk="/keys/{acme_views.id_of(key)}"' in text
    assert key not in text
    assert text.count("<script") == text.count('<script type="module" src="page/') == 1
    assert response.headers.getlist("Content-Security-Policy") == [POLICY]
    assert response.headers["Cache-Control"] == "no-store"
    with own_acme.client() as client:
        assert "orgctx-key" not in client.get("/").text
