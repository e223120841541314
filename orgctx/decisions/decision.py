"""A decision: the changes that a member makes in one transaction, and their audit record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import dict_row

from orgctx.decisions.audit import record
from orgctx.stores.db import sql

AUTHORITIES = ("owner", "admin")

Connection = psycopg.Connection[Any]


class DecisionRejected(Exception):
    """The change is not allowed. The message says why and what to do."""


class NotAuthorized(DecisionRejected):
    """The member is not an owner or admin of the organization."""


@dataclass(slots=True)
class Decision:
    """If `before` and `after` differ, an audit record is written."""

    connection: Connection
    organization_id: UUID
    user_id: UUID  # the member who decides
    role: str  # owner or admin
    before: dict[str, Any] = field(default_factory=dict)  # changed objects by name
    after: dict[str, Any] = field(default_factory=dict)

    def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Return the rows of `sql/cli/<name>.sql` for this organization."""
        return run(self.connection, name, organization_id=self.organization_id, **parameters)


@contextmanager
def deciding(
    connection: Connection, organization_id: UUID, user_id: UUID, command: str
) -> Iterator[Decision]:
    """Let an owner or admin decide in one transaction, and record the decision.

    The member keeps the role until the transaction ends.

    Args:
        command: what the audit record names as the command.

    Raises:
        NotAuthorized: the member may not decide for the organization.
    """
    with connection.transaction():
        rows = run(
            connection, "find_members", organization_id=organization_id, user_id=user_id, name=None
        )
        if not rows or rows[0]["role"] not in AUTHORITIES:
            raise NotAuthorized(f"{user_id} is not an owner or admin of the organization.")
        decision = Decision(connection, organization_id, user_id, rows[0]["role"])
        yield decision
        if decision.before != decision.after:
            record(
                connection,
                organization_id,
                command=command,
                before=decision.before,
                after=decision.after,
                decided_by=user_id,
            )


def run(connection: Connection, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
    """Return the rows of `sql/cli/<name>.sql`, or an empty list if it returns no rows."""
    cursor = connection.cursor(row_factory=dict_row)
    cursor.execute(sql(f"cli/{name}"), parameters or None)
    return cursor.fetchall() if cursor.description else []
