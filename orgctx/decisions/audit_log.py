"""Write audit records, and list them: all, or by pages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

import orjson
from psycopg.types.json import Jsonb

from orgctx.bundle.counts import CHANGES, Summary
from orgctx.stores.db import Connection, Row, Tenant, run

# Whoever has the administrator's database login names the member who decides.
ADMIN_LOGIN = "admin login"
PAGE_SIZE = 100


def record(
    tenant: Tenant,
    *,
    command: str,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    authentication: str = ADMIN_LOGIN,
    decided_by: UUID | None = None,
) -> int:
    """Add a record to the audit log. Returns its sequence.

    Args:
        command: the words of the command, such as `keys issue`.
        before, after: the values that change, by the id or name of what they belong to.
        authentication: how the author was authenticated, such as ADMIN_LOGIN.
        decided_by: the member; None for a change that needs no decision.
    """
    jsonb = partial(Jsonb, dumps=partial(orjson.dumps, default=str))
    (row,) = tenant.run(
        "decisions/record_decision",
        decided_by=decided_by,
        command=command,
        before=jsonb(before or {}),
        after=jsonb(after or {}),
        authentication=authentication,
    )
    return int(row["sequence"])


def record_load(
    connection: Connection,
    organization_ids: Iterable[UUID],
    summary: Summary,
    *,
    command: str,
    files: Sequence[object],
) -> None:
    """Add a record of a load to the audit log of each organization, if it changed anything."""
    changes = {}
    for type_, counts in summary.items():
        changed = {name: counts[name] for name in CHANGES if counts[name]}
        if changed:
            changes[type_] = changed
    after = {"files": [str(file) for file in files], **changes}
    for id_ in sorted(organization_ids) if changes else ():
        held = sum(organization_id == id_ for organization_id, _, _ in summary.held)
        knowledge = {"knowledge": changes["knowledge"] | {"held": held}} if held else {}
        record(Tenant(connection, id_), command=command, after=after | knowledge)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which records to list; None does not filter."""

    member: str | None = None  # the id of who decided
    command: str | None = None  # its words, such as `keys issue`
    object: str | None = None  # the id, or part of the name, of what it changed
    since: datetime | None = None  # the earliest time


def records(
    connection: Connection,
    organization_id: UUID | None,
    filters: Filters,
    *,
    after: int | None = None,
    before: int | None = None,
    limit: int | None = None,
) -> list[Row]:
    """Return the columns of `decisions/list_audit`, oldest first.

    Args:
        organization_id: None for all organizations.
        after, before: only records between these sequences.
        limit: only so many, the newest.
    """
    bounds = {"after": after, "before": before, "row_limit": limit}
    common = {"organization_id": organization_id}
    return run(connection, "decisions/list_audit", **common, **asdict(filters), **bounds)


def find(tenant: Tenant, sequence: int) -> Row | None:
    """Return the record of an organization with a sequence."""
    where = (tenant.connection, tenant.organization_id)
    rows = records(*where, Filters(), after=sequence - 1, before=sequence + 1)
    return rows[0] if rows else None


def commands(tenant: Tenant) -> list[str]:
    """Return the commands of which an organization has records, by name."""
    return [row["command"] for row in tenant.run("decisions/list_audit_commands")]


def page(tenant: Tenant, filters: Filters, *, before: int | None) -> tuple[list[Row], int | None]:
    """Return a page of records, newest first, and `before` of the next page, if there is one."""
    where = (tenant.connection, tenant.organization_id)
    rows = records(*where, filters, before=before, limit=PAGE_SIZE + 1)[::-1]
    shown = rows[:PAGE_SIZE]
    return shown, shown[-1]["sequence"] if len(rows) > PAGE_SIZE else None
