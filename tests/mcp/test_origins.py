"""Web pages of other origins: which may use the endpoint, and the headers that let them."""

from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.mcp.endpoint import PATH, Endpoint, connected
from tests.mcp.test_transport import LIMITS, PING, error_of
from tests.support.deployment import Deployment

DESK = "https://desk.example:8443"
SETTINGS: dict[str, Any] = {"base_url": "https://context.example", "mcp_allowed_origins": (DESK,)}


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://[::1", "", "http://127.0.0.1.evil.example",
     "http://localhost.evil.example", "ftp://localhost", "http://169.254.1.1",
     "http://[::2]:8000", "file://", "x" * 9000],
)  # fmt: skip
def test_origin_is_checked_before_the_key(handshake: Endpoint, origin: str) -> None:
    """[4.15.22]"""
    response = handshake.post(PING, Origin=origin, Authorization="")
    assert error_of(response)["data"]["code"] == "foreign_origin"
    assert response.status_code == 403
    assert not LIMITS & set(response.headers.keys())


LOOPBACK = (
    "http://127.0.0.1:8001", "http://localhost", "https://localhost:9", "http://[::1]:6274",
    "http://127.0.0.9:1", "http://LOCALHOST:8000",
)  # fmt: skip


@pytest.mark.parametrize(
    ("base_url", "status"),
    [
        *((url, 200) for url in ("", "http://127.0.0.1:8000", "http://localhost", "http://[::1]")),
        ("https://context.example", 403),
    ],
)
def test_loopback_origins_pass_on_loopback(
    acme: Deployment, key: str, base_url: str, status: int
) -> None:
    with connected(acme, key, base_url=base_url) as endpoint:
        for origin in LOOPBACK:
            assert endpoint.post(PING, Origin=origin).status_code == status, origin


def test_configured_origins_pass(acme: Deployment, key: str) -> None:
    with connected(acme, key, **SETTINGS) as endpoint:
        for origin in ("https://context.example", "https://CONTEXT.example:443", DESK):
            assert endpoint.post(PING, Origin=origin).status_code == 200
        for origin in ("http://context.example", "https://desk.example"):
            assert endpoint.post(PING, Origin=origin).status_code == 403


def cors(response: TestResponse) -> dict[str, str]:
    return {
        name.removeprefix("Access-Control-"): value
        for name, value in response.headers
        if name.startswith("Access-Control-")
    }


@pytest.mark.parametrize("path", [PATH, f"{PATH}/"])
def test_preflight_of_an_allowed_origin(acme: Deployment, path: str) -> None:
    """[4.15.29]"""
    with acme.client(**SETTINGS) as client:
        allowed = client.options(path, headers={"Origin": DESK})
        other = client.options(path, headers={"Origin": "https://desk.example"})
        bare = client.options(path)
    assert (allowed.status_code, allowed.data) == (204, b"")
    assert "Content-Type" not in allowed.headers
    assert not LIMITS & set(allowed.headers.keys())
    headers = cors(allowed)
    assert headers["Allow-Origin"] == DESK
    assert headers["Allow-Methods"] == "POST"
    assert int(headers["Max-Age"]) > 0
    names = {name.strip() for name in headers["Allow-Headers"].lower().split(",")}
    assert names >= {"authorization", "content-type", "mcp-protocol-version", "mcp-name"}
    for response in (other, bare):
        assert (response.status_code, response.headers["Allow"]) == (405, "POST")
        assert cors(response) == {}


def test_every_answer_to_an_allowed_origin_is_readable(acme: Deployment, key: str) -> None:
    """[4.15.29]"""
    with connected(acme, key, **SETTINGS) as endpoint:
        responses = [
            endpoint.post(PING, Origin=DESK),
            endpoint.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, Origin=DESK),
            endpoint.post_raw("{", Origin=DESK),
            endpoint.post(PING, Origin=DESK, Authorization=""),
            endpoint.post(PING, Origin=DESK, Content_Type="text/plain"),
            endpoint.client.get(PATH, headers={"Origin": DESK}),
        ]
        others = [
            endpoint.post(PING, Origin="https://evil.example"),
            endpoint.post(PING),
            endpoint.client.get("/api/v1/context", headers={"Origin": DESK}),
        ]
    assert [response.status_code for response in responses] == [200, 202, 400, 401, 415, 405]
    for response in responses:
        assert cors(response)["Allow-Origin"] == DESK
        assert response.headers["Vary"] == "Origin"
        exposed = {name.strip() for name in cors(response)["Expose-Headers"].split(",")}
        assert exposed == {"Mcp-Session-Id", "WWW-Authenticate", "Retry-After", *LIMITS}
    assert [cors(response) for response in others] == [{}, {}, {}]


def test_openapi_document_allows_every_origin(acme_app: Flask) -> None:
    """[4.14.1]"""
    client = acme_app.test_client()
    for origin in ({}, {"Origin": "https://evil.example"}):
        response = client.get("/api/v1/openapi.json", headers=origin)
        assert cors(response) == {"Allow-Origin": "*"}
        origin["If-None-Match"] = response.headers["ETag"]
        response = client.get("/api/v1/openapi.json", headers=origin)
        assert (response.status_code, cors(response)) == (304, {"Allow-Origin": "*"})
