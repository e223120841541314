"""What the demo prints: lines to paste into another shell, and what they answer."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote


class Line(NamedTuple):
    """A request. shows: what is to be found in its answer."""

    title: str
    shows: str
    path: str


def rest_lines(almanac_id: str, chat_id: str) -> list[Line]:
    """One request for each resource. almanac_id: of the long document."""
    knowledge, chats = "/api/v1/knowledge", "/api/v1/telegram/chats"
    return [
        Line("What this key may read", "Harbor Lights Cooperative", "/api/v1/context"),
        Line("Search in all sources", "causeway", "/api/v1/search?q=causeway&limit=5"),
        Line("Documents and notes, 20 a page", "totalPages", f"{knowledge}?page=2"),
        Line(
            "A segment of a long document",
            "nextOffset",
            f"{knowledge}/{quote(almanac_id, safe='')}?offset=20000&limit=500",
        ),
        Line("Messages of a chat", "Two flashes", f"{chats}/{chat_id}/messages?q=flashes"),
        Line("People in chats and posts", "Mira Oduya", "/api/v1/people?q=mira"),
        Line("Files and folders", "Open evening 2026", "/api/v1/search?q=open%20evening&limit=3"),
        Line("Posts that mention them", "metrics", "/api/v1/x/mentions?page=3"),
        Line("A token, with invented numbers", "synthetic", "/api/v1/token"),
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
        *(f"# {line.title} ({line.shows})\n{curl(base_url + line.path, key)}" for line in requests),
        f"# MCP: the tools of this key (get_context)\n{mcp_curl(base_url, key)}",
        f"# MCP: connect Claude Code; `orgctx connect` knows other clients\n"
        f"{mcp_claude(base_url, key)}",
    ]
    return "\n\n".join(blocks)
