"""orgctx init: create an organization, import a source, approve it and issue a key."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from shlex import quote
from typing import Any

import click

from orgctx.cli.connect import described, service_url
from orgctx.cli.init import steps
from orgctx.cli.init.answers import Answers, Dialogue, collect
from orgctx.cli.init.steps import Rights
from orgctx.cli.options import access_option, example, lifetime_option, one_line, scope_option
from orgctx.cli.organization import preview as view
from orgctx.cli.output import camel, echo, json_option, print_json, say
from orgctx.clients import CLIENTS, VARIABLE
from orgctx.imports import catalog
from orgctx.imports.catalog import Importer


@click.command(
    epilog=example("orgctx init handbook/ --name 'Acme Inc' --slug acme --owner Ada --approve")
)
@click.argument(
    "path", metavar="[PATH]", required=False, type=click.Path(exists=True, path_type=Path)
)
@click.option("--name", callback=one_line, help="Name of the organization.")
@click.option("--slug", callback=one_line, help="Its short name. Default: derived from the name.")
@click.option("--owner", callback=one_line, help="Name of its owner, who decides.")
@click.option(
    "--kind", type=click.Choice(catalog.names()), help="Importer. Default: detected from PATH."
)
@click.option(
    "--source", "source_id", metavar="ID", help="Id of the source. Default: derived from PATH."
)
@click.option("--account", metavar="USERNAME", help="X account whose mentions were collected.")
@click.option(
    "--approve/--no-approve",
    "is_approved",
    default=None,
    help="Without asking, approve the source and suppress documents that may hold secrets, or only "
    "import it.",
)
@click.option(
    "--key-name", callback=one_line, default="agent", show_default=True, help="Name of the key."
)
@access_option(required=False)
@scope_option(required=False)
@lifetime_option(required=False, default=30)
@click.option(
    "--client",
    type=click.Choice(list(CLIENTS)),
    default="claude",
    show_default=True,
    metavar="CLIENT",
    help="Client of the printed configuration; see `orgctx connect --help`.",
)
@click.option("--base-url", metavar="URL", help="Address of the service; see `orgctx connect`.")
@json_option
def init(
    path: Path | None,
    is_approved: bool | None,
    key_name: str,
    access: str | None,
    scopes: list[str],
    days: str,
    client: str,
    base_url: str | None,
    account: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Create an organization, import a first source, approve it and issue a key.

    PATH is a folder, a document, or an export of Telegram or X. On a terminal, asks for what the
    options leave open, and shows what an approval exposes before it asks for it. Ends with the
    configuration of an agent. Steps that were done before are skipped, so you can run it again.
    """
    with redirect_stdout(sys.stderr):
        dialogue = Dialogue()
        answers = collect(dialogue, path=path, **options)
        if is_approved is None and not dialogue.is_terminal:
            dialogue.missing.append("--approve or --no-approve")
        dialogue.require()
        _check(catalog.find(answers.kind), answers.path, account)
        # First, because it rejects a wrong address before anything is stored.
        url = service_url(base_url)
        connection = described(client, url)
        rights = Rights(key_name, access or "both", scopes, int(days))
        outcome = _run(dialogue, answers, account, is_approved, rights)
    if as_json:
        print_json({**outcome, "key": outcome["key"] and camel(outcome["key"]), **connection})
    else:
        _print(answers, rights, outcome, connection, url, client)


def _check(importer: Importer, path: Path, account: str | None) -> None:
    """Raise UsageError if the importer does not take what the options say."""
    if account and all(option.name != "account" for option in importer.options):
        raise click.UsageError(f"`orgctx import {importer.name}` has no --account.")
    if path.is_dir() and not importer.takes_folders:
        raise click.UsageError(f"`orgctx import {importer.name}` takes files; {path} is a folder.")


def _run(
    dialogue: Dialogue,
    answers: Answers,
    account: str | None,
    is_approved: bool | None,
    rights: Rights,
) -> dict[str, Any]:
    """Run the steps. Returns `organization`, `owner`, `sources`, `approved` and `key`."""
    with _kept() as kept:
        organization_id, owner_id, is_new = steps.ensure_organization(answers)
        kept.append(f"organization {answers.slug} with {answers.owner}")
        say(f"Organization {answers.slug} {'created' if is_new else 'exists already'}.")
        ids = steps.import_source(answers, organization_id, account)
        kept.append(f"import into {answers.source_id}")
        created = {"organization": organization_id, "owner": owner_id, "sources": ids}
        outcome = created | {"approved": False, "key": None}
        preview = steps.preview_approval(organization_id, ids)
        if preview.sources:
            echo("")
            who = view.options(answers.slug, answers.owner)
            view.show(preview, who)
            hidden = steps.secret_documents(preview)
            answer = dialogue.choose(is_approved, hidden)
            if answer == "no":
                return outcome
            if answer == "hide":
                preview = steps.hide(organization_id, owner_id, ids, hidden)
                kept.append(f"suppression of {len(hidden)}")
                say(
                    f"\nSuppressed, as they may hold secrets: {', '.join(hidden)}. To show one "
                    f"all the same: `orgctx knowledge restore {who} ID`."
                )
            steps.approve(organization_id, owner_id, preview)
            kept.append("approval")
        key = steps.ensure_key(organization_id, owner_id, ids, rights)
        return outcome | {"approved": True, "key": key}


def _print(
    answers: Answers,
    rights: Rights,
    outcome: dict[str, Any],
    connection: dict[str, Any],
    url: str,
    client: str,
) -> None:
    who = view.options(answers.slug, answers.owner)
    if not outcome["approved"]:
        say(
            "Nothing is readable yet, and no key was issued. Run the same command again, or "
            f"approve with `orgctx sources approve {who} SOURCE`."
        )
        return
    key = outcome["key"]
    if "key" in key:
        say(
            f"\nKey {rights.name} reads {', '.join(key['scopes'])} until "
            f"{key['expires_at']:%Y-%m-%d}. It is shown only now. Set it where the agent starts:"
        )
        echo(f"export {VARIABLE}={key['key']}")
    else:
        say(
            f"\nKey {rights.name} ({key['hint']}) exists already and cannot be shown again. For a "
            f"new one, run `orgctx keys rotate {quote(rights.name)} {who}`."
        )
    say(connection["place"])
    click.echo(connection["configuration"], nl=False)
    if steps.answers(url):
        check = f"orgctx connect {client} --check --base-url {quote(url)}"
        say(f"\nThe service answers at {url}. Check what the agent sees: `{check}`.")
    else:
        say(f"\nNothing answers at {url}. Start the service: `orgctx serve`.")


@contextmanager
def _kept() -> Iterator[list[str]]:
    """Collect the steps that are stored, and name them if a later one fails or is interrupted."""
    kept: list[str] = []
    try:
        yield kept
    except BaseException:
        if kept:
            say(f"\nKept: {'; '.join(kept)}. Run the same command again to go on from there.")
        raise
