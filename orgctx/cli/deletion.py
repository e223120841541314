"""Delete stored records permanently, after a confirmation, like a load, with an audit record."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import UUID

import click
import psycopg

from orgctx.bundle import Summary, load_records
from orgctx.cli.output import say
from orgctx.cli.recording import record
from orgctx.config import Config


def confirm(things: Mapping[str, object], *, yes: bool) -> None:
    """Ask, unless `yes`. Raises click.Abort if the answer is no."""
    if not yes:
        say(f"This deletes for good, with all that belongs to it: {', '.join(things)}")
        click.confirm("Go on?", abort=True, err=True)


def delete(
    record_type: str, things: Mapping[str, Mapping[str, Any]], organization_id: UUID, user_id: UUID
) -> None:
    """Delete records of one type and everything that belongs to them, all or none.

    things: the audit's description of each, by its id.
    """
    deletions = [
        {
            "type": "delete",
            "organizationId": str(organization_id),
            "data": {"type": record_type, "id": id_},
        }
        for id_ in things
    ]
    url = Config.from_environment().admin_database_url
    load_records(url, deletions, finish=partial(_record, things, organization_id, user_id))


def _record(
    things: Mapping[str, Mapping[str, Any]],
    organization_id: UUID,
    user_id: UUID,
    connection: psycopg.Connection[Any],
    *_: frozenset[UUID] | Summary,
) -> None:
    record(connection, organization_id, before=dict(things), after={}, decided_by=user_id)
