"""The demo's output: commands to paste into another shell, with the key in a variable."""

from __future__ import annotations

from shlex import quote
from typing import NamedTuple

from orgctx.clients import VARIABLE
from orgctx.demo.kept import Kept
from orgctx.openapi import examples
from orgctx.resources.catalog import OPERATIONS

BEARER = f'-H "Authorization: Bearer ${VARIABLE}"'
# How many requests the greeting shows, the shortest first.
SHOWN = 3


class Line(NamedTuple):
    """A request. path: including its query."""

    title: str
    path: str


def rest_lines() -> list[Line]:
    """The example of every operation that has one."""
    return [
        Line(operation.title, "/api/v1" + examples.request_path(operation, example["parameters"]))
        for operation in OPERATIONS
        if (example := examples.find(operation))
    ]


def curl(url: str) -> str:
    """A curl command for a GET request."""
    return f"curl -sS -w '\\n' '{url}' {BEARER}"


def mcp_curl(base_url: str) -> str:
    """A curl command that lists the MCP tools of the key."""
    headers = ("Content-Type: application/json", "Accept: application/json, text/event-stream")
    given = " ".join(f"-H '{header}'" for header in headers)
    body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    return f"{curl(f'{base_url}/api/mcp')} {given} -d '{body}'"


def mcp_claude(base_url: str) -> str:
    """The command that connects Claude Code."""
    header = BEARER.replace("-H", "--header")
    return f"claude mcp add --transport http orgctx {base_url}/api/mcp {header}"


def greeting(kept: Kept) -> str:
    """One screen: the address of the page, the key, a few requests, a command for an agent."""
    shortest = sorted(rest_lines(), key=lambda line: len(line.path))[:SHOWN]
    requests = "\n".join(curl(kept.base_url + line.path) for line in shortest)
    return f"""\
Harbor Lights Cooperative answers until Ctrl-C.

  The page   {kept.base_url}/

  In another shell:

export {VARIABLE}={kept.key}
{requests}
{mcp_claude(kept.base_url)}

  A request for every operation: orgctx demo --lines
  Other clients: orgctx connect --help"""


def every_line(kept: Kept) -> str:
    """A request for every operation, and two commands for MCP."""
    blocks = [
        f"export {VARIABLE}={kept.key}",
        *(f"# {line.title}\n{curl(kept.base_url + line.path)}" for line in rest_lines()),
        f"# MCP: the tools of this key\n{mcp_curl(kept.base_url)}",
        f"# MCP: connect Claude Code\n{mcp_claude(kept.base_url)}",
    ]
    if kept.environment:
        exports = " ".join(f"{name}={quote(value)}" for name, value in kept.environment.items())
        blocks.append(f"# For orgctx commands, such as `orgctx sources list`\nexport {exports}")
    return "\n\n".join(blocks)
