"""Commands that the demo prints, to paste into another shell."""

import sys
from itertools import islice
from pathlib import Path
from shlex import join, quote

from orgctx.clients import VARIABLE
from orgctx.demo.identities import OWNER_ID, SLUG
from orgctx.demo.state import DATA_DIR, State
from orgctx.openapi import examples
from orgctx.resources.catalog import OPERATIONS

BEARER = f'-H "Authorization: Bearer ${VARIABLE}"'
REQUEST_COUNT = 3
OWNER = ("--organization", SLUG, "--for", str(OWNER_ID))


def requests(base_url: str) -> str:
    """Return the curl commands of the first example requests."""
    paths = (
        examples.request_path(operation, example["parameters"])
        for operation in OPERATIONS
        if (example := examples.find(operation))
    )
    return "\n".join(
        f"curl -sS -w '\\n' '{base_url}/api/v1{path}' {BEARER}"
        for path in islice(paths, REQUEST_COUNT)
    )


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
    exports = ""
    if state.environment and data_dir.absolute() != DATA_DIR.absolute():
        settings = (f"{name}={quote(value)}" for name, value in state.environment.items())
        exports = f"export {' '.join(settings)}\n"
    return f"""\
Serving Harbor Lights Cooperative. Press Ctrl-C to stop.

  The page   {state.base_url}/#/explore
             It asks for the key that the export below names.
  The desk   {desk_link}
             The owner decides there. The link works once, for ten minutes.

  In another shell:

export {VARIABLE}={state.key}
{requests(state.base_url)}
{mcp_claude(state.base_url)}

  Every request is in the page's reference. Other clients:

{orgctx("connect", "curl", "--base-url", state.base_url)}
{orgctx("connect", "--help")}

  {"These commands use" if exports else "Commands that run here use"} this demo, such as another \
link to the desk:

{exports}{orgctx("desk", "invite", *OWNER)}"""
