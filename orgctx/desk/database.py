"""Connections of the desk, one for each use, in the role that may only decide."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from orgctx import decisions
from orgctx.decisions import Connection, Decision
from orgctx.decisions.connection import connect
from orgctx.desk.current import desk, member
from orgctx.desk.settings import login_url


@contextmanager
def reading() -> Iterator[Connection]:
    """Open a read-only transaction; its rows are dicts."""
    with _connect() as connection, connection.transaction():
        connection.execute("SET TRANSACTION READ ONLY")
        yield connection


@contextmanager
def deciding(command: str) -> Iterator[Decision]:
    """Let the member who is signed in decide.

    Args:
        command: the words of the command that does the same, such as `keys issue`.

    Raises:
        NotAuthorized: the member is no longer an owner or admin.
    """
    session = member().session
    with deciding_as(
        session.organization_id, session.user_id, session.authentication, command
    ) as decision:
        yield decision


@contextmanager
def deciding_as(
    organization_id: UUID, user_id: UUID, authentication: str, command: str
) -> Iterator[Decision]:
    """Let a member decide who is not signed in yet. Arguments and errors: as for `deciding`."""
    with (
        _connect() as connection,
        decisions.deciding(
            connection, organization_id, user_id, command=command, authentication=authentication
        ) as decision,
    ):
        yield decision


def _connect() -> Connection:
    return connect(login_url(desk().config))
