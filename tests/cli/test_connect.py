"""orgctx connect: configurations that their clients can parse, with a place for the key."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from orgctx import keys
from orgctx.clients import CLIENTS, PLACEHOLDER, VARIABLE, configuration
from orgctx.demo import state
from tests.cli.terminal import Terminal

BASE_URL = "https://context.example.com"
URL = f"{BASE_URL}/api/mcp"


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


@pytest.mark.parametrize("client", CLIENTS)
def test_each_client_has_an_address_and_a_place_for_the_key(
    terminal: Terminal, client: str
) -> None:
    text = terminal.run("connect", client, "--base-url", f"{BASE_URL}/").stdout
    assert text == configuration(client, BASE_URL)
    assert BASE_URL in text
    assert "orgctx.example" not in text
    assert VARIABLE in text or PLACEHOLDER in text or "${input:" in text
    if CLIENTS[client].format == "json":
        assert json.dumps(json.loads(text), indent=2) + "\n" == text
    if CLIENTS[client].format == "toml":
        assert tomllib.loads(text)["mcp_servers"]["orgctx"]["url"] == URL
    if CLIENTS[client].format == "py":
        compile(text, client, "exec")


@pytest.mark.parametrize(
    ("client", "root", "member", "key"),
    [
        ("claude", "mcpServers", "url", "${ORGCTX_API_KEY}"),
        ("cursor", "mcpServers", "url", "${env:ORGCTX_API_KEY}"),
        ("gemini", "mcpServers", "httpUrl", "${ORGCTX_API_KEY}"),
        ("vscode", "servers", "url", "${input:orgctx-api-key}"),
        ("windsurf", "mcpServers", "serverUrl", "${env:ORGCTX_API_KEY}"),
        ("zed", "context_servers", "url", PLACEHOLDER),
    ],
)
def test_json_clients(client: str, root: str, member: str, key: str) -> None:
    server = json.loads(configuration(client, BASE_URL))[root]["orgctx"]
    assert server[member] == URL
    assert server["headers"] == {"Authorization": f"Bearer {key}"}


def test_curl() -> None:
    words = shlex.split(configuration("curl", BASE_URL), comments=True)
    assert words.count("curl") == 2
    assert words.count("Authorization: Bearer $ORGCTX_API_KEY") == 2
    assert f"{BASE_URL}/api/v1/context" in words
    assert URL in words


def address(terminal: Terminal, *options: str, **environment: Any) -> str:
    text = terminal.run("connect", "codex", *options, **environment).stdout
    url: str = tomllib.loads(text)["mcp_servers"]["orgctx"]["url"]
    return url


def test_where_the_address_comes_from(terminal: Terminal) -> None:
    assert address(terminal) == "http://127.0.0.1:8000/api/mcp"
    folder = terminal.folder / ".orgctx"
    folder.mkdir()
    state.write(folder, state.State("http://127.0.0.1:8123", "id", keys.generate(), {}))
    assert address(terminal) == "http://127.0.0.1:8123/api/mcp"
    terminal.write(".env", "ORGCTX_BASE_URL=http://file:1/\n")
    assert address(terminal) == "http://file:1/api/mcp"
    assert address(terminal, ORGCTX_BASE_URL="http://set:1") == "http://set:1/api/mcp"
    given = address(terminal, "--base-url", "http://[::1]:9/x/", ORGCTX_BASE_URL="http://set:1")
    assert given == "http://[::1]:9/x/api/mcp"


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
def test_a_demo_that_came_with_the_folder_is_not_followed(
    terminal: Terminal, members: dict[str, object], mode: int
) -> None:
    own = state.State("http://127.0.0.1:8123", "id", keys.generate(), {"ORGCTX_REDIS_URL": "x"})
    path = terminal.write(".orgctx/demo.json", json.dumps(own._asdict() | members), mode)
    assert state.read(path.parent) is None
    assert address(terminal) == "http://127.0.0.1:8000/api/mcp"
    path.write_text(json.dumps(own._asdict()))
    path.chmod(0o600)
    assert state.read(path.parent) == own


@pytest.mark.parametrize(
    "url", ["context.example.com", "ftp://a", 'https://a"; rm', "https://a$HOME", "https://a\\b"]
)
def test_what_is_no_address(terminal: Terminal, url: str) -> None:
    result = terminal.run("connect", "curl", "--base-url", url, exit_code=1)
    assert "is no base URL" in result.stderr
    assert not result.stdout


def test_as_json(terminal: Terminal) -> None:
    answer = terminal.run("connect", "codex", "--base-url", "http://other:1/", "--json").json()
    assert answer["client"] == "codex"
    assert 'url = "http://other:1/api/mcp"' in answer["configuration"]


def test_an_unknown_client(terminal: Terminal) -> None:
    assert "'netscape'" in terminal.run("connect", "netscape", exit_code=2).stderr


def test_the_help_names_every_client(terminal: Terminal) -> None:
    words = terminal.run("connect", "--help").stdout.replace(",", " ").replace(".", " ").split()
    assert set(CLIENTS) <= set(words)
