"""orgctx init: create an organization, import a source, approve it and issue a key.

Each step is a function that another command runs, too.
"""

import re
import sys
import unicodedata
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from shlex import quote
from typing import Any

import click

from orgctx.cli import admin, importing
from orgctx.cli.connect import described, service_url
from orgctx.cli.errors import CommandError
from orgctx.cli.options import (
    access_option,
    example,
    lifetime_option,
    one_line,
    scope_option,
    yes_option,
)
from orgctx.cli.organization import preview as view
from orgctx.cli.organization.organizations import plan
from orgctx.cli.organization.usage import mark_unused
from orgctx.cli.output import camel, echo, json_option, print_json, say
from orgctx.clients import CLIENTS, VARIABLE
from orgctx.config.settings import Config
from orgctx.decisions import (
    AUTHORITIES,
    DecisionRejected,
    deletion,
    find_members,
    keys,
    organizations,
    sources,
)
from orgctx.decisions.preview import build_preview
from orgctx.imports import catalog
from orgctx.operations.source_kinds import needed_scopes
from orgctx.stores.db import Row

UNFIT = re.compile(r"[^a-z0-9]+")


@click.command(
    epilog=example("orgctx init handbook/ --name 'Acme Inc' --owner Ada --approve"),
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
    help="Without asking, approve the source, or only import it.",
)
@yes_option
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
    configuration of an agent. What exists already is used, so you can run it again.
    """
    needed = {"--name": name, "--owner": owner, "PATH": path}
    needed["--approve or --no-approve"] = None if is_approved is None else ""
    missing = [option for option, value in needed.items() if value is None]
    if missing and not sys.stdin.isatty():
        raise click.UsageError(f"Without a terminal, pass {', '.join(missing)} too.")
    name = name or _ask("Name of the organization", _line)
    slug = slug or _ask("Its short name in commands", _slug, slug_of(name))
    owner = owner or _ask("Name of its owner, who decides", _line)
    path = path or _ask("Folder or export to import", _path)
    importer = catalog.find(kind or _detect(path))
    source_id = source_id or _ask("Id of its source", _line, propose_source(importer.name, path))
    if account and all(option.name != "account" for option in importer.options):
        raise click.UsageError(f"`orgctx import {importer.name}` has no --account.")
    if path.is_dir() and not importer.takes_folders:
        raise click.UsageError(f"`orgctx import {importer.name}` takes files; {path} is a folder.")
    url = service_url(base_url)
    with redirect_stdout(sys.stderr):
        organization_id, by, is_new = _ensure_organization(name, slug, owner)
        try:
            importing.run_import(
                importer,
                [path],
                {"account": account} if account else {},
                organization=slug,
                source_id=source_id,
            )
        except importing.PartlyImported as error:
            say(error.format_message())
        except BaseException:
            if is_new:  # an empty organization would be in the way
                database_url = Config.from_environment().admin_database_url
                deletion.delete(database_url, plan(slug, by), command=admin.current_command())
            raise
        ids = [row["id"] for row in importing.stored_sources(slug, source_id)]
        approved = _approve(slug, by, owner, ids, is_approved, yes=yes)
        key = _ensure_key(slug, by, ids, key_name, access, scopes, int(days)) if approved else None
    connection = described(client, url)
    if as_json:
        outcome = {
            "organization": organization_id,
            "owner": by,
            "sources": ids,
            "approved": approved,
        }
        print_json({**outcome, "key": key and camel(key), **connection})
    else:
        _print(key, connection, view.options(slug, owner), url)


def _ask(question: str, check: Callable[[str], Any], default: str | None = None) -> Any:
    """Return the answer, or without a terminal the default."""
    if default and not sys.stdin.isatty():
        return check(default)
    return click.prompt(question, default=default or None, value_proc=check, err=True)


def _line(text: str) -> str:
    checked: Any = one_line(click.get_current_context(), None, text.strip())  # type: ignore[arg-type]
    return str(checked)


def _slug(text: str) -> str:
    try:
        return organizations.check_slug(_line(text))
    except DecisionRejected as error:
        raise click.BadParameter(str(error)) from None


def _path(text: str) -> Path:
    path = Path(text.strip()).expanduser()
    if not path.exists():
        raise click.BadParameter(f"{text} does not exist.")
    return path


def _detect(path: Path) -> str:
    kind = catalog.detect(path)
    if kind == "load":
        raise CommandError(
            f"{path} is a bundle, which names its organization itself. Load it with "
            f"`orgctx load {path}`."
        )
    if kind == "archive":
        raise CommandError(
            f"{path} is the archive of an X account, which has its own posts. Mentions come from "
            "pages of the X API as JSON; see docs/importing.md."
        )
    if kind is None:
        raise CommandError(
            f"The format of {path} is unknown. Pass --kind with one of "
            f"{', '.join(catalog.names())}."
        )
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


def _ensure_organization(name: str, slug: str, owner: str) -> tuple[str, str, bool]:
    """Create the organization unless it exists. Returns both ids, and whether it is new."""
    with admin.writing() as connection:
        if not organizations.find(connection, slug):
            created = organizations.create(
                connection,
                slug=slug,
                display_name=name,
                owner=owner,
                command=admin.current_command(),
            )
            return str(created["id"]), str(created["owner_id"]), True
        tenant = admin.find_organization(connection, slug)
        rows = find_members(tenant, name=owner)
    authorities = [row for row in rows if row["role"] in AUTHORITIES]
    if len(authorities) != 1:
        raise CommandError(
            f"Organization {slug!r} exists already, and {owner!r} is not the name of exactly one "
            "of its owners and admins. Pass --owner with one of them, or choose another --slug."
        )
    return str(tenant.organization_id), str(authorities[0]["user_id"]), False


def _approve(
    slug: str, by: str, owner: str, ids: list[str], is_approved: bool | None, *, yes: bool
) -> bool:
    """Show what an approval exposes, and approve it. Returns whether everything is approved."""
    with admin.reading_of(slug) as tenant:
        profile = [row["id"] for row in sources.stored(tenant) if row["kind"] == "profile"]
        preview = build_preview(tenant, [*ids, *profile])
    if not preview.sources:
        return True
    echo("")
    view.show(preview, view.options(slug, owner))
    if is_approved is None:
        is_approved = click.confirm("\nApprove them?", default=False, err=True)
    elif is_approved and preview.findings and not yes:
        raise CommandError(
            "Imported, but not approved, because of what the scan found. Look at it, then pass "
            "--yes to approve it all the same."
        )
    if is_approved:
        with admin.deciding(by, slug) as decision:
            decision.expect(preview.state)
            sources.approve(decision, [*preview.state])
    return is_approved


def _ensure_key(
    slug: str,
    by: str,
    ids: list[str],
    name: str,
    access: str | None,
    scopes: list[str],
    days: int,
) -> Row:
    """Return the active key of this name, without its secret, or issue one."""
    with admin.reading_of(slug) as tenant:
        active = keys.listed(tenant, state="active")
        kinds = [row["kind"] for row in sources.stored(tenant) if row["id"] in ids]
    for row in active:
        if row["name"] == name:
            return row
    scopes = scopes or needed_scopes(kinds)
    with admin.deciding(by, slug) as decision:
        key = keys.issue(decision, name=name, access=access or "both", scopes=scopes, days=days)
    mark_unused(key["organization_id"], key["id"])
    return key


def _print(key: Row | None, connection: dict[str, Any], who: str, url: str) -> None:
    if not key:
        say(
            "Nothing is readable yet, and no key was issued. Run the same command again, or "
            f"approve with `orgctx sources approve {who} SOURCE`."
        )
        return
    if "key" in key:
        say(
            f"\nKey {key['name']} reads {', '.join(key['scopes'])} until "
            f"{key['expires_at']:%Y-%m-%d}. It is shown only now. Set it where the agent starts:"
        )
        echo(f"export {VARIABLE}={key['key']}")
    else:
        say(
            f"\nKey {key['name']} ({key['hint']}) exists already and cannot be shown again. For a "
            f"new one, run `orgctx keys rotate {quote(key['name'])} {who}`."
        )
    say(connection["place"])
    click.echo(connection["configuration"], nl=False)
    check = f"orgctx connect {connection['client']} --check --base-url {quote(url)}"
    say(f"\nStart the service with `orgctx serve`, and see what the agent sees: `{check}`.")
