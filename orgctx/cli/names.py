"""Find organizations, members, sources and keys by id, name or hint."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import click

from orgctx.cli.errors import CommandError
from orgctx.decisions import Decision, list_members, organizations, sources
from orgctx.decisions.keys import listed
from orgctx.decisions.members import REMOVED
from orgctx.key_format import HINT_LENGTH, PREFIX
from orgctx.schemas.formats import UUID_PATTERN
from orgctx.schemas.text import did_you_mean
from orgctx.stores.db import Connection, Row, Tenant, run

MOST_CANDIDATES = 10


def parse_id(text: str) -> UUID | None:
    return UUID(text) if UUID_PATTERN.fullmatch(text) else None


def find_organization(connection: Connection, name: str) -> Tenant:
    """Find an organization by id or slug. Raises CommandError."""
    rows = organizations.listed(connection, name, id_=parse_id(name))
    if not rows:
        slugs = [row["slug"] for row in organizations.listed(connection)]
        raise CommandError(
            f"Unknown organization {name!r}{did_you_mean(name, slugs) or '.'} "
            "See `orgctx organizations list`."
        )
    return Tenant(connection, rows[0]["id"])


def find_member(tenant: Tenant, organization: str, name: str, option: str = "--by") -> UUID:
    """Find a member by id or name. organization, option: for the error message."""
    id_ = parse_id(name)
    rows = list_members(tenant, id_=id_, name=None if id_ else name)
    rows = [row for row in rows if row["role"] != REMOVED] or rows
    if len(rows) > 1:
        ids = _join(f"{row['id']} ({row['role']})" for row in rows)
        raise CommandError(
            f"Several members of organization {organization!r} are named {name!r}. "
            f"Pass one of the ids {ids} with {option}."
        )
    if not rows:
        raise not_authorized(organization, name, option)
    user_id: UUID = rows[0]["id"]
    return user_id


def not_authorized(organization: str, name: str, option: str = "--by") -> CommandError:
    return CommandError(
        f"{name!r} is not an owner or admin of organization {organization!r}. Pass one who is "
        f"with {option}; see `orgctx members list --organization {organization}`."
    )


def check_sources(tenant: Tenant, organization: str, ids: Sequence[str]) -> list[str]:
    """Return the ids, each once. Raises CommandError, which names every unknown source."""
    known = [row["id"] for row in sources.stored(tenant)] if ids else []
    if unknown := [id_ for id_ in dict.fromkeys(ids) if id_ not in known]:
        hint = did_you_mean(unknown[0], known) or "."
        effect = "Nothing was changed. " if isinstance(tenant, Decision) else ""
        raise CommandError(
            f"Organization {organization!r} has no source "
            f"{', '.join(map(repr, unknown))}{hint} {effect}"
            f"See `orgctx sources list --organization {organization}`."
        )
    return [*dict.fromkeys(ids)]


def find_key(connection: Connection, organization: str | None, text: str) -> tuple[Tenant, Row]:
    """Find a key by id, or by its name or hint in an organization.

    Active keys come first: the name of an ended key may be in use again.

    Returns:
        the organization, and the listed key; of one that is passed by its id, only that.
    """
    id_ = parse_id(text)
    if id_:
        return _organization_of_key(connection, organization, id_), {"id": id_}
    if text.startswith(PREFIX) and len(text) > HINT_LENGTH:
        raise CommandError(
            f"Pass the id, the name or the hint of the key (its first {HINT_LENGTH} characters), "
            "not the key itself. If others may have seen the command, revoke the key."
        )
    if organization is None:
        raise click.UsageError(
            f"{text!r} is not the id of a key. To name a key by its name or hint, pass "
            "--organization too."
        )
    tenant = find_organization(connection, organization)
    rows = listed(tenant)
    active = [row for row in rows if row["state"] == "active"]
    matches = _matches(active, text) or _matches(rows, text)
    if not matches:
        known = [row["name"] for row in active if row["name"]]
        raise CommandError(
            f"Organization {organization!r} has no key named {text!r}"
            f"{did_you_mean(text, known) or '.'} "
            f"See `orgctx keys list --organization {organization}`."
        )
    if len(matches) > 1:
        candidates = _join(f"{row['id']} ({row['hint']}, {row['state']})" for row in matches)
        raise CommandError(
            f"Several keys of organization {organization!r} match {text!r}. Use one of the ids "
            f"{candidates}."
        )
    return tenant, matches[0]


def _organization_of_key(connection: Connection, expected: str | None, key_id: UUID) -> Tenant:
    """Return the organization of a key; it must be the expected one, given by id or slug."""
    rows = run(connection, "cli/find_key", id=key_id)
    organization = expected and find_organization(connection, expected)
    tenant = Tenant(connection, rows[0]["organization_id"]) if rows else None
    if tenant is None or organization not in (None, tenant):
        raise CommandError(f"Unknown key {key_id}. See `orgctx keys list`.")
    return tenant


def _matches(rows: Sequence[Row], text: str) -> list[Row]:
    """Return the keys with this hint, else those with this name, ignoring case."""
    exact = [row for row in rows if row["hint"] == text]
    return exact or [row for row in rows if text and (row["name"] or "").lower() == text.lower()]


def _join(candidates: Any) -> str:
    texts = [*candidates]
    more = len(texts) - MOST_CANDIDATES
    return ", ".join(texts[:MOST_CANDIDATES]) + (f" and {more} more" if more > 0 else "")
