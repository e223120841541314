"""orgctx connect prints configurations that clients can parse, without a key."""

import json
import shlex
import tomllib
from socket import socket
from typing import Any

import pytest

from orgctx import key_format
from orgctx.clients import CLIENTS, PLACEHOLDER, VARIABLE, configuration
from orgctx.demo import state
from tests.cli.terminal import Terminal
from tests.support.deployment import Deployment

BASE_URL = "https://context.example.com"
URL = f"{BASE_URL}/api/mcp"
# By client with JSON: the members that hold its servers and the URL of one, and what names the key.
SERVERS = {
    "claude": ("mcpServers", "url", "${ORGCTX_API_KEY}"),
    "cursor": ("mcpServers", "url", "${env:ORGCTX_API_KEY}"),
    "gemini": ("mcpServers", "httpUrl", "${ORGCTX_API_KEY}"),
    "vscode": ("servers", "url", "${input:orgctx-api-key}"),
    "windsurf": ("mcpServers", "serverUrl", "${env:ORGCTX_API_KEY}"),
    "zed": ("context_servers", "url", PLACEHOLDER),
}


@pytest.mark.parametrize("client", CLIENTS)
def test_configuration_of_each_client_is_valid(terminal: Terminal, client: str) -> None:
    text = terminal.run("connect", client, "--base-url", f"{BASE_URL}/").stdout
    assert text == configuration(client, BASE_URL)
    assert BASE_URL in text
    assert "orgctx.example" not in text
    assert VARIABLE in text or PLACEHOLDER in text or "${input:" in text
    if CLIENTS[client].format == "json":
        assert json.dumps(json.loads(text), indent=2) + "\n" == text
    if client in SERVERS:
        root, member, key = SERVERS[client]
        server = json.loads(text)[root]["orgctx"]
        assert server[member] == URL
        assert server["headers"] == {"Authorization": f"Bearer {key}"}
    if CLIENTS[client].format == "toml":
        assert tomllib.loads(text)["mcp_servers"]["orgctx"]["url"] == URL
    if CLIENTS[client].format == "py":
        compile(text, client, "exec")


def test_curl_configuration_calls_rest_and_mcp() -> None:
    words = shlex.split(configuration("curl", BASE_URL), comments=True)
    assert words.count("Authorization: Bearer $ORGCTX_API_KEY") == words.count("curl") == 2
    assert {f"{BASE_URL}/api/v1/context", URL} <= {*words}


def read_url(terminal: Terminal, *options: str, **environment: Any) -> str:
    text = terminal.run("connect", "codex", *options, **environment).stdout
    url: str = tomllib.loads(text)["mcp_servers"]["orgctx"]["url"]
    return url


def test_base_url_comes_from_option_setting_demo_or_default(terminal: Terminal) -> None:
    assert read_url(terminal) == "http://127.0.0.1:8000/api/mcp"
    assert "Using the service at http://127.0.0.1:8000." in terminal.run("connect", "codex").stderr
    folder = terminal.folder / ".orgctx"
    folder.mkdir()
    own = {"ORGCTX_DATABASE_URL": "postgresql://demo/orgctx"}
    state.write(folder, state.State("http://127.0.0.1:8123", "id", key_format.generate(), own))
    assert read_url(terminal) == "http://127.0.0.1:8123/api/mcp"
    assert read_url(terminal, **own) == "http://127.0.0.1:8123/api/mcp"
    another = "postgresql://127.0.0.1/orgctx"
    assert read_url(terminal, ORGCTX_DATABASE_URL=another) == "http://127.0.0.1:8000/api/mcp"
    terminal.write(".env", "ORGCTX_BASE_URL=http://file:1/\n")
    assert read_url(terminal) == "http://file:1/api/mcp"
    assert read_url(terminal, ORGCTX_BASE_URL="http://set:1") == "http://set:1/api/mcp"
    assert "Using" not in terminal.run("connect", "codex", ORGCTX_BASE_URL="http://set:1").stderr
    options = ("--base-url", "http://[::1]:9/x/")
    assert (
        read_url(terminal, *options, ORGCTX_BASE_URL="http://set:1") == "http://[::1]:9/x/api/mcp"
    )


def test_commands_use_the_demo_that_runs_here(terminal: Terminal, acme: Deployment) -> None:
    folder = terminal.folder / state.DATA_DIR
    folder.mkdir()
    own = acme.settings
    listed = ("organizations", "list")
    with socket() as listener:
        listener.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        state.write(folder, state.State(address, "id", key_format.generate(), own))
        # Nothing listens yet.
        assert "Using the demo" not in terminal.run(*listed, exit_code=1).stderr
        listener.listen()
        result = terminal.run(*listed)
        assert "Using the demo of .orgctx." in result.stderr
        assert "acme" in result.stdout
        other = {"ORGCTX_ADMIN_DATABASE_URL": "postgresql://127.0.0.1:1/none"}
        assert "Using the demo" not in terminal.run(*listed, exit_code=1, **other).stderr


@pytest.mark.parametrize(
    ("members", "mode"),
    [
        ({}, 0o644),
        ({"base_url": "https://elsewhere.example"}, 0o600),
        ({"base_url": "http://127.0.0.1:1@elsewhere.example"}, 0o600),
        ({"base_url": 1}, 0o600),
        ({"key": "octx_; rm -r ~"}, 0o600),
        ({"environment": {"ORGCTX_A; rm -r ~": "x"}}, 0o600),
        ({"environment": ["x"]}, 0o600),
    ],
)
def test_base_url_ignores_a_foreign_demo_state(
    terminal: Terminal, members: dict[str, object], mode: int
) -> None:
    valid = state.State(
        "http://127.0.0.1:8123", "id", key_format.generate(), {"ORGCTX_REDIS_URL": "x"}
    )
    path = terminal.write(".orgctx/demo.json", json.dumps(valid._asdict() | members), mode)
    assert state.read(path.parent) is None
    assert read_url(terminal) == "http://127.0.0.1:8000/api/mcp"
    path.write_text(json.dumps(valid._asdict()))
    path.chmod(0o600)
    assert state.read(path.parent) == valid


INVALID, ADDED = "Invalid base URL", "which is added to it. Use https://a.example/x."


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("ftp://a", INVALID),
        ('https://a"; rm', INVALID),
        ("https://a$HOME", INVALID),
        ("https://a\\b", INVALID),
        ("localhost:8311", INVALID),
        *((f"https://a.example/x{end}", ADDED) for end in ("/api/mcp/", "/api/v1", "/api")),
    ],
)
def test_base_url_must_be_valid(terminal: Terminal, url: str, error: str) -> None:
    result = terminal.run("connect", "curl", "--base-url", url, exit_code=1)
    assert error in result.stderr
    assert not result.stdout
