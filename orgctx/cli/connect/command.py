"""orgctx connect: print or write a configuration of `orgctx.clients`, or check the connection."""

from pathlib import Path
from typing import Any

import click

from orgctx.cli.errors import CommandError
from orgctx.cli.output import json_option, print_json, say
from orgctx.clients import BASE_URL, CLIENTS, configuration, install_link
from orgctx.config.settings import DEFAULT_BASE_URL, variable
from orgctx.demo import state

# Ends of addresses that people copy instead of the base URL.
PATHS = ("/api/mcp", "/api/v1", "/api")


@click.command(
    help="Print the configuration of CLIENT, without the key. Needs no database.\n\n"
    f"CLIENT: {', '.join(CLIENTS)}. "
    "--write keeps everything else in the file and never writes a key.",
    epilog="Examples: orgctx connect claude --base-url https://context.example.com; "
    "orgctx connect claude-desktop --bundle orgctx.mcpb; "
    "orgctx connect cursor --write --check",
)
@click.argument("client", type=click.Choice(list(CLIENTS)), metavar="CLIENT")
@click.option(
    "--base-url",
    metavar="URL",
    help="Address of the service. Default: ORGCTX_BASE_URL, else that of the last demo here, "
    f"else {DEFAULT_BASE_URL}.",
)
@click.option(
    "--write", "is_write", is_flag=True, help="Merge the configuration into the client's file."
)
@click.option(
    "--check",
    "is_check",
    is_flag=True,
    help="Show what an agent sees with the key of ORGCTX_API_KEY. If that fails, write nothing.",
)
@click.option(
    "--link", "is_link", is_flag=True, help="Print a link that installs the configuration."
)
@click.option(
    "--bundle",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.mcpb",
    help="Write a bundle to open with the client, which then asks for the key.",
)
@json_option
def connect(
    client: str,
    base_url: str | None,
    is_write: bool,
    is_check: bool,
    is_link: bool,
    bundle: Path | None,
    as_json: bool,
) -> None:
    url = service_url(base_url)
    if bundle and not CLIENTS[client].has_bundle:
        raise _lacks(client, "bundles", [name for name, row in CLIENTS.items() if row.has_bundle])
    result = described(client, url)
    if is_link:
        result["link"] = _link(client, url)
    if is_check:
        from orgctx.cli.connect.check import check_connection

        connection = check_connection(url, variable("API_KEY"))
        result |= connection.as_json()
        if not as_json:
            connection.print()
    if is_write:
        result["file"] = _write(client, result["configuration"])
    if bundle:
        from orgctx.clients.bundle import build

        bundle.write_bytes(build(url))
        say(f"Wrote {bundle}. Open it with {CLIENTS[client].title}, which asks for the API key.")
        result["bundle"] = str(bundle)
    if as_json:
        print_json(result)
    elif is_link:
        click.echo(result["link"])
    elif not (is_write or is_check or bundle):
        say(result["place"])
        click.echo(result["configuration"], nl=False)


def described(client: str, url: str) -> dict[str, Any]:
    """Return the configuration of a client for the service at a URL, and where to put it."""
    instruction = CLIENTS[client].instruction
    return {"client": client, "place": instruction, "configuration": configuration(client, url)}


def _link(client: str, url: str) -> str:
    link = install_link(client, url)
    if not link:
        clients = [name for name, row in CLIENTS.items() if row.link]
        raise _lacks(client, "installation links", clients)
    return link


def _lacks(client: str, what: str, clients: list[str]) -> CommandError:
    return CommandError(
        f"{CLIENTS[client].title} opens no {what}. Clients that do: {', '.join(clients)}."
    )


def service_url(option: str | None) -> str:
    """Return the option, else the setting, the address of the last demo, or the default."""
    url = option or variable("BASE_URL")
    if not url:
        url = _demo_url() or _bound_url() or DEFAULT_BASE_URL
        say(f"Using the service at {url}. For another one, pass --base-url or set ORGCTX_BASE_URL.")
    url = url.rstrip("/")
    for path in PATHS:
        if url.endswith(path):
            raise CommandError(
                f"The base URL ends in {path}, which is added to it. Use "
                f"{url.removesuffix(path) or 'the address of the service'}."
            )
    if not BASE_URL.fullmatch(url):
        if "://" not in url and BASE_URL.fullmatch(f"http://{url}"):
            raise CommandError(
                f"The base URL {url!r} has no scheme. Use http://{url} or https://{url}."
            )
        raise CommandError(
            f"Invalid base URL {url!r}. Use the address of the service, such as "
            "https://context.example.com."
        )
    return url


def _demo_url() -> str | None:
    """Return the address of the last demo here, unless the settings name another database."""
    demo = state.read(state.DATA_DIR)
    if not demo or variable("DATABASE_URL") not in (
        "",
        demo.environment.get("ORGCTX_DATABASE_URL"),
    ):
        return None
    return demo.base_url


def _bound_url() -> str:
    """Return the address on loopback of ORGCTX_BIND; empty if that names no port."""
    address = variable("BIND").partition(",")[0]
    port = address.rpartition(":")[2]
    return f"http://127.0.0.1:{port}" if port.isdecimal() and "://" not in address else ""


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
    say(f"{action} {path}. {entry.written_instruction}")
    if merged.is_changed and merged.keeps_key:
        say(
            "Warning: the file contains a pasted key, which the client will send to the new "
            "address. If that is another service, replace the key."
        )
    return str(path)
