"""The admin connection. Every change is authorized and recorded in the audit."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from shlex import quote
from typing import Any

import click
import psycopg
from psycopg.rows import dict_row

from orgctx import decisions
from orgctx.cli import names
from orgctx.cli.errors import CommandError, connection_advice, reason
from orgctx.cli.output import say
from orgctx.config.settings import Config
from orgctx.decisions.undo import can_undo
from orgctx.stores.db import Connection, Row, Tenant

CONNECT_SECONDS = 10


def connect(
    url: str,
    *,
    setting: str = "ORGCTX_ADMIN_DATABASE_URL",
    connect_seconds: int = CONNECT_SECONDS,
) -> Connection:
    """Open an autocommit connection whose rows are dicts.

    Args:
        setting: the variable that holds `url`, for the error message.
        connect_seconds: how long to wait for each address of the server.
    """
    try:
        return psycopg.connect(
            url,
            autocommit=True,
            row_factory=dict_row,
            connect_timeout=connect_seconds,
            client_encoding="UTF8",
            prepare_threshold=None,
        )
    except psycopg.Error as error:
        raise CommandError(
            f"Cannot connect to the database of {setting} ({reason(error)}). "
            f"{connection_advice(error, setting)}"
        ) from None


def current_command() -> str:
    """Return the words of the running command after `orgctx`, for the audit log."""
    return click.get_current_context().command_path.partition(" ")[2]


@contextmanager
def writing(**options: Any) -> Iterator[Connection]:
    """Open an autocommit connection to the admin database. options: those of `connect`."""
    with connect(Config.from_environment().admin_database_url, **options) as connection:
        yield connection


@contextmanager
def reading(**options: Any) -> Iterator[Connection]:
    """Open a read-only transaction on the admin database. options: those of `connect`."""
    with writing(**options) as connection, connection.transaction():
        connection.execute("SET TRANSACTION READ ONLY")
        yield connection


@contextmanager
def reading_of(organization: str) -> Iterator[Tenant]:
    """Open a read-only transaction of an organization, given by id or slug."""
    with reading() as connection:
        yield names.find_organization(connection, organization)


def read(organization: str, list_: Callable[[Tenant], list[Row]]) -> list[Row]:
    """Return the rows of an organization, given by id or slug."""
    with reading_of(organization) as tenant:
        return list_(tenant)


@contextmanager
def deciding(by: str, organization: str) -> Iterator[decisions.Decision]:
    """Let an owner or admin decide, and record the decision of the running command.

    Args:
        by: the id or name of the member.
        organization: the id or slug of the organization.

    Raises:
        CommandError: the organization does not exist, or `by` may not decide for it.
    """
    with writing() as connection:
        tenant = names.find_organization(connection, organization)
        user_id = names.find_member(tenant, organization, by)
        try:
            with decisions.deciding(
                tenant,
                user_id,
                command=current_command(),
                authentication=decisions.ADMIN_LOGIN,
            ) as decision:
                yield decision
            record = {"decided_by": user_id, "before": decision.before, "after": decision.after}
            if decision.sequence and sys.stderr.isatty() and can_undo(record):
                say(
                    f"Undo it with `orgctx audit undo {decision.sequence} "
                    f"--organization {quote(organization)} --by {quote(by)}`."
                )
        except decisions.NotAuthorized:
            raise names.not_authorized(organization, by) from None
