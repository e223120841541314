"""Security headers are on every response of every route."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from orgctx.page.files import CONTENT_TYPES
from orgctx.page.routes import POLICY
from tests.contract.test_section_7_errors import NOWHERE
from tests.docs.pages import ROOT
from tests.mcp.endpoint import Endpoint, call
from tests.support import factories as make
from tests.support.deployment import Deployment, locked

METHODS = ("GET", "HEAD", "POST", "OPTIONS", "DELETE")
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
# Responses other than JSON are files of the page.
PAGE = {"Content-Security-Policy": POLICY}
PAGE_TYPES = {type_.partition(";")[0] for type_ in CONTENT_TYPES.values()} - {"application/json"}
TLS = "Strict-Transport-Security"
# The pages that explain headers; HTTP itself requires the others.
PAGES = "".join((ROOT / path).read_text() for path in ("docs/contract.md", "docs/reliability.md"))
TRANSPORT = {"Content-Type", "Content-Length"}


def check(response: TestResponse, *, tls: bool = False) -> int:
    """Check that each header appears once, and in the docs, and errors are not cached.

    Returns the status.
    """
    headers = response.headers
    assert {name for name, _ in headers if name not in PAGES} <= TRANSPORT
    expected = ALWAYS | (PAGE if response.mimetype in PAGE_TYPES else {})
    for name, value in expected.items():
        assert headers.getlist(name) == [value], (response.request.path, name)
    assert headers.getlist(TLS) == (["max-age=31536000"] if tls else [])
    if response.status_code >= 400:
        assert headers["Cache-Control"] == "no-store"
        assert headers["Content-Type"] == "application/json"
    assert "Set-Cookie" not in headers
    is_public = response.request.path.endswith("/api/v1/openapi.json")
    is_sent = is_public and response.status_code != 405
    assert headers.getlist("Access-Control-Allow-Origin") == (["*"] if is_sent else [])
    return response.status_code


def paths(app: Flask) -> Iterator[str]:
    """One path of every route, and paths that do not exist."""
    values = {
        "id": make.CHAT, "key": "telegram:user1", "name": "app.js",
        "_": "oauth-authorization-server",
    }  # fmt: skip
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        yield adapter.build(rule.endpoint, {name: values[name] for name in rule.arguments})
    yield from ("/", "/nothing", "/api", "/api/v1", "/api/v1/", "/api/v1/nothing", "/api/mcp/x")


def requests(client: FlaskClient, key: str) -> Iterator[TestResponse]:
    bearer = {"Authorization": f"Bearer {key}"}
    for path in paths(client.application):
        for method in METHODS:
            for headers in ({}, bearer):
                yield client.open(path, method=method, headers=headers)
    yield client.get("/api/v1/x/mentions", headers={**bearer, "If-None-Match": "*"})
    yield client.get("/", headers={"Accept-Encoding": "gzip"})
    yield client.get("/api/v1/context?x=%ff", headers=bearer)
    yield client.get("/api/v1/context", headers=bearer, data=b"body")
    notification = {"jsonrpc": "2.0", "method": "a"}
    messages: tuple[Any, ...] = (call("get_context"), call("x"), {}, notification, [[]])
    for message in messages:
        yield client.post("/api/mcp", json=message, headers=bearer)
    origin = {"Origin": "https://elsewhere.example"}
    yield client.post("/api/mcp", json=call("get_context"), headers={**bearer, **origin})
    yield client.post("/api/mcp", data="{", headers={**bearer, "Content-Type": "text/plain"})


def test_security_headers_are_on_every_response(acme: Deployment, key: str) -> None:
    limited = acme.issue_key(make.ACME, make.OWNER, ["x:read"])
    with acme.client(base_url="http://127.0.0.1:8000") as client:
        statuses = {check(response) for response in requests(client, key)}
        bearer = {"Authorization": f"Bearer {limited}"}
        for path in paths(client.application):
            statuses.add(check(client.get(path, headers=bearer)))
    assert statuses >= {200, 202, 304, 400, 401, 403, 404, 405, 413, 415}


def test_security_headers_are_on_error_responses(acme: Deployment, key: str) -> None:
    statuses = set()
    for settings in (
        {"database_url": NOWHERE["database"]}, {"redis_url": NOWHERE["redis"]}, {"limit_key": 1},
    ):  # fmt: skip
        with acme.client(key, **settings) as client:
            for _ in range(2):
                statuses.add(check(client.get("/api/v1/knowledge")))
                statuses.add(check(client.post("/api/mcp", json=call("a"))))
            statuses.add(check(client.get("/readyz")))
    with acme.client(key, request_timeout_seconds=0.3) as client, locked(acme):
        statuses.add(check(client.get("/api/v1/knowledge")))
    assert statuses >= {429, 503, 504}


def test_internal_errors_have_security_headers_and_reveal_nothing(
    own_acme: Deployment, capfd: pytest.CaptureFixture[str]
) -> None:
    """[7.14]"""
    key = own_acme.issue_key(make.ACME, make.OWNER)
    # A value that no load stores and that the payload rejects, because it lacks likes.
    own_acme.execute("UPDATE x_mentions SET metrics = '{}'")
    with own_acme.client(key) as client:
        response = client.get("/api/v1/x/mentions")
        of_tools = [
            Endpoint(client, key, version).tool_error("list_x_mentions")
            for version in ("handshake", "modern")
        ]
    assert check(response) == 500
    for error in (response.json["error"], *of_tools):
        assert error == {
            "code": "internal_error",
            "message": "The request failed because of a bug in the service.",
        }
    assert response.json["requestId"] == response.headers["X-Request-Id"]
    logged = capfd.readouterr().err
    assert ("KeyError" in logged, "likes" in logged) == (True, False)


@pytest.mark.parametrize(
    ("base_url", "tls"),
    [("https://context.example", True), ("https://a.example/below", True), ("http://a.b", False)],
)
def test_hsts_is_sent_only_over_tls(acme: Deployment, key: str, base_url: str, tls: bool) -> None:
    with acme.client(key, base_url=base_url) as client:
        for path in ("/api/v1/context", "/api/v1/openapi.json", "/healthz", "/nothing"):
            check(client.get(path), tls=tls)
