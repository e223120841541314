"""orgctx init: run the commands that lead from nothing to an agent's key, one after the other."""

import os
import re
import sys
import unicodedata
from contextlib import redirect_stdout
from pathlib import Path
from shlex import quote
from typing import Any

import click

from orgctx.cli import importing
from orgctx.cli.connect import describe_client, service_url
from orgctx.cli.errors import CommandError
from orgctx.cli.options import NAME, example, yes_option
from orgctx.cli.organization import preview as view
from orgctx.cli.output import echo, json_option, print_json, run_json, say
from orgctx.clients import VARIABLE
from orgctx.imports import catalog
from orgctx.imports.catalog import Importer
from orgctx.operations.source_kinds import needed_scopes
from orgctx.stores.db import Row

NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")
PATH = click.Path(exists=True, path_type=Path)
KEY_OPTIONS = ("--name", "agent", "--access", "both", "--expires-in-days", "30")
CLIENT = "claude"
# Messages about what `init` cannot import, by what `catalog.detect` returns.
NOT_IMPORTED = {
    "load": "{0} is a bundle, which names its organization itself. Load it with `orgctx load {0}`.",
    None: "The format of {0} is unknown. Use `orgctx organizations create` and `orgctx import`.",
}


@click.command(
    epilog=example("orgctx init handbook/ --name 'Acme Inc' --owner Ada --approve"),
)
@click.argument("path", metavar="[PATH]", required=False, type=PATH)
@click.option("--name", type=NAME, help="Name of the organization.")
@click.option("--owner", type=NAME, help="Name of its owner, who decides.")
@click.option("--account", metavar="USERNAME", help="X account whose mentions were collected.")
@click.option(
    "--approve/--no-approve",
    "is_approved",
    default=None,
    help="Approve the source, as `orgctx sources approve` does, or only import it.",
)
@yes_option
@json_option
def init(
    path: Path | None,
    name: str | None,
    owner: str | None,
    account: str | None,
    is_approved: bool | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Create an organization, import a first source, approve it and issue a key.

    PATH is a folder, a document, or an export of Telegram or X. On a terminal, asks for what the
    options leave open, and shows what an approval exposes before it asks for it. Ends with the
    configuration of an agent.
    """
    required: dict[str, object] = {"--name": name, "--owner": owner, "PATH": path}
    required["--approve or --no-approve"] = is_approved
    missing = [option for option, value in required.items() if value is None]
    if missing and not sys.stdin.isatty():
        raise click.UsageError(f"Without a terminal, pass {', '.join(missing)} too.")
    name = name or click.prompt("Name of the organization", type=NAME, err=True)
    owner = owner or click.prompt("Name of its owner, who decides", type=NAME, err=True)
    path = path or click.prompt("Folder or export to import", value_proc=_parse_path, err=True)
    importer = catalog.BY_NAME[_detect(path)]
    slug = slug_of(name)
    if not slug and sys.stdin.isatty():
        slug = click.prompt("Its short name in commands, of a-z", type=NAME, err=True)
    if not slug:
        raise CommandError(
            f"The name {name!r} has no letter of a-z for a slug. Use `orgctx organizations create "
            "SLUG`, `orgctx import`, `orgctx sources approve` and `orgctx keys issue`."
        )
    options = {"organization": slug, "source": new_source_id(importer, path), "account": account}
    arguments = [f"--{option}={value}" for option, value in options.items() if value]
    values = importing.parse(importer, [*arguments, "--", str(path)])
    url = service_url(None)
    created = run_json("organizations", "create", slug, "--name", name, "--owner", owner)
    who = ("--organization", slug, "--by", created["ownerId"])
    with redirect_stdout(sys.stderr):
        sources = _import(importer, values, who)
    advice = f"Approve it with `orgctx sources approve {view.options(slug, owner)} --all`, and "
    advice += "issue a key with `orgctx keys issue`."
    key = None
    if is_approved is not False and _approve(who, advice, yes=yes):
        scopes = ",".join(needed_scopes(row["kind"] for row in sources))
        key = run_json("keys", "issue", *who, *KEY_OPTIONS, "--scope", scopes)
    configured = describe_client(CLIENT, url)
    if as_json:
        ids = {"owner": created["ownerId"], "sources": [row["id"] for row in sources]}
        outcome = {"organization": created["id"], **ids, "approved": bool(key), "key": key}
        print_json({**outcome, **configured})
    elif key:
        _print_key(key, configured, url)
    else:
        say(f"Nothing is readable yet. {advice}")


def _parse_path(text: str) -> Path:
    return PATH(os.path.expanduser(text.strip()))


def _detect(path: Path) -> str:
    kind = catalog.detect(path)
    if kind is None or kind in NOT_IMPORTED:
        raise CommandError(NOT_IMPORTED[kind].format(path))
    return kind


def new_source_id(importer: Importer, path: Path) -> str:
    """Return the id of a new source, such as `docs:handbook`."""
    source = importer.source
    name = slug_of(path.resolve().name.partition(".")[0]) or "main"
    return f"{source}{name}" if source.endswith(":") else source


def slug_of(text: str) -> str:
    """Return a text in a-z, 0-9 and `-`; empty if it has no such letters."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return NOT_IN_SLUG.sub("-", plain).strip("-")[:100].strip("-")


def _import(importer: Importer, values: dict[str, Any], who: tuple[str, ...]) -> list[Row]:
    """Import into a new organization, which a failure deletes. Returns the sources."""
    try:
        result = importing.run_import(importer, values)
    except BaseException:
        run_json("organizations", "delete", *who, "--yes")
        raise
    importing.print_report(result, echo)
    if result.report.refused_count:
        say(result.rejections())
    return importing.sources_of_import(values["organization"], values["source_id"])


def _approve(who: tuple[str, ...], advice: str, *, yes: bool) -> bool:
    """Run `orgctx sources approve`. Returns whether a member confirmed it."""
    try:
        run_json("sources", "approve", *who, "--all", *(["--yes"] if yes else []))
    except click.Abort:
        return False
    except CommandError as error:
        raise CommandError(f"Imported, but not approved. {error.message} {advice}") from None
    return True


def _print_key(key: Row, configured: dict[str, Any], url: str) -> None:
    say(
        f"\nKey {key['name']} reads {', '.join(key['scopes'])} until {key['expiresAt'][:10]}. "
        "It is shown only now. Set it where the agent starts:"
    )
    echo(f"export {VARIABLE}={key['key']}")
    say(configured["place"])
    click.echo(configured["configuration"], nl=False)
    check = f"orgctx connect {CLIENT} --check --base-url {quote(url)}"
    say(f"\nOnce the service runs (`orgctx serve`), see what the agent sees: `{check}`.")
