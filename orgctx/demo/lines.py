"""Commands that the demo prints, to paste into another shell."""

import sys
from pathlib import Path
from shlex import join, quote
from typing import NamedTuple

from orgctx.clients import VARIABLE
from orgctx.demo.identities import OWNER_ID, SLUG
from orgctx.demo.state import DATA_DIR, State
from orgctx.openapi import examples
from orgctx.resources.catalog import OPERATIONS

BEARER = f'-H "Authorization: Bearer ${VARIABLE}"'
GREETING_REQUEST_COUNT = 3
OWNER = ("--organization", SLUG, "--for", str(OWNER_ID))


class Line(NamedTuple):
    """A request to an operation."""

    title: str
    path: str  # with the query


def rest_lines() -> list[Line]:
    """Return the example request of every operation that has one."""
    return [
        Line(operation.title, "/api/v1" + examples.request_path(operation, example["parameters"]))
        for operation in OPERATIONS
        if (example := examples.find(operation))
    ]


def curl(url: str) -> str:
    """Return the curl command of a GET request."""
    return f"curl -sS -w '\\n' '{url}' {BEARER}"


def mcp_curl(base_url: str) -> str:
    """Return the curl command that lists the MCP tools of the key."""
    headers = ("Content-Type: application/json", "Accept: application/json, text/event-stream")
    options = " ".join(f"-H '{header}'" for header in headers)
    body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    return f"{curl(f'{base_url}/api/mcp')} {options} -d '{body}'"


def mcp_claude(base_url: str) -> str:
    """Return the command that connects Claude Code.

    Its single quotes keep the key out of .mcp.json: Claude Code reads the variable at each start.
    """
    options = f"--scope project --header 'Authorization: Bearer ${{{VARIABLE}}}'"
    return f"claude mcp add --transport http orgctx {base_url}/api/mcp {options}"


def orgctx(*arguments: str) -> str:
    """Return a command of this installation that works in any directory and without its PATH."""
    program = Path(sys.executable).with_name("orgctx")
    command = [str(program)] if program.exists() else [sys.executable, "-m", "orgctx.cli"]
    return join([*command, *arguments])


def greeting(state: State, desk_link: str, data_dir: Path) -> str:
    """Return one screen: the page, the key, the first requests and a command for an agent.

    desk_link: signs the owner in to the desk, once.
    """
    is_default = data_dir.absolute() == DATA_DIR.absolute()
    where = "run here" if is_default else "get the variables that --lines prints"
    first = rest_lines()[:GREETING_REQUEST_COUNT]
    requests = "\n".join(curl(state.base_url + line.path) for line in first)
    return f"""\
Serving Harbor Lights Cooperative. Press Ctrl-C to stop.

  The page   {state.base_url}/#/explore
             It asks for the key that the export below names.
  The desk   {desk_link}
             The owner decides there. The link works once, for ten minutes.

  In another shell:

export {VARIABLE}={state.key}
{requests}
{mcp_claude(state.base_url)}

  A request for every operation, and other clients:

{orgctx("demo", "--lines", "--data-dir", str(data_dir.absolute()))}
{orgctx("connect", "curl", "--base-url", state.base_url)}
{orgctx("connect", "--help")}

  Commands that {where} use this demo, such as another link to the desk:

{orgctx("desk", "invite", *OWNER)}"""


def every_line(state: State) -> str:
    """Return a request for every operation, and two commands for MCP."""
    blocks = [
        f"export {VARIABLE}={state.key}",
        *(f"# {line.title}\n{curl(state.base_url + line.path)}" for line in rest_lines()),
        f"# MCP: the tools of this key\n{mcp_curl(state.base_url)}",
        f"# MCP: connect Claude Code\n{mcp_claude(state.base_url)}",
    ]
    if state.environment:
        exports = " ".join(f"{name}={quote(value)}" for name, value in state.environment.items())
        blocks.append(
            "# Other commands, with the servers of the demo\n"
            f"export {exports}\n{orgctx('sources', 'list', '--organization', SLUG)}\n"
            f"# Another link to the desk\n{orgctx('desk', 'invite', *OWNER)}"
        )
    return "\n\n".join(blocks)
