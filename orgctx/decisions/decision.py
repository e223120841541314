"""A decision: the changes that a member makes in one transaction, and their audit record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import dict_row

from orgctx.decisions.audit import record
from orgctx.decisions.findings import visible
from orgctx.decisions.state import differences
from orgctx.stores.db import sql

AUTHORITIES = ("owner", "admin")
LOOK_AGAIN = "Nothing was changed. Look again."

Connection = psycopg.Connection[Any]


class DecisionRejected(Exception):
    """The change is not allowed. The message says why and what to do."""


class NotAuthorized(DecisionRejected):
    """The member is not an owner or admin of the organization."""


class Changed(DecisionRejected):
    """An object is no longer as it was shown to the member."""


@dataclass(slots=True)
class Decision:
    """If `before` and `after` differ, an audit record is written."""

    connection: Connection
    organization_id: UUID
    user_id: UUID  # the member who decides
    role: str  # owner or admin
    before: dict[str, Any] = field(default_factory=dict)  # changed objects by name
    after: dict[str, Any] = field(default_factory=dict)
    expected: Mapping[str, str] | None = None

    def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Return the rows of `sql/cli/<name>.sql` for this organization."""
        return run(self.connection, name, organization_id=self.organization_id, **parameters)

    def expect(self, states: Mapping[str, str]) -> None:
        """Reject decisions about objects that have changed since they were shown.

        Call it before the functions that decide; they raise Changed.

        Args:
            states: what `state.state_of` returned for each object, by the id of a source, key or
                knowledge item.
        """
        self.expected = states

    def check(self, id_: str, values: Mapping[str, Any]) -> None:
        """Raise Changed if an object is not as expected. The caller holds its lock.

        Args:
            values: the present values by the names of a state.
        """
        if self.expected is None:
            return
        changes = differences(self.expected.get(id_, ""), values)
        if changes is None:
            raise Changed(f"{visible(id_)} was not shown. {LOOK_AGAIN}")
        if changes:
            listed = ", ".join(f"{name} {change}" for name, change in changes.items())
            author = self._last_author(id_)
            raise Changed(
                f"{visible(id_)} has changed since it was shown: {listed}{author}. {LOOK_AGAIN}"
            )

    def _last_author(self, id_: str) -> str:
        """Return who decided last about an object, and when; empty if nobody did."""
        for row in self.run("find_last_decision", id=id_):
            name = visible(row["name"] or str(row["decided_by"]))
            time = f"{row['at'].astimezone(UTC):%Y-%m-%d %H:%M:%SZ}"
            return f"; last decided by {name} at {time} with `{row['command']}`"
        return ""


@contextmanager
def deciding(
    connection: Connection,
    organization_id: UUID,
    user_id: UUID,
    *,
    command: str,
    authentication: str,
) -> Iterator[Decision]:
    """Let an owner or admin decide in one transaction, and record the decision.

    The member keeps the role until the transaction ends.

    Args:
        command: what the audit record names as the command.
        authentication: how the member was authenticated, such as audit.ADMIN_LOGIN.

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
                authentication=authentication,
                decided_by=user_id,
            )


def run(connection: Connection, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
    """Return the rows of `sql/cli/<name>.sql`, or an empty list if it returns no rows."""
    cursor = connection.cursor(row_factory=dict_row)
    cursor.execute(sql(f"cli/{name}"), parameters or None)
    return cursor.fetchall() if cursor.description else []
