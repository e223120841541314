"""orgctx keys: API keys are issued, listed, changed and revoked here alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import click

from orgctx import keys as form
from orgctx.cli import admin
from orgctx.cli.faults import CommandError
from orgctx.cli.options import access_option, by_option, organization_option, scope_option
from orgctx.cli.output import camel, json_option, print_json, print_table, say
from orgctx.config import Config
from orgctx.errors import ApiError
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import Quota

COLUMNS = {
    "id": "id",
    "hint": "hint",
    "state": "state",
    "access": "access",
    "scopes": "scopes",
    "issuer_id": "issuer",
    "expires_at": "expires",
    "last_used_at": "last used",
}


@click.group()
def keys() -> None:
    """Issue, list, revoke and change API keys."""


@keys.command()
@organization_option
@by_option
@access_option(required=True)
@scope_option(required=True)
@click.option(
    "--expires-in-days",
    "days",
    required=True,
    type=click.Choice(["7", "30", "90"]),
    help="How long the key lives.",
)
@json_option
def issue(
    organization: str, user_id: UUID, access: str, scopes: list[str], days: str, as_json: bool
) -> None:
    """Issue a key and print its secret, which is shown this once."""
    secret = form.generate()
    key: dict[str, Any] = {
        "id": uuid4(),
        "key": secret,
        "hint": form.hint(secret),
        "access": access,
        "scopes": scopes,
    }
    with admin.transaction() as connection:
        key["organization_id"] = admin.find_organization(connection, organization)
        admin.check_authority(connection, key["organization_id"], user_id)
        stored = {**key, "key_hash": form.digest(secret), "issued_by": user_id, "days": int(days)}
        key |= admin.run(connection, "issue_key", **stored)[0]
    if as_json:
        print_json(camel(key))
    else:
        click.echo(secret)
        say(f"key {key['id']} with {access} access to {', '.join(scopes)}")
        say(f"expires {key['expires_at'].astimezone(UTC):%Y-%m-%d %H:%M}Z")
        say("Store the key now: it is not kept and cannot be shown again.")


@keys.command("list")
@organization_option
@json_option
def list_keys(organization: str, as_json: bool) -> None:
    """List an organization's keys, newest first; never a secret or its hash."""
    with admin.transaction() as connection:
        organization_id = admin.find_organization(connection, organization)
        rows = admin.run(connection, "list_keys", organization_id=organization_id)
    last_used = _last_used(organization_id, [row["id"] for row in rows])
    for row, at in zip(rows, last_used or [None] * len(rows), strict=True):
        row["last_used_at"] = at
    if as_json:
        print_json([camel(row) for row in rows])
        return
    unused = "unknown" if last_used is None else "never"
    for row in rows:
        row["last_used_at"] = row["last_used_at"] or unused
    print_table(tuple(COLUMNS.values()), ([row[name] for name in COLUMNS] for row in rows))


@keys.command()
@click.argument("key_id", type=click.UUID)
@by_option
@access_option(required=False)
@scope_option(required=False)
@json_option
def change(
    key_id: UUID, user_id: UUID, access: str | None, scopes: list[str], as_json: bool
) -> None:
    """Change a key's access or scopes; its secret and expiry stay.

    The scopes given replace all that it has.
    """
    if not access and not scopes:
        raise click.UsageError("give --access or --scope, or both")
    with admin.transaction() as connection:
        key = _find(connection, key_id, user_id)
        if key["is_revoked"] or key["is_expired"]:
            state = "revoked" if key["is_revoked"] else "expired"
            raise CommandError(f"key {key_id} is {state} and cannot be changed: issue a new one")
        target = {"organization_id": key["organization_id"], "id": key_id}
        granted = {"access": access or key["access"], "scopes": scopes or key["scopes"]}
        admin.run(connection, "change_key", **target, **granted, changed_by=user_id)
    if as_json:
        members = {**target, "hint": key["hint"], **granted, "expires_at": key["expires_at"]}
        print_json(camel(members))
    else:
        names = ", ".join(granted["scopes"])
        click.echo(f"key {key_id} has {granted['access']} access to {names}")


@keys.command()
@click.argument("key_id", type=click.UUID)
@by_option
@json_option
def revoke(key_id: UUID, user_id: UUID, as_json: bool) -> None:
    """Revoke a key for good; the next request with it is refused."""
    with admin.transaction() as connection:
        key = _find(connection, key_id, user_id)
        target = {"organization_id": key["organization_id"], "id": key_id}
        admin.run(connection, "revoke_key", **target, revoked_by=user_id)
    if as_json:
        print_json(camel({**target, "hint": key["hint"], "state": "revoked"}))
    else:
        click.echo(f"revoked key {key_id}")


def _find(connection: admin.Connection, key_id: UUID, user_id: UUID) -> dict[str, Any]:
    """The key, held. Raises CommandError if there is none or the user may not decide."""
    found = admin.run(connection, "find_key", id=key_id)
    if not found:
        raise CommandError(f"no key has the id {key_id}: see `orgctx keys list`")
    admin.check_authority(connection, found[0]["organization_id"], user_id)
    return found[0]


def _last_used(organization_id: UUID, key_ids: Sequence[UUID]) -> list[datetime | None] | None:
    """When keys were last used, to the minute; None if Redis does not say."""
    config = Config.from_environment()
    quota = Quota(config.redis_url, timeout_seconds=config.request_timeout_seconds)
    try:
        times = quota.last_used(
            organization_id, list(key_ids), Deadline(config.request_timeout_seconds)
        )
    except ApiError:
        say("Warning: Redis does not answer, so when keys were last used is unknown.")
        return None
    finally:
        quota.close()
    return [datetime.fromtimestamp(int(at), UTC) if at else None for at in times]
