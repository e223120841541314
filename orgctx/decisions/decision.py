"""A decision: the changes that a member makes in one transaction, and their audit record.

A listing or page shows objects with their states, so that nobody decides about another state:
`Decision.expect` takes those that were shown, and each function of this package compares them
inside its transaction, once it holds the lock of the object.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import orjson

from orgctx.decisions.audit_log import record
from orgctx.decisions.findings import visible
from orgctx.stores.db import Row, Tenant

# A longer value is replaced by its digest, so that states fit into forms.
LONGEST_VALUE = 200
LONGEST_STATE = 4_000


def state_of(values: Mapping[str, Any]) -> str:
    """Return the state of an object as text.

    Args:
        values: what was shown of it, by the names that a message uses.
    """
    return orjson.dumps({name: _short(value) for name, value in values.items()}).decode()


def differences(shown: str, values: Mapping[str, Any]) -> dict[str, str] | None:
    """Return `before -> now` by name, for what differs from a state; None if it is not a state.

    Args:
        shown: a state of the same object, which has some or all of the names of `values`.
    """
    try:
        old = orjson.loads(shown) if len(shown) <= LONGEST_STATE else None
    except orjson.JSONDecodeError:
        old = None
    if not isinstance(old, dict) or not old or not old.keys() <= values.keys():
        return None
    now = {name: _short(values[name]) for name in old}
    return {
        name: f"{_text(value)} -> {_text(now[name])}"
        for name, value in old.items()
        if value != now[name]
    }


def _short(value: Any) -> str | bool | int | None:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, datetime):
        value = value.astimezone(UTC).isoformat()
    text = value if isinstance(value, str) else orjson.dumps(value, default=str).decode()
    if len(text) <= LONGEST_VALUE:
        return text
    return f"sha256:{sha256(text.encode()).hexdigest()[:32]}"


def _text(value: Any) -> str:
    return visible(value) if isinstance(value, str) else orjson.dumps(value).decode()


AUTHORITIES = ("owner", "admin")
LOOK_AGAIN = "Nothing was changed. Look again."


class DecisionRejected(Exception):
    """The change is not allowed. The message says why and what to do."""


class NotAuthorized(DecisionRejected):
    """The member is not an owner or admin of the organization."""


class Changed(DecisionRejected):
    """An object is no longer as it was shown to the member."""


@dataclass(slots=True)
class Decision(Tenant):
    """If `before` and `after` differ, an audit record is written."""

    user_id: UUID  # the member who decides
    role: str  # owner or admin
    before: dict[str, Any] = field(default_factory=dict)  # changed objects by name
    after: dict[str, Any] = field(default_factory=dict)
    expected: Mapping[str, str] | None = None
    sequence: int | None = None  # of the audit record, once the decision is made and stored
    keeps_role: bool = False  # whether the member is locked

    # Loads lock the organization, then its members, then sources, and so do decisions. Those that
    # expose nothing do not lock the organization, so that they wait for no load.

    def lock_organization(self) -> None:
        """Block loads until the transaction ends, and wait for a running one."""
        Tenant.lock_organization(self)
        self.lock_member()

    def lock_sources(self, ids: Sequence[str] | None) -> list[str]:
        """Lock sources, or all, until the transaction ends. Returns the ids of those that exist."""
        self.lock_member()
        return Tenant.lock_sources(self, ids)

    def lock_member(self) -> None:
        """Keep the role of the member until the transaction ends.

        Raises:
            NotAuthorized: it is no longer the one with which the decision began.
        """
        # A decision may change the role of who decides.
        if not self.keeps_role and lock_member(self, self.user_id) != self.role:
            raise NotAuthorized(f"{self.user_id} no longer has the role {self.role}.")
        self.keeps_role = True

    def expect(self, states: Mapping[str, str]) -> None:
        """Reject decisions about objects that have changed since they were shown.

        Call it before the functions that decide; they raise Changed.

        Args:
            states: what `state_of` returned for each object, by the id of a source, key or
                knowledge item.
        """
        self.expected = states

    def check(self, id_: str, values: Mapping[str, Any], name: str | None) -> None:
        """Raise Changed if an object is not as expected. The caller holds its lock.

        Args:
            values: the present values by the names of a state.
            name: what people call it; by default its id.
        """
        if self.expected is None:
            return
        changes = differences(self.expected.get(id_, ""), values)
        if changes is None:
            raise Changed(f"{visible(name or id_)} was not shown. {LOOK_AGAIN}")
        if changes:
            text = ", ".join(f"{changed} {change}" for changed, change in changes.items())
            if last := self.last_of([id_]):
                text += f"; last decided {last[1]}"
            subject = visible(name or id_)
            raise Changed(f"{subject} has changed since it was shown: {text}. {LOOK_AGAIN}")

    def last_of(self, ids: Sequence[str]) -> tuple[int, str] | None:
        """Return the sequence of the last decision about one of the objects, and how to name it."""
        rows = self.run("decisions/find_last_decision", ids=ids)
        if not rows:
            return None
        row = rows[0]
        member = visible(row["name"] or str(row["decided_by"]))
        time = f"{row['at'].astimezone(UTC):%Y-%m-%d %H:%M:%SZ}"
        return row["sequence"], f"by {member} at {time} with `{row['command']}`"


@contextmanager
def deciding(
    tenant: Tenant,
    user_id: UUID,
    *,
    command: str,
    authentication: str,
) -> Iterator[Decision]:
    """Let an owner or admin decide in one transaction, and record the decision.

    The member still has the role when it is recorded.

    Args:
        command: what the audit record names as the command.
        authentication: how the member was authenticated, such as audit.ADMIN_LOGIN.

    Raises:
        NotAuthorized: the member may not decide for the organization.
    """
    with tenant.connection.transaction():
        rows = list_members(tenant, id_=user_id)
        if not rows or rows[0]["role"] not in AUTHORITIES:
            raise NotAuthorized(f"{user_id} is not an owner or admin of the organization.")
        decision = Decision(tenant.connection, tenant.organization_id, user_id, rows[0]["role"])
        yield decision
        if decision.before != decision.after:
            decision.lock_member()
            decision.sequence = record(
                tenant,
                command=command,
                before=decision.before,
                after=decision.after,
                authentication=authentication,
                decided_by=user_id,
            )


def list_members(tenant: Tenant, *, id_: UUID | None = None, name: str | None = None) -> list[Row]:
    """Return the columns of decisions/list_members; None does not filter."""
    return tenant.run("decisions/list_members", id=id_, name=name)


def lock_member(tenant: Tenant, user_id: UUID) -> str | None:
    """Lock a member until the transaction ends. Returns the role; None if there is no member."""
    rows = tenant.run("decisions/lock_member", user_id=user_id)
    return rows[0]["role"] if rows else None
