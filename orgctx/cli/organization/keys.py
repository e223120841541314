"""orgctx keys: issue, list, change, rotate and revoke API keys."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import click

from orgctx.cli import admin
from orgctx.cli.names import check_sources, find_key
from orgctx.cli.options import (
    NAME,
    Interval,
    access_option,
    by_option,
    example,
    key_parameters,
    lifetime_option,
    organization_option,
    scope_option,
    source_limit_option,
    yes_option,
)
from orgctx.cli.organization import preview as view
from orgctx.cli.organization.usage import last_uses
from orgctx.cli.output import (
    camel,
    columns,
    echo,
    json_option,
    minute_text,
    print_json,
    print_object,
    print_rows,
    printable,
    say,
)
from orgctx.decisions import keys as decisions
from orgctx.decisions.decision import Decision, state_of
from orgctx.decisions.preview import preview_change
from orgctx.operations.source_kinds import CONTEXT_SCOPE

COLUMNS = columns(
    *("id", "hint", "name", "state", "access", "scopes"),
    limit="sources",
    issuer_name="issuer",
    expires_at="expires",
    last_used_at="last used",
)


@click.group()
def keys() -> None:
    """Issue, list, rotate, revoke and change API keys."""


@keys.command(
    epilog=example(
        "orgctx keys issue --organization acme --by ada --access both "
        "--scope context:read --expires-in-days 30 --name laptop"
    )
)
@organization_option
@by_option
@access_option(required=True)
@scope_option(required=True)
@source_limit_option
@lifetime_option(required=True)
@click.option("--name", type=NAME, help="Purpose of the key, at most 100 characters.")
@json_option
def issue(
    organization: str,
    by: str,
    access: str,
    scopes: list[str],
    source_ids: Sequence[str],
    days: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Issue a key and print it. It is shown only once.

    It reads every approved source of its scopes, unless --source limits it to some.
    """
    with admin.deciding(by, organization) as decision:
        key = decisions.issue(
            decision,
            name=name,
            access=access,
            scopes=scopes,
            days=int(days),
            sources=check_sources(decision, organization, source_ids) or None,
        )
        unreadable = decisions.unreadable(decision, key)
    _print_issued(key, as_json)
    if CONTEXT_SCOPE not in scopes:
        say(f"Warning: without {CONTEXT_SCOPE}, the key can neither search nor list its sources.")
    _warn_of_unreadable(unreadable)


def _warn_of_unreadable(unreadable: dict[str, str]) -> None:
    for id_, why in unreadable.items():
        say(f"Warning: the key does not read {printable(id_)} yet: {why}.")


def _print_issued(key: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(camel(key))
    else:
        echo(key["key"])
        say(f"key {key['id']} with {_rights(key)}")
        say(f"expires {minute_text(key['expires_at'])}")
        say("Store the key now. It is not stored here and cannot be shown again.")


def _rights(key: dict[str, Any]) -> str:
    limit = f" of {printable(', '.join(key['sources']))} only" if key["sources"] else ""
    return f"{key['access']} access to {', '.join(key['scopes'])}{limit}"


@keys.command("list", epilog=example("orgctx keys list --organization acme --expiring 7"))
@organization_option
@click.option(
    "--expiring",
    "days",
    type=click.IntRange(1),
    metavar="DAYS",
    help="Only active keys that expire within DAYS days.",
)
@json_option
def list_keys(organization: str, days: int | None, as_json: bool) -> None:
    """List keys, newest first, without secrets and hashes."""
    with admin.reading_of(organization) as tenant:
        rows = decisions.listed(tenant, expiring_days=days)
    uses = last_uses(tenant.organization_id, [row["id"] for row in rows])
    for row, last_used_at in zip(rows, uses, strict=True):
        row["last_used_at"] = last_used_at
    if as_json:
        print_json([camel(row) for row in rows])
        return
    for row in rows:
        row["last_used_at"] = row["last_used_at"] or "none recorded"
        row["issuer_name"] = row["issuer_name"] or row["issuer_id"]
        ids = row["sources"]
        row["limit"] = "all approved" if ids is None else [id_ or "(deleted)" for id_ in ids]
    print_rows(COLUMNS, rows)


@keys.command(
    epilog=example("orgctx keys change laptop --organization acme --by ada --access both")
)
@key_parameters
@click.option("--name", type=NAME, help="New name of the key.")
@access_option(required=False)
@scope_option(required=False)
@source_limit_option
@click.option("--all-sources", is_flag=True, help="End the limit to sources.")
@yes_option
@click.option("--dry-run", is_flag=True, help="Only show what the key would newly read.")
@json_option
def change(
    key: str,
    organization: str | None,
    by: str,
    name: str | None,
    access: str | None,
    scopes: list[str],
    source_ids: Sequence[str],
    all_sources: bool,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Change the name of a key, or what it may read. The key itself and its expiry stay the same.

    KEY is its id, or its name or hint in an organization. New scopes replace the old ones, and new
    sources the old limit. On a terminal, shows what the key would newly read, and asks. Elsewhere,
    it fails if the scan of that finds something, unless you pass --yes.
    """
    if not (name or access or scopes or source_ids or all_sources):
        raise click.UsageError("Pass --name, --access, --scope, --source or --all-sources.")
    if source_ids and all_sources:
        raise click.UsageError("Pass either --source or --all-sources.")
    with _deciding(key, organization, by) as (decision, key_id):
        organization_name = organization or str(decision.organization_id)
        limit = check_sources(decision, organization_name, source_ids)
        rights: dict[str, Any] = {"scopes": scopes} if scopes else {}
        if limit or all_sources:
            rights["sources"] = limit or None
        preview = preview_change(decision, key_id, rights) if dry_run or not yes else None
    if preview:
        view.ask(
            preview,
            view.options(organization_name, by),
            "Change the key?",
            dry_run=dry_run,
            as_json=as_json,
        )
    if dry_run:
        return
    with _deciding(key, organization, by) as (decision, key_id):
        if preview:
            decision.expect(preview.state)
        row = decisions.change(decision, key_id, name=name, access=access, **rights)
        unreadable = decisions.unreadable(decision, row)
    names = ("hint", "name", "access", "scopes", "sources", "expires_at")
    ids = {"organization_id": decision.organization_id, "id": key_id}
    shown = ids | {name: row[name] for name in names}
    print_object(shown, f"key {key_id} has {_rights(row)}", as_json=as_json)
    _warn_of_unreadable(unreadable)


@keys.command(epilog=example("orgctx keys revoke laptop --organization acme --by ada"))
@key_parameters
@json_option
def revoke(key: str, organization: str | None, by: str, as_json: bool) -> None:
    """Revoke a key permanently. The next request with it is rejected.

    KEY is its id, or its name or hint in an organization. A name also revokes "NAME (rotated)".
    """
    with _deciding(key, organization, by) as (decision, key_id):
        is_name = decision.expected is not None
        row = decisions.revoke(decision, key_id)
        replaced = decisions.replaced(decision, row) if is_name else []
        decision.expect({str(old["id"]): decisions.state(old) for old in replaced})
        for old in replaced:
            decisions.revoke(decision, old["id"])
    ids = {"organization_id": decision.organization_id, "id": key_id}
    revoked = {**ids, "hint": row["hint"], "state": "revoked"}
    print_object(revoked, f"revoked key {key_id}", as_json=as_json)
    for old in replaced:
        say(f"Also revoked {old['hint']}, {printable(old['name'])}.")


@keys.command(
    epilog=example("orgctx keys rotate laptop --organization acme --by ada --old-ends-in 7d")
)
@key_parameters
@click.option(
    "--old-ends-in",
    "old_seconds",
    type=Interval(),
    default="1d",
    show_default=True,
    help="How long the old key still works, such as 0s, 12h or 7d. It never lives longer than "
    "before.",
)
@lifetime_option(required=False, help_="Lifetime of the new key. Default: that of the old one.")
@json_option
def rotate(
    key: str,
    organization: str | None,
    by: str,
    old_seconds: int,
    days: str | None,
    as_json: bool,
) -> None:
    """Replace a key by a new one with its name and rights.

    Prints the new key and lets the old one end. KEY is its id, or its name or hint in an
    organization. The old key is renamed to "NAME (rotated)". Its sources, scopes and access pass
    to the new one; `--by` becomes the issuer.
    """
    with _deciding(key, organization, by) as (decision, key_id):
        new, old = decisions.rotate(
            decision, key_id, old_seconds=old_seconds, days=int(days) if days else None
        )
    ended = {name: old[name] for name in ("id", "hint", "name", "expires_at")}
    _print_issued({**new, "replaces": camel(ended)} if as_json else new, as_json)
    if not as_json:
        say(f"The old key {old['hint']} ends {minute_text(old['expires_at'])}.")


@contextmanager
def _deciding(key: str, organization: str | None, by: str) -> Iterator[tuple[Decision, UUID]]:
    """Let `by` decide about a key, which keeps the name by which it was found.

    Yields the decision and the id of the key.
    """
    with admin.reading() as connection:
        tenant, row = find_key(connection, organization, key)
    with admin.deciding(by, organization or str(tenant.organization_id)) as decision:
        if key.lower() == (row.get("name") or "").lower():
            decision.expect({str(row["id"]): state_of({"name": row["name"]})})
        yield decision, row["id"]
