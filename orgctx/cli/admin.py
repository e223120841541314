"""The admin connection, which alone may write, and who may ask for a change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import DictRow, dict_row

from orgctx.cli.faults import CommandError, reason
from orgctx.config import Config
from orgctx.shapes.fields import UUID_FORM
from orgctx.stores.db import sql

CONNECT_SECONDS = 10
AUTHORITIES = ("owner", "admin")

Connection = psycopg.Connection[DictRow]


def connect(url: str, *, setting: str = "ORGCTX_ADMIN_DATABASE_URL") -> Connection:
    """An autocommit connection with rows as dicts. setting: named if it fails."""
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
def transaction() -> Iterator[Connection]:
    """One transaction on the admin database of the environment."""
    url = Config.from_environment().admin_database_url
    with connect(url) as connection, connection.transaction():
        yield connection


def run(connection: Connection, name: str, **parameters: Any) -> list[dict[str, Any]]:
    """The rows of `sql/cli/<name>.sql`, none where it returns none."""
    cursor = connection.execute(sql(f"cli/{name}"), parameters or None)
    return cursor.fetchall() if cursor.description else []


def find_organization(connection: Connection, name: str) -> UUID:
    """The id of the organization with that id or slug; one line says why if there is none."""
    as_id = UUID(name) if UUID_FORM.fullmatch(name) else None
    found = run(connection, "find_organization", id=as_id, slug=name)
    if not found:
        raise CommandError(f"no organization {name!r}: see `orgctx organizations list`")
    if len(found) > 1:
        ids = ", ".join(str(row["organization_id"]) for row in found)
        raise CommandError(f"several organizations have the slug {name!r}: give one id of {ids}")
    organization_id: UUID = found[0]["organization_id"]
    return organization_id


def check_authority(connection: Connection, organization_id: UUID, user_id: UUID) -> None:
    """Raise CommandError unless the user is owner or admin of the organization now."""
    found = run(connection, "read_role", organization_id=organization_id, user_id=user_id)
    if not found or found[0]["role"] not in AUTHORITIES:
        raise CommandError(
            f"user {user_id} is not an owner or admin of organization {organization_id}: "
            "name one who is with --by"
        )
