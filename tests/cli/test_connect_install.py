"""orgctx connect --link and --bundle install the service in a client, without a key."""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64decode
from importlib.resources import files
from io import BytesIO
from urllib.parse import parse_qs, unquote, urlsplit
from zipfile import ZipFile

import pytest

from orgctx import __version__, clients, keys
from orgctx.clients import CLIENTS, configuration
from orgctx.clients.bundle import PROGRAM, build
from tests.cli.terminal import Terminal

BASE_URL = "https://context.example.com"


def link(terminal: Terminal, client: str) -> str:
    arguments = ("connect", client, "--base-url", BASE_URL, "--link")
    text = terminal.run(*arguments, ORGCTX_API_KEY=(key := keys.generate())).stdout.strip()
    assert text == terminal.run(*arguments, "--json").json()["link"]
    assert key not in text
    return text


def test_link_for_cursor_contains_the_server(terminal: Terminal) -> None:
    parts = urlsplit(link(terminal, "cursor"))
    assert (parts.scheme, parts.netloc, parts.path) == (
        "cursor", "anysphere.cursor-deeplink", "/mcp/install",
    )  # fmt: skip
    query = parse_qs(parts.query, strict_parsing=True)
    assert query["name"] == ["orgctx"]
    server = json.loads(b64decode(query["config"][0], validate=True))
    assert server == json.loads(configuration("cursor", BASE_URL))["mcpServers"]["orgctx"]
    assert server["headers"] == {"Authorization": "Bearer ${env:ORGCTX_API_KEY}"}


def test_link_for_vscode_contains_server_and_input(terminal: Terminal) -> None:
    scheme, query = link(terminal, "vscode").split("?")
    assert scheme == "vscode:mcp/install"
    server = json.loads(unquote(query))
    document = json.loads(configuration("vscode", BASE_URL))
    assert server.pop("name") == "orgctx"
    assert server.pop("inputs") == document["inputs"]
    assert server == document["servers"]["orgctx"]
    assert document["inputs"][0]["password"] is True


@pytest.mark.parametrize("option", [["--link"], ["--bundle", "orgctx.mcpb"]])
def test_clients_without_links_or_bundles_are_told(terminal: Terminal, option: list[str]) -> None:
    message = terminal.run("connect", "curl", *option, exit_code=1).stderr
    assert "Clients that do: " in message
    named = message.rpartition(": ")[2].strip().removesuffix(".").split(", ")
    assert set(named) < set(CLIENTS)
    assert not (terminal.folder / "orgctx.mcpb").exists()


def test_bundle_asks_for_the_key(terminal: Terminal) -> None:
    arguments = ("connect", "claude-desktop", "--base-url", BASE_URL, "--bundle", "orgctx.mcpb")
    result = terminal.run(*arguments, ORGCTX_API_KEY=(key := keys.generate()))
    assert "Wrote orgctx.mcpb." in result.stderr
    assert not result.stdout
    content = (terminal.folder / "orgctx.mcpb").read_bytes()
    assert content == build(BASE_URL)
    assert key.encode() not in content
    with ZipFile(BytesIO(content)) as archive:
        assert archive.namelist() == ["manifest.json", PROGRAM]
        assert key.encode() not in archive.read(PROGRAM)
        manifest = json.loads(archive.read("manifest.json"))
    assert manifest["version"] == __version__
    server = manifest["server"]["mcp_config"]
    assert server["args"] == [f"${{__dirname}}/{manifest['server']['entry_point']}"]
    assert server["env"] == {
        "ORGCTX_URL": f"{BASE_URL}/api/mcp",
        "ORGCTX_API_KEY": "${user_config.api_key}",
    }
    assert manifest["user_config"]["api_key"]["sensitive"] is True


def test_client_without_bundles_or_links_is_rejected_before_anything_is_written(
    terminal: Terminal,
) -> None:
    for client, option in (("cursor", ("--bundle", "orgctx.mcpb")), ("claude", ("--link",))):
        arguments = ("connect", client, "--base-url", BASE_URL, "--write", *option)
        terminal.run(*arguments, exit_code=1)
    assert not [path for path in terminal.folder.iterdir() if path.name in (".cursor", ".mcp.json")]


def test_bundle_reports_an_unusable_path(terminal: Terminal) -> None:
    arguments = ("connect", "claude-desktop", "--bundle", "missing/orgctx.mcpb")
    message = terminal.run(*arguments, exit_code=1).stderr
    assert "missing/orgctx.mcpb" in message
    assert "Traceback" not in message


@pytest.mark.system
def test_program_of_the_bundle_survives_lines_that_are_no_objects() -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("needs Node")
    program = files(clients).joinpath("bridge.mjs")
    lines = b'null\n[]\nno JSON\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n'
    variables = {"ORGCTX_URL": "http://127.0.0.1:1/api/mcp", "ORGCTX_API_KEY": "octx_"}
    result = subprocess.run([node, str(program)], input=lines, capture_output=True, env=variables)
    assert (result.returncode, result.stderr) == (0, b"")
    (answer,) = map(json.loads, result.stdout.splitlines())
    assert answer["id"] == 7
    assert answer["error"]["code"] == -32000
