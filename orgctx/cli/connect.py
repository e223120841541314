"""orgctx connect: what a client needs to reach this service, as `orgctx.clients` has it."""

from __future__ import annotations

import click

from orgctx.cli.output import json_option, print_json, say
from orgctx.clients import CLIENTS, configuration


@click.command(epilog="Example: orgctx connect claude --base-url https://context.example.com")
@click.argument("client", type=click.Choice(list(CLIENTS)))
@click.option("--base-url", metavar="URL", help="Of the service; else ORGCTX_BASE_URL.")
@json_option
def connect(client: str, base_url: str | None, as_json: bool) -> None:
    """Print how a client connects, without the key."""
    if base_url is None:
        from orgctx.config import Config

        base_url = Config.from_environment().base_url
    place = CLIENTS[client].place
    text = configuration(client, base_url.rstrip("/"))
    if as_json:
        print_json({"client": client, "place": place, "configuration": text})
    else:
        say(place)
        click.echo(text, nl=False)
