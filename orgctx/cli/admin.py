"""The admin connection. Every change is authorized and recorded in the audit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import dict_row

from orgctx.cli.errors import CommandError, connection_advice, reason
from orgctx.cli.recording import record
from orgctx.config.settings import Config
from orgctx.schemas.formats import UUID_PATTERN
from orgctx.schemas.spelling import did_you_mean
from orgctx.stores.db import sql

CONNECT_SECONDS = 10
AUTHORITIES = ("owner", "admin")

Connection = psycopg.Connection[Any]


def connect(url: str, *, setting: str = "ORGCTX_ADMIN_DATABASE_URL") -> Connection:
    """Open an autocommit connection whose rows are dicts.

    Args:
        setting: the variable that holds `url`, for the error message.
    """
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
            f"Cannot connect to the database of {setting} ({reason(error)}). "
            f"{connection_advice(error, setting)}"
        ) from None


@contextmanager
def reading() -> Iterator[Connection]:
    """Open a read-only transaction on the admin database."""
    with _transaction() as connection:
        connection.execute("SET TRANSACTION READ ONLY")
        yield connection


def read(organization: str, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
    """Return the rows of `sql/cli/<name>.sql` for an organization, given by id or slug."""
    with reading() as connection:
        organization_id = find_organization(connection, organization)
        return run(connection, name, organization_id=organization_id, **parameters)


@dataclass(slots=True)
class Decision:
    """A change that a member decides for an organization, in one transaction.

    If `before` and `after` differ, an audit record is written.
    """

    connection: Connection
    organization: str  # id or slug, as the user typed it
    organization_id: UUID
    user_id: UUID  # the member who decides
    before: dict[str, Any] = field(default_factory=dict)  # changed objects by name
    after: dict[str, Any] = field(default_factory=dict)

    def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Return the rows of `sql/cli/<name>.sql` for this organization."""
        return run(self.connection, name, organization_id=self.organization_id, **parameters)


@contextmanager
def deciding(by: str, organization: str | None = None, **key: UUID) -> Iterator[Decision]:
    """Let an owner or admin decide, and record the decision. Nothing else may write.

    Args:
        by: the id or name of the member.
        organization: the id or slug of the organization.
        key: `key_id`, which names the organization instead.

    Raises:
        CommandError: the organization does not exist, or `by` may not decide for it.
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
    """Return the rows of `sql/cli/<name>.sql`, or an empty list if it returns no rows."""
    cursor = connection.cursor(row_factory=dict_row)
    cursor.execute(sql(f"cli/{name}"), parameters or None)
    return cursor.fetchall() if cursor.description else []


def find_organization(connection: Connection, name: str) -> UUID:
    """Find an organization's id by id or slug. Raises CommandError unless there is exactly one."""
    rows = run(connection, "find_organization", id=_parse_id(name), slug=name)
    if not rows:
        slugs = [row["slug"] for row in run(connection, "list_organizations")]
        raise CommandError(
            f"Unknown organization {name!r}{did_you_mean(name, slugs) or '.'} "
            "See `orgctx organizations list`."
        )
    if len(rows) > 1:
        ids = ", ".join(str(row["organization_id"]) for row in rows)
        raise CommandError(
            f"Several organizations have the slug {name!r}. Use one of the ids {ids}."
        )
    organization_id: UUID = rows[0]["organization_id"]
    return organization_id


def _parse_id(text: str) -> UUID | None:
    return UUID(text) if UUID_PATTERN.fullmatch(text) else None


def _organization_of(connection: Connection, key_id: UUID) -> str:
    rows = run(connection, "find_key", id=key_id)
    if not rows:
        raise CommandError(f"Unknown key {key_id}. See `orgctx keys list`.")
    return str(rows[0]["organization_id"])


def find_authority(
    connection: Connection, organization: str, organization_id: UUID, by: str
) -> UUID:
    """Find the owner or admin with this id or name, locked until the transaction ends."""
    rows = run(
        connection, "find_members", organization_id=organization_id, user_id=_parse_id(by), name=by
    )
    if len(rows) > 1:
        ids = ", ".join(str(row["user_id"]) for row in rows)
        raise CommandError(
            f"Several members of organization {organization!r} are named {by!r}. "
            f"Pass one of the ids {ids} with --by."
        )
    if not rows or rows[0]["role"] not in AUTHORITIES:
        raise CommandError(
            f"{by!r} is not an owner or admin of organization {organization!r}. Pass one who is "
            f"with --by; see `orgctx members list --organization {organization}`."
        )
    user_id: UUID = rows[0]["user_id"]
    return user_id
