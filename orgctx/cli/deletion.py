"""Deleting what is stored for good: asked before, done as a load does it, and recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

import click
import psycopg

from orgctx.bundle import Summary, load_records
from orgctx.cli.output import say
from orgctx.cli.recording import record
from orgctx.config import Config


class Found(NamedTuple):
    """What is to be deleted, and who decides.

    things: the audit's description of each, by its id. names: as people call them.
    """

    things: Mapping[str, Mapping[str, Any]]
    names: Sequence[str]
    organization_id: UUID
    user_id: UUID


def agreed(find: Callable[[], Found], *, yes: bool) -> Found:
    """What `find` gives, once who runs the command agrees to its deletion.

    It is found again then: while somebody hesitates, whoever decides may lose the right to, and
    what is deleted may change. Raises click.Abort if the answer is no.
    """
    found = find()
    if yes:
        return found
    say(f"This deletes for good, with all that belongs to it: {', '.join(found.names)}")
    click.confirm("Go on?", abort=True, err=True)
    return find()


def delete(record_type: str, found: Found) -> None:
    """Delete records of one type and everything that belongs to them, all or none."""
    deletions = [
        {
            "type": "delete",
            "organizationId": str(found.organization_id),
            "data": {"type": record_type, "id": id_},
        }
        for id_ in found.things
    ]
    url = Config.from_environment().admin_database_url
    load_records(url, deletions, finish=partial(_record, found))


def _record(
    found: Found, connection: psycopg.Connection[Any], _: frozenset[UUID], summary: Summary
) -> None:
    """Unless somebody else was faster with all of it."""
    if any(counts["deleted"] for counts in summary.values()):
        before, by = dict(found.things), found.user_id
        record(connection, found.organization_id, before=before, after={}, decided_by=by)
