"""The admin connection, the only one that may write; authorises and records every change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import dict_row

from orgctx.cli.errors import CommandError, reason
from orgctx.cli.recording import record
from orgctx.config.settings import Config
from orgctx.schemas.formats import UUID_FORM
from orgctx.schemas.spelling import did_you_mean
from orgctx.stores.db import sql

CONNECT_SECONDS = 10
AUTHORITIES = ("owner", "admin")

Connection = psycopg.Connection[Any]


def connect(url: str, *, setting: str = "ORGCTX_ADMIN_DATABASE_URL") -> Connection:
    """An autocommit connection with rows as dicts. setting: named in the error if it fails."""
    try:
        return psycopg.connect(
            url,
            autocommit=True,
            row_factory=dict_row,
            connect_timeout=CONNECT_SECONDS,
            client_encoding="UTF8",
            prepare_threshold=None,
        )
    except psycopg.Error as error:
        raise CommandError(
            f"cannot connect to the database of {setting} ({reason(error)}): "
            "check the setting and that the server runs"
        ) from None


@contextmanager
def reading() -> Iterator[Connection]:
    """A read-only transaction on the admin database of the environment."""
    with _transaction() as connection:
        connection.execute("SET TRANSACTION READ ONLY")
        yield connection


@dataclass(slots=True)
class Decision:
    """A change that a member decides for an organization, in one transaction.

    before, after: the changed things by name, as they were and as they are now. If they differ,
    the audit gets one record of both.
    """

    connection: Connection
    organization: str
    organization_id: UUID
    user_id: UUID
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)

    def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """The rows of `sql/cli/<name>.sql` for this organization."""
        return run(self.connection, name, organization_id=self.organization_id, **parameters)


@contextmanager
def deciding(by: str, organization: str | None = None, **key: UUID) -> Iterator[Decision]:
    """The only way to change something: an owner or admin decides, and the audit records it.

    organization: an id or slug, as typed. key: the `key_id` whose organization it is, instead.
    Raises CommandError unless there is such an organization and `by` may decide for it.
    """
    with _transaction() as connection:
        name = organization or _organization_of(connection, **key)
        organization_id = find_organization(connection, name)
        user_id = find_authority(connection, name, organization_id, by)
        decision = Decision(connection, name, organization_id, user_id)
        yield decision
        if decision.before != decision.after:
            record(
                connection,
                organization_id,
                before=decision.before,
                after=decision.after,
                decided_by=user_id,
            )


@contextmanager
def _transaction() -> Iterator[Connection]:
    url = Config.from_environment().admin_database_url
    with connect(url) as connection, connection.transaction():
        yield connection


def run(connection: Connection, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
    """The rows of `sql/cli/<name>.sql`, none where it returns none."""
    cursor = connection.cursor(row_factory=dict_row)
    cursor.execute(sql(f"cli/{name}"), parameters or None)
    return cursor.fetchall() if cursor.description else []


def find_organization(connection: Connection, name: str) -> UUID:
    """The organization's id, by id or slug. Raises CommandError if there is none."""
    as_id = UUID(name) if UUID_FORM.fullmatch(name) else None
    found = run(connection, "find_organization", id=as_id, slug=name)
    if not found:
        slugs = [row["slug"] for row in run(connection, "list_organizations")]
        raise CommandError(
            f"no organization {name!r}{did_you_mean(name, slugs)}: see `orgctx organizations list`"
        )
    if len(found) > 1:
        ids = ", ".join(str(row["organization_id"]) for row in found)
        raise CommandError(f"several organizations have the slug {name!r}: give one id of {ids}")
    organization_id: UUID = found[0]["organization_id"]
    return organization_id


def _organization_of(connection: Connection, key_id: UUID) -> str:
    found = run(connection, "find_key", id=key_id)
    if not found:
        raise CommandError(f"no key has the id {key_id}: see `orgctx keys list`")
    return str(found[0]["organization_id"])


def find_authority(
    connection: Connection, organization: str, organization_id: UUID, by: str
) -> UUID:
    """The id of the owner or admin with that id or name, locked until the transaction ends."""
    as_id = UUID(by) if UUID_FORM.fullmatch(by) else None
    found = run(connection, "find_members", organization_id=organization_id, user_id=as_id, name=by)
    if len(found) > 1:
        ids = ", ".join(str(row["user_id"]) for row in found)
        raise CommandError(
            f"several members of organization {organization!r} are called {by!r}: "
            f"give one id of {ids} with --by"
        )
    if not found or found[0]["role"] not in AUTHORITIES:
        raise CommandError(
            f"{by!r} is not an owner or admin of organization {organization!r}: name one who is "
            f"with --by, see `orgctx members list --organization {organization}`"
        )
    user_id: UUID = found[0]["user_id"]
    return user_id
