"""HTTP checks before a message is read, and their order."""

from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.mcp.endpoint import PATH, Endpoint, request

PING = request("ping")
LIMITS = {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"}


def error_of(response: TestResponse) -> dict[str, Any]:
    """The JSON-RPC error of a response, whose code is the HTTP status."""
    document = response.json
    assert document is not None
    assert document.keys() == {"jsonrpc", "id", "error"}
    assert (document["jsonrpc"], document["id"]) == ("2.0", None)
    error: dict[str, Any] = document["error"]
    assert error.keys() == {"code", "message", "data"}
    assert error["code"] == response.status_code
    assert error["data"].keys() == {"code", "requestId"}
    assert error["data"]["requestId"] == response.headers["X-Request-Id"]
    assert response.headers["Cache-Control"] == "no-store"
    return error


@pytest.mark.parametrize("path", [PATH, PATH + "/"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "FOO"])
def test_method_is_checked_first(acme_app: Flask, path: str, method: str) -> None:
    """[4.15.1] [4.15.22]"""
    headers = {"Origin": "https://evil.example"}
    response = acme_app.test_client().open(path, method=method, headers=headers)
    assert (response.status_code, response.headers["Allow"]) == (405, "POST")
    assert not LIMITS & set(response.headers.keys())
    if method != "HEAD":
        assert error_of(response)["data"]["code"] == "method_not_allowed"


def test_endpoint_has_two_paths(handshake: Endpoint) -> None:
    """[4.15.1]"""
    for path in (PATH, PATH + "/"):
        response = handshake.post(PING, path)
        assert (response.status_code, response.json["result"]) == (200, {})
        assert response.headers["Cache-Control"] == "no-store"
    assert handshake.post(PING, PATH + "/x").status_code == 404


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/json-rpc", "text/json"])
def test_content_type_must_be_json(handshake: Endpoint, content_type: str) -> None:
    """[4.15.3]"""
    response = handshake.post(PING, Content_Type=content_type)
    assert error_of(response)["data"]["code"] == "unsupported_media_type"
    assert response.status_code == 415
    assert set(response.headers.keys()) >= LIMITS


def test_body_is_json_that_is_not_compressed(handshake: Endpoint) -> None:
    for coding, status in (("gzip", 415), ("br, gzip", 415), ("identity", 200)):
        assert handshake.post(PING, Content_Encoding=coding).status_code == status
    assert handshake.post(PING, Content_Type="application/json; charset=utf-8").status_code == 200


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("application/json, text/event-stream", 200),
        ("application/json", 200),
        ("application/*", 200),
        ("*/*", 200),
        ("", 200),
        ("text/event-stream", 406),
        ("text/html", 406),
        ("application/json;q=0, text/event-stream", 406),
    ],
)
def test_accept_must_admit_json(handshake: Endpoint, accept: str, status: int) -> None:
    """[4.15.3]"""
    response = handshake.post(PING, Accept=accept)
    assert response.status_code == status
    if status == 406:
        assert error_of(response)["data"]["code"] == "not_acceptable"
        assert set(response.headers.keys()) >= LIMITS


def test_body_has_at_most_1_mib(handshake: Endpoint) -> None:
    padding = 1024 * 1024 - len('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    body = '{"jsonrpc":"2.0","id":1,"method":"ping"' + " " * padding + "}"
    assert handshake.post_raw(body).status_code == 200
    response = handshake.post_raw(body + " ")
    assert error_of(response)["data"]["code"] == "body_not_accepted"
    assert response.status_code == 413
    assert response.headers["Connection"] == "close"
    assert not LIMITS & set(response.headers.keys())


def test_key_is_checked_before_media_types(handshake: Endpoint) -> None:
    """[4.15.22]"""
    response = handshake.post_raw("x", Authorization="", Content_Type="text/plain", Accept="x/y")
    error = error_of(response)
    assert response.status_code == 401
    assert error["data"]["code"] == "unauthorized"
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="orgctx"'
    assert "resource_metadata" not in response.headers["WWW-Authenticate"]
    assert not LIMITS & set(response.headers.keys())


def test_checks_run_in_order(handshake: Endpoint) -> None:
    """[4.15.22]"""
    big = b"[" * (1024 * 1024 + 1)
    wrong = {"Content_Type": "text/plain", "Accept": "text/html"}
    assert handshake.post_raw(big, **wrong).status_code == 415
    assert handshake.post_raw(big, Accept="text/html").status_code == 406
    assert handshake.post_raw(big).status_code == 413
    assert handshake.post_raw(b"[").status_code == 400


def test_sessions_are_ignored(handshake: Endpoint) -> None:
    response = handshake.post(
        request("initialize", {"protocolVersion": "2025-11-25"}),
        Mcp_Session_Id="x",
        Last_Event_ID="7",
    )
    assert response.status_code == 200
    assert "Mcp-Session-Id" not in response.headers
    assert response.mimetype == "application/json"


# Whoever looks for OAuth learns that a key is needed.

OAUTH_PATHS = (
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/api/mcp",
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
    "/api/mcp/.well-known/openid-configuration",
    "/authorize",
    "/token",
    "/register",
)
EXPLAINED = ("Authorization: Bearer", "owner or admin", "keys issue", "the desk")
CHROMIUM = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
@pytest.mark.parametrize("path", OAUTH_PATHS)
def test_oauth_paths_refer_to_keys(acme_app: Flask, path: str, method: str) -> None:
    """[4.15.5]"""
    client = acme_app.test_client()
    for accept in ("", "*/*", "application/json", CHROMIUM):
        headers = {"Accept": accept} if accept else {}
        response = client.open(path, method=method, headers=headers)
        assert (response.status_code, response.mimetype) == (404, "application/json")
        message = response.json["error"]["message"]
        assert all(part in message for part in EXPLAINED)
        assert response.json["requestId"] == response.headers["X-Request-Id"]
