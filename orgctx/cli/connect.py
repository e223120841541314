"""orgctx connect: print a configuration of `orgctx.clients`, or check the connection."""

from typing import Any

import click

from orgctx.cli.errors import CommandError
from orgctx.cli.output import json_option, print_json, say
from orgctx.clients import BASE_URL, CLIENTS, configuration
from orgctx.config.settings import DEFAULT_BASE_URL, variable
from orgctx.demo import state

# Ends of addresses that people copy instead of the base URL.
PATHS = ("/api/mcp", "/api/v1", "/api")


@click.command(
    help="Print the configuration of CLIENT, without the key. Needs no database.\n\n"
    f"CLIENT: {', '.join(CLIENTS)}. claude.ai and ChatGPT sign in with OAuth; where your plan lets "
    "a connector send a request header or an API key, enter the key there.",
    epilog="Example: orgctx connect claude --base-url https://context.example.com",
)
@click.argument("client", type=click.Choice(list(CLIENTS)), metavar="CLIENT")
@click.option(
    "--base-url",
    metavar="URL",
    help="Address of the service. Default: ORGCTX_BASE_URL, else that of the last demo here, "
    f"else {DEFAULT_BASE_URL}.",
)
@click.option(
    "--check", is_flag=True, help="Show what an agent sees with the key of ORGCTX_API_KEY."
)
@json_option
def connect(client: str, base_url: str | None, check: bool, as_json: bool) -> None:
    url = service_url(base_url)
    result = describe_client(client, url)
    if check:
        from orgctx.cli.connection import check_connection

        view = check_connection(url, variable("API_KEY"))
        result |= view.as_json()
        if not as_json:
            view.print()
    if as_json:
        print_json(result)
    elif not check:
        say(result["place"])
        click.echo(result["configuration"], nl=False)


def describe_client(client: str, url: str) -> dict[str, Any]:
    """Return the configuration of a client for the service at a URL, and where to put it."""
    instruction = CLIENTS[client].instruction
    return {"client": client, "place": instruction, "configuration": configuration(client, url)}


def service_url(option: str | None) -> str:
    """Return the option, else the setting, the address of the last demo, or the default."""
    url = option or variable("BASE_URL")
    if not url:
        url = _demo_url() or DEFAULT_BASE_URL
        say(f"Using the service at {url}. For another one, pass --base-url or set ORGCTX_BASE_URL.")
    url = url.rstrip("/")
    for path in PATHS:
        if url.endswith(path):
            raise CommandError(
                f"The base URL ends in {path}, which is added to it. Use {url.removesuffix(path)}."
            )
    if not BASE_URL.fullmatch(url):
        raise CommandError(
            f"Invalid base URL {url!r}. Use the address of the service, such as "
            "https://context.example.com."
        )
    return url


def _demo_url() -> str | None:
    """Return the address of the last demo here, unless the settings name another database."""
    demo = state.read(state.DATA_DIR)
    if demo is None:
        return None
    database_urls = ("", demo.environment.get("ORGCTX_DATABASE_URL"))
    return demo.base_url if variable("DATABASE_URL") in database_urls else None
