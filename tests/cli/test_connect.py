"""orgctx connect: configurations that their clients can parse, with a place for the key."""

from __future__ import annotations

import json
import shlex
import tomllib

import pytest

from tests.support.deployment import Deployment, Result

URL = "https://context.example.com/api/mcp"


@pytest.fixture
def connect() -> Deployment:
    """No server is needed."""
    return Deployment("postgresql://127.0.0.1:1/none", "redis://127.0.0.1:1")


def run(connect: Deployment, client: str) -> Result:
    result = connect.cli("connect", client, ORGCTX_BASE_URL="https://context.example.com/")
    assert result.exit_code == 0
    return result


@pytest.mark.parametrize(
    ("client", "root", "key"),
    [
        ("claude", "mcpServers", "${ORGCTX_API_KEY}"),
        ("cursor", "mcpServers", "${env:ORGCTX_API_KEY}"),
        ("vscode", "servers", "${input:api-key}"),
    ],
)
def test_json_clients(connect: Deployment, client: str, root: str, key: str) -> None:
    server = json.loads(run(connect, client).stdout)[root]["orgctx"]
    assert server["url"] == URL
    assert server["headers"] == {"Authorization": f"Bearer {key}"}


def test_codex(connect: Deployment) -> None:
    server = tomllib.loads(run(connect, "codex").stdout)["mcp_servers"]["orgctx"]
    assert server == {"url": URL, "bearer_token_env_var": "ORGCTX_API_KEY"}


def test_curl(connect: Deployment) -> None:
    words = shlex.split(run(connect, "curl").stdout, comments=True)
    assert words.count("curl") == 2
    assert words.count("Authorization: Bearer $ORGCTX_API_KEY") == 2
    assert "https://context.example.com/api/v1/context" in words
    assert URL in words


def test_as_json_and_for_another_service(connect: Deployment) -> None:
    answer = connect.cli("connect", "codex", "--base-url", "http://other:1/", "--json").json()
    assert answer["client"] == "codex"
    assert 'url = "http://other:1/api/mcp"' in answer["configuration"]


def test_an_unknown_client(connect: Deployment) -> None:
    assert connect.cli("connect", "netscape").exit_code == 2
