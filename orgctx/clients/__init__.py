"""Configurations of clients, for `orgctx connect` and the page.

A client is an entry of CLIENTS and a file of snippets/. The file is complete, so that people can
paste it. It addresses the service at EXAMPLE and contains a placeholder instead of a key.
"""

import json
import re
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import PurePath
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

SERVER = "orgctx"


def _cursor_link(document: dict[str, Any]) -> str:
    """Return a link for Cursor, which reads a server in base64."""
    config = b64encode(_compact(document["mcpServers"][SERVER]).encode()).decode()
    query = urlencode({"name": SERVER, "config": config})
    return f"cursor://anysphere.cursor-deeplink/mcp/install?{query}"


def _vscode_link(document: dict[str, Any]) -> str:
    """Return a link for VS Code, which reads a server with its name and inputs."""
    server = {"name": SERVER, **document["servers"][SERVER], "inputs": document["inputs"]}
    return f"vscode:mcp/install?{quote(_compact(server), safe='')}"


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


VARIABLE = "ORGCTX_API_KEY"
PLACEHOLDER = "PASTE_THE_API_KEY"
EXAMPLE = "https://orgctx.example"
# These characters need no escaping in JSON, TOML, Python, TypeScript or a shell.
BASE_URL = re.compile(r"https?://[A-Za-z0-9._~:/%\[\]-]+")
SET_VARIABLE = f"set {VARIABLE} to the API key"
# The path in the configurations for each interface.
PATHS = {"api": "/api/v1", "mcp": "/api/mcp"}
REPLACE = f"replace {PLACEHOLDER} with the API key"


class Client(NamedTuple):
    title: str
    place: str  # where the configuration goes
    then: str  # what remains when it is there
    snippet: str  # a file of snippets/
    # The file that the client reads, if any. `~` is the home directory, and `{applications}` the
    # directory for settings of programs.
    target: str = ""
    # Makes a link that installs the configuration, which is JSON.
    link: Callable[[Any], str] | None = None
    has_bundle: bool = False

    @property
    def format(self) -> str:
        """json, toml, sh, py or ts."""
        return PurePath(self.snippet).suffix[1:]

    @property
    def instruction(self) -> str:
        """What to do with the configuration."""
        return f"{self.place}; {self.then}."

    @property
    def written_instruction(self) -> str:
        """What to do when the configuration is in the client's file."""
        return f"{self.then[0].upper()}{self.then[1:]}."


CLIENTS = {
    "claude": Client(
        "Claude Code",
        "Save as .mcp.json in the project",
        SET_VARIABLE,
        "claude.json",
        ".mcp.json",
    ),
    "claude-desktop": Client(
        "Claude Desktop",
        "Add to claude_desktop_config.json (Settings, Developer, Edit Config)",
        f"{REPLACE}. It needs Node, for mcp-remote, and a restart of Claude",
        "claude-desktop.json",
        "{applications}/Claude/claude_desktop_config.json",
        has_bundle=True,
    ),
    "cursor": Client(
        "Cursor",
        "Save as .cursor/mcp.json or ~/.cursor/mcp.json",
        SET_VARIABLE,
        "cursor.json",
        ".cursor/mcp.json",
        link=_cursor_link,
    ),
    "vscode": Client(
        "VS Code",
        "Save as .vscode/mcp.json",
        "VS Code asks for the API key once",
        "vscode.json",
        ".vscode/mcp.json",
        link=_vscode_link,
    ),
    "codex": Client(
        "Codex",
        "Append to ~/.codex/config.toml",
        SET_VARIABLE,
        "codex.toml",
        "~/.codex/config.toml",
    ),
    "gemini": Client(
        "Gemini CLI",
        "Add to .gemini/settings.json or ~/.gemini/settings.json",
        SET_VARIABLE,
        "gemini.json",
        ".gemini/settings.json",
    ),
    "windsurf": Client(
        "Windsurf",
        "Add to ~/.codeium/windsurf/mcp_config.json",
        SET_VARIABLE,
        "windsurf.json",
        "~/.codeium/windsurf/mcp_config.json",
    ),
    "zed": Client(
        "Zed",
        "Add to ~/.config/zed/settings.json",
        REPLACE,
        "zed.json",
        "~/.config/zed/settings.json",
    ),
    "openai-agents": Client(
        "OpenAI Agents SDK",
        "pip install openai-agents",
        SET_VARIABLE,
        "openai-agents.py",
    ),
    "langchain": Client(
        "LangChain",
        "pip install langchain-mcp-adapters",
        SET_VARIABLE,
        "langchain.py",
    ),
    "pydantic-ai": Client(
        "Pydantic AI",
        'pip install "pydantic-ai-slim[mcp]"',
        SET_VARIABLE,
        "pydantic-ai.py",
    ),
    "inspector": Client(
        "MCP Inspector",
        "Run in a shell",
        f"{SET_VARIABLE}. It needs Node 22.19 or newer",
        "inspector.sh",
    ),
    "curl": Client("curl", "Run in a shell", SET_VARIABLE, "curl.sh"),
    "httpx": Client("Python (httpx)", "pip install httpx", SET_VARIABLE, "httpx.py"),
    "typescript": Client(
        "TypeScript",
        "npm install @modelcontextprotocol/client",
        SET_VARIABLE,
        "typescript.ts",
    ),
}


def configuration(client: str, base_url: str) -> str:
    """Return a configuration. client: a key of CLIENTS. base_url: matches BASE_URL."""
    return _snippet(CLIENTS[client].snippet).replace(EXAMPLE, base_url)


def works_with(client: str, access: str) -> bool:
    """Return whether a client can use a key. access: of the key, api, mcp or both."""
    return access not in PATHS or PATHS[access] in _snippet(CLIENTS[client].snippet)


def install_link(client: str, base_url: str) -> str | None:
    """Return a link that installs the configuration; None if the client opens no such links."""
    link = CLIENTS[client].link
    return link(json.loads(configuration(client, base_url))) if link else None


@cache
def _snippet(name: str) -> str:
    return files(__package__).joinpath("snippets", name).read_text("utf-8")
