"""orgctx connect: the configuration of a client, from `orgctx.clients`."""

from __future__ import annotations

from pathlib import Path

import click

from orgctx.cli.errors import CommandError
from orgctx.cli.output import json_option, print_json, say
from orgctx.clients import BASE_URL, CLIENTS, configuration
from orgctx.config.settings import Config, variable
from orgctx.demo import kept

# The demo's directory, unless its --data-dir names another.
DATA_DIR = Path(".orgctx")


@click.command(
    epilog="Examples: orgctx connect claude --base-url https://context.example.com; "
    "orgctx connect cursor --write --check"
)
@click.argument("client", type=click.Choice(list(CLIENTS)), metavar="CLIENT")
@click.option(
    "--base-url", metavar="URL", help="Of the service; else ORGCTX_BASE_URL, else of the demo."
)
@click.option("--write", "is_write", is_flag=True, help="Merge it into the file of the client.")
@click.option(
    "--check",
    "is_check",
    is_flag=True,
    help="Ask the service, with the key of ORGCTX_API_KEY, what an agent would see.",
)
@json_option
def connect(
    client: str, base_url: str | None, is_write: bool, is_check: bool, as_json: bool
) -> None:
    """Print how CLIENT connects, without the key.

    CLIENT: claude, claude-desktop, cursor, vscode, codex, gemini, windsurf, zed, openai-agents,
    langchain, pydantic-ai, inspector, curl, httpx or typescript. No other setting is needed.
    --write keeps everything else that is in the file, and never writes a key.
    """
    url = _base_url(base_url)
    text, place = configuration(client, url), CLIENTS[client].place
    answer = {"client": client, "place": place, "configuration": text}
    if is_write:
        answer["file"] = _write(client, text)
    if is_check:
        from orgctx.cli.connect.check import look

        seen = look(url, variable("API_KEY"))
        answer |= seen.as_json()
        if not as_json:
            seen.show()
    if as_json:
        print_json(answer)
    elif not is_write and not is_check:
        say(place)
        click.echo(text, nl=False)


def _base_url(given: str | None) -> str:
    """The option, else the setting, the last demo's address, or that of `orgctx serve`."""
    last = None if given or variable("BASE_URL") else kept.read(DATA_DIR)
    url = given or variable("BASE_URL") or (last.base_url if last else Config.base_url)
    url = url.rstrip("/")
    if not BASE_URL.fullmatch(url):
        raise CommandError(
            f"{url!r} is no base URL: give the address of the service, such as "
            "https://context.example.com"
        )
    return url


def _write(client: str, text: str) -> str:
    """Merge the configuration, print a message, and return the file."""
    from orgctx.cli.connect.write import Unmergeable, merge, target

    row = CLIENTS[client]
    if not row.target:
        raise CommandError(
            f"{row.title} has no file of its own: paste what `orgctx connect {client}` prints"
        )
    path = target(row.target)
    try:
        merged = merge(path, text, row.format)
    except Unmergeable as error:
        raise CommandError(
            f"{path} {error}, so nothing was written. {row.place} Merge this by hand:\n\n{text}"
        ) from None
    say(f"{'Wrote' if merged.is_changed else 'Nothing to change in'} {path}. {row.place}")
    if merged.is_changed and merged.keeps_key:
        say(
            "Warning: the key that was pasted there stays and goes to the address that was written"
            " now. If that is another service than before, replace the key by one of its own."
        )
    return str(path)
