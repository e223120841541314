"""orgctx init: create an organization, import a source, approve it and issue a key.

Each step is a function that another command runs, too.
"""

import os
import re
import sys
import unicodedata
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from shlex import join, quote
from typing import Any

import click

from orgctx.cli import admin, importing
from orgctx.cli.connect import described, service_url
from orgctx.cli.errors import CommandError
from orgctx.cli.options import (
    NAME,
    access_option,
    example,
    lifetime_option,
    scope_option,
    yes_option,
)
from orgctx.cli.organization import preview as view
from orgctx.cli.organization.organizations import plan
from orgctx.cli.organization.usage import mark_unused
from orgctx.cli.output import camel, echo, json_option, print_json, say
from orgctx.clients import CLIENTS, VARIABLE
from orgctx.config.settings import Config
from orgctx.decisions import DecisionRejected, deletion, keys, organizations, sources
from orgctx.decisions.preview import build_preview
from orgctx.imports import catalog
from orgctx.imports.catalog import Importer
from orgctx.operations.source_kinds import needed_scopes
from orgctx.stores.db import Row

UNFIT = re.compile(r"[^a-z0-9]+")
PATH = click.Path(exists=True, path_type=Path)
# What `init` cannot import, by what `catalog.detect` returns.
NOT_IMPORTED = {
    "load": "{0} is a bundle, which names its organization itself. Load it with `orgctx load {0}`.",
    "archive": "{0} is the archive of an X account, which has its own posts. Mentions come from "
    "pages of the X API as JSON; see docs/importing.md.",
    None: "The format of {0} is unknown. Pass --kind with one of {1}.",
}


@click.command(
    epilog=example("orgctx init handbook/ --name 'Acme Inc' --owner Ada --approve"),
)
@click.argument("path", metavar="[PATH]", required=False, type=PATH)
@click.option("--name", type=NAME, help="Name of the organization.")
@click.option("--slug", type=NAME, help="Its short name. Default: derived from the name.")
@click.option("--owner", type=NAME, help="Name of its owner, who decides.")
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
    help="Without asking, approve the source, or only import it.",
)
@yes_option
@click.option("--key-name", type=NAME, default="agent", show_default=True, help="Name of the key.")
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
    name: str | None,
    slug: str | None,
    owner: str | None,
    kind: str | None,
    source_id: str | None,
    account: str | None,
    is_approved: bool | None,
    yes: bool,
    key_name: str,
    access: str | None,
    scopes: list[str],
    days: str,
    client: str,
    base_url: str | None,
    as_json: bool,
) -> None:
    """Create an organization, import a first source, approve it and issue a key.

    PATH is a folder, a document, or an export of Telegram or X. On a terminal, asks for what the
    options leave open, and shows what an approval exposes before it asks for it. Ends with the
    configuration of an agent.
    """
    needed: dict[str, object] = {"--name": name, "--owner": owner, "PATH": path}
    needed["--approve or --no-approve"] = is_approved
    missing = [option for option, value in needed.items() if value is None]
    if missing and not sys.stdin.isatty():
        raise click.UsageError(f"Without a terminal, pass {', '.join(missing)} too.")
    name = name or _ask("Name of the organization", NAME)
    slug = slug or _ask("Its short name in commands", _slug, slug_of(name))
    owner = owner or _ask("Name of its owner, who decides", NAME)
    path = path or _ask("Folder or export to import", _path)
    importer = catalog.find(kind or _detect(path))
    source_id = source_id or _ask("Id of its source", NAME, propose_source(importer.name, path))
    options = {"organization": slug, "source": source_id, "account": account}
    arguments = [f"--{option}={value}" for option, value in options.items() if value]
    imported = importing.parse(importer, [*arguments, "--", str(path)])
    url = service_url(base_url)
    with redirect_stdout(sys.stderr):
        with admin.writing() as connection:
            created = organizations.create(
                connection,
                slug=slug,
                display_name=name,
                owner=owner,
                command=admin.current_command(),
            )
        by = str(created["owner_id"])
        rows = _import(importer, imported, slug, by)
        key = None
        if _approve(slug, by, owner, is_approved, yes=yes):
            with admin.deciding(by, slug) as decision:
                key = keys.issue(
                    decision,
                    name=key_name,
                    access=access or "both",
                    scopes=scopes or needed_scopes(row["kind"] for row in rows),
                    days=int(days),
                )
            mark_unused(key["organization_id"], key["id"])
    configured = described(client, url)
    ids = [row["id"] for row in rows]
    if as_json:
        outcome = {"organization": created["id"], "owner": by, "sources": ids}
        approved = {"approved": bool(key), "key": key and camel(key)}
        print_json({**outcome, **approved, **configured})
    elif key:
        _print(key, configured, url)
    else:
        say(f"Nothing is readable yet. {_next(slug, owner, ids)}")


def _ask(question: str, check: Callable[[str], Any], default: str | None = None) -> Any:
    """Return the answer, or without a terminal the default."""
    if default and not sys.stdin.isatty():
        return check(default)
    return click.prompt(question, default=default or None, value_proc=check, err=True)


def _slug(text: str) -> str:
    try:
        return organizations.check_slug(text.strip())
    except DecisionRejected as error:
        raise click.BadParameter(str(error)) from None


def _path(text: str) -> Path:
    return PATH(os.path.expanduser(text.strip()))


def _detect(path: Path) -> str:
    kind = catalog.detect(path)
    if kind is None or kind in NOT_IMPORTED:
        raise CommandError(NOT_IMPORTED[kind].format(path, ", ".join(catalog.names())))
    return kind


def propose_source(kind: str, path: Path) -> str:
    """Return the id of a new source, such as `docs:handbook`."""
    source = catalog.find(kind).source
    name = slug_of(path.resolve().name.partition(".")[0]) or "main"
    return f"{source}{name}" if source.endswith(":") else source


def slug_of(text: str) -> str:
    """Return a text in a-z, 0-9 and `-`; empty if it has no such letters."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return UNFIT.sub("-", plain).strip("-")[:100].strip("-")


def _import(importer: Importer, values: dict[str, Any], slug: str, by: str) -> list[Row]:
    """Import into a new organization, which a failure deletes. Returns the sources."""
    try:
        result = importing.run_import(importer, values)
    except BaseException:
        database_url = Config.from_environment().admin_database_url
        deletion.delete(database_url, plan(slug, by), command=admin.current_command())
        raise
    importing.print_report(result, echo)
    if result.report.refused_count:
        say(result.rejections())
    return importing.stored_sources(slug, values["source_id"])


def _approve(slug: str, by: str, owner: str, is_approved: bool | None, *, yes: bool) -> bool:
    """Show what an approval exposes, and approve it. Returns whether it is approved."""
    with admin.reading_of(slug) as tenant:
        preview = build_preview(tenant, None)
    echo("")
    view.show(preview, view.options(slug, owner))
    if is_approved is None:
        is_approved = click.confirm("\nApprove them?", default=False, err=True)
    elif is_approved and preview.findings and not yes:
        raise CommandError(
            "Imported, but not approved, because of what the scan found. Look at it. "
            + _next(slug, owner, [*preview.state])
        )
    if is_approved:
        with admin.deciding(by, slug) as decision:
            decision.expect(preview.state)
            sources.approve(decision, [*preview.state])
    return is_approved


def _next(slug: str, owner: str, ids: list[str]) -> str:
    return (
        f"Approve it with `orgctx sources approve {view.options(slug, owner)} {join(ids)}`, and "
        "issue a key with `orgctx keys issue`."
    )


def _print(key: Row, connection: dict[str, Any], url: str) -> None:
    say(
        f"\nKey {key['name']} reads {', '.join(key['scopes'])} until "
        f"{key['expires_at']:%Y-%m-%d}. It is shown only now. Set it where the agent starts:"
    )
    echo(f"export {VARIABLE}={key['key']}")
    say(connection["place"])
    click.echo(connection["configuration"], nl=False)
    check = f"orgctx connect {connection['client']} --check --base-url {quote(url)}"
    say(f"\nStart the service with `orgctx serve`, and see what the agent sees: `{check}`.")
