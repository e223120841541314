"""Whoever looks for OAuth learns that a key is needed, in JSON or on a page."""

import pytest
from flask import Flask

PATHS = (
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
@pytest.mark.parametrize("path", PATHS)
def test_oauth_paths_refer_to_keys(acme_app: Flask, path: str, method: str) -> None:
    """[4.15.5]"""
    client = acme_app.test_client()
    for accept in ("", "*/*", "application/json", "application/json, text/html"):
        headers = {"Accept": accept} if accept else {}
        response = client.open(path, method=method, headers=headers)
        assert (response.status_code, response.mimetype) == (404, "application/json")
        message = response.json["error"]["message"]
        assert all(part in message for part in EXPLAINED)
        assert response.json["requestId"] == response.headers["X-Request-Id"]
    page = client.open(f"{path}?response_type=code", method=method, headers={"Accept": CHROMIUM})
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert page.headers["Cache-Control"] == "no-store"
    assert all(part in page.text for part in EXPLAINED)
    assert "Bearer &lt;API_KEY&gt;" in page.text
