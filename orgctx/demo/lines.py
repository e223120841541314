"""Commands that the demo prints, to paste into another shell."""

import sys
from pathlib import Path
from shlex import join

from orgctx.clients import VARIABLE
from orgctx.demo.identities import OWNER_ID, SLUG
from orgctx.demo.state import State
from orgctx.resources.catalog import OPERATIONS

BEARER = f'-H "Authorization: Bearer ${VARIABLE}"'
# The first requests, which need no parameter.
PATHS = [operation.path for operation in OPERATIONS[:2]]
OWNER = ("--organization", SLUG, "--for", str(OWNER_ID))


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


def greeting(state: State, desk_link: str) -> str:
    """Return one screen: the page, the key, the first requests and a command for an agent.

    desk_link: signs the owner in to the desk, once.
    """
    url = state.base_url
    requests = [f"curl -sS -w '\\n' '{url}/api/v1{path}' {BEARER}" for path in PATHS]
    requests.append(mcp_claude(url))
    pasted = "\n".join(requests)
    return f"""\
Serving Harbor Lights Cooperative. Press Ctrl-C to stop.

  The page   {url}/#/explore
             It asks for the key that the export below names.
  The desk   {desk_link}
             The owner decides there. The link works once, for ten minutes.

  In another shell, in this directory:

export {VARIABLE}={state.key}
{pasted}

  Every request is in the page's reference. Other clients, and another link to the desk:

{orgctx("connect", "--help")}
{orgctx("desk", "invite", *OWNER)}"""
