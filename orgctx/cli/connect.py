"""orgctx connect: what a client needs to reach this service. Never a key: a place for one."""

from __future__ import annotations

import json
from typing import Any

import click

from orgctx.cli.output import json_option, print_json, say

NAME = "orgctx"
VARIABLE = "ORGCTX_API_KEY"
SET_VARIABLE = f"set {VARIABLE} to the API key"

# What to do with each configuration.
PLACES = {
    "claude": f"Save as .mcp.json in the project; {SET_VARIABLE}.",
    "cursor": f"Save as .cursor/mcp.json or ~/.cursor/mcp.json; {SET_VARIABLE}.",
    "vscode": "Save as .vscode/mcp.json; VS Code asks for the API key once.",
    "codex": f"Append to ~/.codex/config.toml; {SET_VARIABLE}.",
    "curl": f"Run in a shell; {SET_VARIABLE}.",
}

CODEX = """\
[mcp_servers.{name}]
url = {url}
bearer_token_env_var = "{variable}"
"""

CURL = """\
# REST: what the key may read
curl -sS "{base_url}/api/v1/context" -H "Authorization: Bearer ${variable}"

# MCP: the tools
curl -sS "{base_url}/api/mcp" -H "Authorization: Bearer ${variable}" \\
  -H "Content-Type: application/json" -H "Accept: application/json, text/event-stream" \\
  -d '{{"jsonrpc":"2.0","id":1,"method":"tools/list"}}'
"""


@click.command(epilog="Example: orgctx connect claude --base-url https://context.example.com")
@click.argument("client", type=click.Choice(list(PLACES)))
@click.option("--base-url", metavar="URL", help="Of the service; else ORGCTX_BASE_URL.")
@json_option
def connect(client: str, base_url: str | None, as_json: bool) -> None:
    """Print how a client connects, without the key."""
    if base_url is None:
        from orgctx.config import Config

        base_url = Config.from_environment().base_url
    text = configuration(client, base_url.rstrip("/"))
    if as_json:
        print_json({"client": client, "place": PLACES[client], "configuration": text})
    else:
        say(PLACES[client])
        click.echo(text, nl=False)


def configuration(client: str, base_url: str) -> str:
    """The text of a client's configuration. client: one of PLACES."""
    url = f"{base_url}/api/mcp"
    if client == "curl":
        return CURL.format(base_url=base_url, variable=VARIABLE)
    if client == "codex":
        return CODEX.format(name=NAME, url=json.dumps(url), variable=VARIABLE)
    document: dict[str, Any]
    if client == "vscode":
        key = {"type": "promptString", "id": "api-key", "description": "API key", "password": True}
        server = _server(url, "${input:api-key}", type="http")
        document = {"inputs": [key], "servers": {NAME: server}}
    elif client == "cursor":
        document = {"mcpServers": {NAME: _server(url, f"${{env:{VARIABLE}}}")}}
    else:
        document = {"mcpServers": {NAME: _server(url, f"${{{VARIABLE}}}", type="http")}}
    return json.dumps(document, indent=2) + "\n"


def _server(url: str, key: str, **members: str) -> dict[str, Any]:
    return {**members, "url": url, "headers": {"Authorization": f"Bearer {key}"}}
