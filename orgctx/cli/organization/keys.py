"""orgctx keys: issue, list, change and revoke API keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import click

from orgctx import keys as key_format
from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.options import (
    access_option,
    by_option,
    example,
    one_line,
    organization_option,
    scope_option,
)
from orgctx.cli.organization.key_usage import last_uses, mark_unused
from orgctx.cli.output import camel, echo, json_option, print_json, print_rows, say

COLUMNS = {
    "id": "id",
    "hint": "hint",
    "name": "name",
    "state": "state",
    "access": "access",
    "scopes": "scopes",
    "issuer_id": "issuer",
    "expires_at": "expires",
    "last_used_at": "last used",
}
# `keys list` warns about keys that expire within this many days.
WARNING_DAYS = 7


@click.group()
def keys() -> None:
    """Issue, list, revoke and change API keys."""


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
@click.option(
    "--expires-in-days",
    "days",
    required=True,
    type=click.Choice(["7", "30", "90"]),
    help="Lifetime of the key.",
)
@click.option("--name", callback=one_line, help="Purpose of the key, at most 100 characters.")
@json_option
def issue(
    organization: str,
    by: str,
    access: str,
    scopes: list[str],
    days: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Issue a key and print it. It is shown only once."""
    secret = key_format.generate()
    key: dict[str, Any] = {
        "id": uuid4(),
        "key": secret,
        "hint": key_format.hint(secret),
        "name": name,
        "access": access,
        "scopes": scopes,
    }
    with admin.deciding(by, organization) as decision:
        stored = {**key, "key_hash": key_format.digest(secret), "days": int(days)}
        key["organization_id"] = decision.organization_id
        key |= decision.run("issue_key", **stored, issued_by=decision.user_id)[0]
        decision.after = {str(key["id"]): _audit_values(key)}
    mark_unused(key["organization_id"], key["id"])
    if as_json:
        print_json(camel(key))
    else:
        echo(secret)
        say(f"key {key['id']} with {access} access to {', '.join(scopes)}")
        say(f"expires {key['expires_at'].astimezone(UTC):%Y-%m-%d %H:%M}Z")
        say("Store the key now. It is not stored here and cannot be shown again.")


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
    with admin.reading() as connection:
        organization_id = admin.find_organization(connection, organization)
        rows = admin.run(
            connection, "list_keys", organization_id=organization_id, expiring_days=days
        )
    uses = last_uses(organization_id, [row["id"] for row in rows])
    for row, use in zip(rows, uses, strict=True):
        row |= use
    if as_json:
        print_json([camel(row) for row in rows])
        return
    for row in rows:
        unused = "never" if row["used"] is False else "unknown"
        row["last_used_at"] = row["last_used_at"] or unused
    print_rows(COLUMNS, rows)
    _warn_of_expiry(rows)


def _warn_of_expiry(rows: Sequence[dict[str, Any]]) -> None:
    soon = datetime.now(UTC) + timedelta(days=WARNING_DAYS)
    expiring = [row for row in rows if row["state"] == "active" and row["expires_at"] <= soon]
    if expiring:
        hints = ", ".join(row["name"] or row["hint"] for row in expiring)
        say(f"Warning: these keys expire within {WARNING_DAYS} days: {hints}. Issue new ones.")


@keys.command(epilog=example("orgctx keys change KEY_ID --by ada --access both"))
@click.argument("key_id", type=click.UUID)
@by_option
@access_option(required=False)
@scope_option(required=False)
@json_option
def change(key_id: UUID, by: str, access: str | None, scopes: list[str], as_json: bool) -> None:
    """Change the access or the scopes of a key. The key itself and its expiry stay the same.

    The new scopes replace the old ones.
    """
    if not access and not scopes:
        raise click.UsageError("Pass --access, --scope or both.")
    with admin.deciding(by, key_id=key_id) as decision:
        (key,) = decision.run("read_key", id=key_id)
        if key["is_revoked"] or key["is_expired"]:
            state = "revoked" if key["is_revoked"] else "expired"
            raise CommandError(f"Key {key_id} is {state} and cannot be changed. Issue a new one.")
        rights = {"access": access or key["access"], "scopes": scopes or key["scopes"]}
        decision.run("change_key", id=key_id, **rights, changed_by=decision.user_id)
        decision.before = {str(key_id): _audit_values(key)}
        decision.after = {str(key_id): _audit_values(key | rights)}
    if as_json:
        ids = {"organization_id": decision.organization_id, "id": key_id}
        names = {"hint": key["hint"], "name": key["name"]}
        print_json(camel({**ids, **names, **rights, "expires_at": key["expires_at"]}))
    else:
        echo(f"key {key_id} has {rights['access']} access to {', '.join(rights['scopes'])}")


@keys.command(epilog=example("orgctx keys revoke KEY_ID --by ada"))
@click.argument("key_id", type=click.UUID)
@by_option
@json_option
def revoke(key_id: UUID, by: str, as_json: bool) -> None:
    """Revoke a key permanently. The next request with it is rejected."""
    with admin.deciding(by, key_id=key_id) as decision:
        (key,) = decision.run("read_key", id=key_id)
        if not key["is_revoked"]:
            decision.before = {str(key_id): _audit_values(key)}
        decision.run("revoke_key", id=key_id, revoked_by=decision.user_id)
    if as_json:
        ids = {"organization_id": decision.organization_id, "id": key_id}
        print_json(camel({**ids, "hint": key["hint"], "state": "revoked"}))
    else:
        echo(f"revoked key {key_id}")


def _audit_values(key: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a key that the audit log stores."""
    return {name: key[name] for name in ("hint", "name", "access", "scopes", "expires_at")}
