"""Delete stored records for good: ask first, delete as a load does, and write an audit record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

import click
import psycopg

from orgctx.bundle import Summary, load_records
from orgctx.bundle.cascade import cascade
from orgctx.cli.admin import Decision
from orgctx.cli.output import print_json, printable, say
from orgctx.cli.recording import record
from orgctx.config.settings import Config


class Found(NamedTuple):
    """What is to be deleted, and who decides.

    things: the audit's description of each, by its id. names: as people call them. records: by
    type, the numbers of those that go with them.
    """

    things: Mapping[str, Mapping[str, Any]]
    names: Sequence[str]
    organization_id: UUID
    user_id: UUID
    records: Mapping[str, int]


def find(
    decision: Decision,
    record_type: str,
    things: Mapping[str, Mapping[str, Any]],
    names: Sequence[str],
) -> Found:
    """These records, and what goes with each."""
    total: Counter[str] = Counter()
    described = {}
    for id_, thing in things.items():
        below = cascade(decision.connection, record_type, decision.organization_id, id_)
        described[id_] = {**thing, "records": below}
        total.update(below)
    return Found(described, names, decision.organization_id, decision.user_id, total)


def agreed(look: Callable[[], Found], *, yes: bool) -> Found:
    """What `look` finds, once the person at the command agrees to delete it.

    It looks again after the answer, because records may have changed meanwhile, and `--by` may
    have lost the right to decide. Raises click.Abort if the answer is no.
    """
    found = look()
    if yes:
        return found
    say(f"This deletes for good: {_described(found.names, found.records)}")
    click.confirm("Go on?", abort=True, err=True)
    return look()


def delete(record_type: str, found: Found, *, as_json: bool) -> None:
    """Delete records of one type and everything that belongs to them, all or none, and report."""
    deletions = [
        {
            "type": "delete",
            "organizationId": str(found.organization_id),
            "data": {"type": record_type, "id": id_},
        }
        for id_ in found.things
    ]
    url = Config.from_environment().admin_database_url
    summary = load_records(url, deletions, finish=partial(_record, found))
    records = {
        name: counts["deleted"]
        for name, counts in summary.items()
        if name != record_type and counts["deleted"]
    }
    if as_json:
        print_json({"deleted": list(found.things), "records": records})
    else:
        click.echo(f"deleted {_described(found.names, records)}")


def _described(names: Sequence[str], records: Mapping[str, int]) -> str:
    counts = ", ".join(f"{count:,} {name}" for name, count in records.items())
    named = printable(", ".join(names))
    return f"{named} (with {counts})" if counts else named


def _record(
    found: Found, connection: psycopg.Connection[Any], _: frozenset[UUID], summary: Summary
) -> None:
    """Write the audit record, unless somebody else has deleted everything already."""
    if any(counts["deleted"] for counts in summary.values()):
        before, by = dict(found.things), found.user_id
        record(connection, found.organization_id, before=before, after={}, decided_by=by)
