"""Configurations of clients, for `orgctx connect`, the desk and the page.

A client is an entry of CLIENTS and a file of snippets/. The file is complete, so that people can
paste it. It addresses the service at EXAMPLE and contains a placeholder instead of a key.
"""

import re
from functools import cache
from importlib.resources import files
from pathlib import PurePath
from typing import NamedTuple

VARIABLE = "ORGCTX_API_KEY"
PLACEHOLDER = "PASTE_THE_API_KEY"
EXAMPLE = "https://orgctx.example"
# These characters need no escaping in JSON, TOML, Python, TypeScript or a shell.
BASE_URL = re.compile(r"https?://[A-Za-z0-9._~:/%\[\]-]+")
# The path in the configurations for each interface.
PATHS = {"api": "/api/v1", "mcp": "/api/mcp"}


class Client(NamedTuple):
    title: str
    snippet: str  # a file of snippets/, whose suffix is its format
    place: str  # where the configuration goes
    note: str = ""  # what else remains to do

    @property
    def format(self) -> str:
        """json, toml, sh, py or ts."""
        return PurePath(self.snippet).suffix[1:]

    @property
    def instruction(self) -> str:
        """What to do with the configuration."""
        text = _snippet(self.snippet)
        key = f"; set {VARIABLE} to the API key" if VARIABLE in text else ""
        if PLACEHOLDER in text:  # the client expands no variable
            key = f"; replace {PLACEHOLDER} with the API key"
        return f"{self.place}{key}. {self.note}".strip()


CLIENTS = {
    "claude": Client("Claude Code", "claude.json", "Save as .mcp.json in the project"),
    "claude-desktop": Client(
        "Claude Desktop",
        "claude-desktop.json",
        "Add to claude_desktop_config.json (Settings, Developer, Edit Config)",
        "It needs Node, for mcp-remote, and a restart of Claude.",
    ),
    "cursor": Client("Cursor", "cursor.json", "Save as .cursor/mcp.json or ~/.cursor/mcp.json"),
    "vscode": Client(
        "VS Code", "vscode.json", "Save as .vscode/mcp.json", "VS Code asks for the key once."
    ),
    "codex": Client("Codex", "codex.toml", "Append to ~/.codex/config.toml"),
    "gemini": Client(
        "Gemini CLI", "gemini.json", "Add to .gemini/settings.json or ~/.gemini/settings.json"
    ),
    "windsurf": Client("Windsurf", "windsurf.json", "Add to ~/.codeium/windsurf/mcp_config.json"),
    "zed": Client("Zed", "zed.json", "Add to ~/.config/zed/settings.json"),
    "openai-agents": Client("OpenAI Agents SDK", "openai-agents.py", "pip install openai-agents"),
    "langchain": Client("LangChain", "langchain.py", "pip install langchain-mcp-adapters"),
    "pydantic-ai": Client("Pydantic AI", "pydantic-ai.py", 'pip install "pydantic-ai-slim[mcp]"'),
    "inspector": Client(
        "MCP Inspector", "inspector.sh", "Run in a shell", "It needs Node 22.19 or newer."
    ),
    "curl": Client("curl", "curl.sh", "Run in a shell"),
    "httpx": Client("Python (httpx)", "httpx.py", "pip install httpx"),
    "typescript": Client("TypeScript", "typescript.ts", "npm install @modelcontextprotocol/client"),
}


def configuration(client: str, base_url: str) -> str:
    """Return a configuration. client: a key of CLIENTS. base_url: matches BASE_URL."""
    return _snippet(CLIENTS[client].snippet).replace(EXAMPLE, base_url)


def works_with(client: str, access: str) -> bool:
    """Return whether a client can use a key. access: of the key, api, mcp or both."""
    return access not in PATHS or PATHS[access] in _snippet(CLIENTS[client].snippet)


@cache
def _snippet(name: str) -> str:
    return files(__package__).joinpath("snippets", name).read_text("utf-8")
