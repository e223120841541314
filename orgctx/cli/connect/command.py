"""orgctx connect: print or write a configuration of `orgctx.clients`, or check the connection."""

from __future__ import annotations

from pathlib import Path

import click

from orgctx.cli.errors import CommandError
from orgctx.cli.output import json_option, print_json, say
from orgctx.clients import BASE_URL, CLIENTS, configuration
from orgctx.config.settings import Config, variable
from orgctx.demo import state

# The default of `orgctx demo --data-dir`.
DATA_DIR = Path(".orgctx")
# Ends of addresses that people copy instead of the base URL.
PATHS = ("/api/mcp", "/api/v1", "/api")


@click.command(
    help="Print the configuration of CLIENT, without the key. Needs no database.\n\n"
    f"CLIENT: {', '.join(CLIENTS)}. "
    "--write keeps everything else in the file and never writes a key.",
    epilog="Examples: orgctx connect claude --base-url https://context.example.com; "
    "orgctx connect cursor --write --check",
)
@click.argument("client", type=click.Choice(list(CLIENTS)), metavar="CLIENT")
@click.option(
    "--base-url",
    metavar="URL",
    help="Address of the service. Default: ORGCTX_BASE_URL, else the demo's.",
)
@click.option(
    "--write", "is_write", is_flag=True, help="Merge the configuration into the client's file."
)
@click.option(
    "--check",
    "is_check",
    is_flag=True,
    help="Show what an agent sees with the key of ORGCTX_API_KEY.",
)
@json_option
def connect(
    client: str, base_url: str | None, is_write: bool, is_check: bool, as_json: bool
) -> None:
    url = _base_url(base_url)
    text, instruction = configuration(client, url), CLIENTS[client].instruction
    result = {"client": client, "place": instruction, "configuration": text}
    if is_write:
        result["file"] = _write(client, text)
    if is_check:
        from orgctx.cli.connect.check import check_connection

        connection = check_connection(url, variable("API_KEY"))
        result |= connection.as_json()
        if not as_json:
            connection.print()
    if as_json:
        print_json(result)
    elif not is_write and not is_check:
        say(instruction)
        click.echo(text, nl=False)


def _base_url(option: str | None) -> str:
    """Return the option, else the setting, the address of the last demo, or the default."""
    url = option or variable("BASE_URL")
    if not url:
        demo = state.read(DATA_DIR)
        url = demo.base_url if demo else Config.base_url
    url = url.rstrip("/")
    for path in PATHS:
        if url.endswith(path):
            raise CommandError(
                f"The base URL ends in {path}, which is added to it. Use "
                f"{url.removesuffix(path) or 'the address of the service'}."
            )
    if not BASE_URL.fullmatch(url):
        raise CommandError(
            f"Invalid base URL {url!r}. Use the address of the service, such as "
            "https://context.example.com."
        )
    return url


def _write(client: str, text: str) -> str:
    """Merge the configuration into the client's file and return its path."""
    from orgctx.cli.connect.write import Unmergeable, merge, resolve_target

    entry = CLIENTS[client]
    if not entry.target:
        raise CommandError(
            f"{entry.title} has no configuration file. Paste what `orgctx connect {client}` prints."
        )
    path = resolve_target(entry.target)
    try:
        merged = merge(path, text, entry.format)
    except Unmergeable as error:
        raise CommandError(
            f"{path} {error}. Nothing was written. {entry.instruction} Merge this by hand:"
            f"\n\n{text}"
        ) from None
    action = "Wrote" if merged.is_changed else "Nothing to change in"
    say(f"{action} {path}. {entry.instruction}")
    if merged.is_changed and merged.keeps_key:
        say(
            "Warning: the file contains a pasted key, which the client will send to the new "
            "address. If that is another service, replace the key."
        )
    return str(path)
