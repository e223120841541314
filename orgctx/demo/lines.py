"""What the demo prints: lines to paste into another shell, and what they answer."""

from __future__ import annotations

from typing import NamedTuple

from orgctx.catalog import OPERATIONS
from orgctx.openapi import examples


class Line(NamedTuple):
    """A request. path: with its query."""

    title: str
    path: str


def rest_lines() -> list[Line]:
    """The example of every operation."""
    return [
        Line(one.title, f"/api/v1{examples.path_of(one, examples.of(one)['asked'])}")
        for one in OPERATIONS
    ]


def curl(url: str, key: str) -> str:
    """A GET, ready to paste."""
    return f"curl -sS -w '\\n' '{url}' -H 'Authorization: Bearer {key}'"


def mcp_curl(base_url: str, key: str) -> str:
    """The MCP tools of the key, ready to paste."""
    headers = ("Content-Type: application/json", "Accept: application/json, text/event-stream")
    given = " ".join(f"-H '{header}'" for header in headers)
    body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    return f"{curl(f'{base_url}/api/mcp', key)} {given} -d '{body}'"


def mcp_claude(base_url: str, key: str) -> str:
    """How Claude Code connects."""
    url = f"{base_url}/api/mcp"
    return f"claude mcp add --transport http orgctx {url} --header 'Authorization: Bearer {key}'"


def greeting(base_url: str, key: str, requests: list[Line]) -> str:
    """All that is printed once the server answers."""
    blocks = [
        f"Harbor Lights Cooperative answers on {base_url}; Ctrl-C ends all of it.\n"
        f"The key is new with each start: {key}",
        *(f"# {line.title}\n{curl(base_url + line.path, key)}" for line in requests),
        f"# MCP: the tools of this key\n{mcp_curl(base_url, key)}",
        f"# MCP: connect Claude Code; `orgctx connect` knows other clients\n"
        f"{mcp_claude(base_url, key)}",
    ]
    return "\n\n".join(blocks)
