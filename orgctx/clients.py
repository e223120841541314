"""What each client needs to reach this service: the command and the page say the same.

Never a key: a place for one.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

NAME = "orgctx"
VARIABLE = "ORGCTX_API_KEY"
SET_VARIABLE = f"set {VARIABLE} to the API key"


class Client(NamedTuple):
    """title: as people call it. place: what to do with its configuration."""

    title: str
    place: str


CLIENTS = {
    "claude": Client("Claude Code", f"Save as .mcp.json in the project; {SET_VARIABLE}."),
    "cursor": Client("Cursor", f"Save as .cursor/mcp.json or ~/.cursor/mcp.json; {SET_VARIABLE}."),
    "vscode": Client("VS Code", "Save as .vscode/mcp.json; VS Code asks for the API key once."),
    "codex": Client("Codex", f"Append to ~/.codex/config.toml; {SET_VARIABLE}."),
    "curl": Client("curl", f"Run in a shell; {SET_VARIABLE}."),
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


def configuration(client: str, base_url: str) -> str:
    """The text of a client's configuration. client: one of CLIENTS."""
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
