"""Delete stored records as a load does, after a confirmation, and write an audit record."""

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
from orgctx.cli.output import echo, print_json, printable, say
from orgctx.cli.recording import record
from orgctx.config.settings import Config


class Deletion(NamedTuple):
    descriptions: Mapping[str, Mapping[str, Any]]  # what the audit stores, by id
    names: Sequence[str]
    organization_id: UUID
    user_id: UUID  # the member who decides
    record_counts: Mapping[str, int]  # records that are deleted with them, by type


def plan(
    decision: Decision,
    record_type: str,
    objects: Mapping[str, Mapping[str, Any]],
    names: Sequence[str],
) -> Deletion:
    """Count what would be deleted. objects: what the audit log stores of each object, by id."""
    total: Counter[str] = Counter()
    descriptions = {}
    for id_, description in objects.items():
        counts = cascade(decision.connection, record_type, decision.organization_id, id_)
        descriptions[id_] = {**description, "records": counts}
        total.update(counts)
    return Deletion(descriptions, names, decision.organization_id, decision.user_id, total)


def confirm(make_plan: Callable[[], Deletion], *, yes: bool) -> Deletion:
    """Return the plan after the user has confirmed it. Raises click.Abort if the answer is no.

    Plans again after the answer: meanwhile records may have changed, and `--by` may have lost the
    right to decide.
    """
    deletion = make_plan()
    if yes:
        return deletion
    say(f"This permanently deletes {_format(deletion.names, deletion.record_counts)}.")
    click.confirm("Continue?", abort=True, err=True)
    return make_plan()


def delete(record_type: str, deletion: Deletion, *, as_json: bool) -> None:
    """Delete all objects and their records in one transaction, and print the counts."""
    records = [
        {
            "type": "delete",
            "organizationId": str(deletion.organization_id),
            "data": {"type": record_type, "id": id_},
        }
        for id_ in deletion.descriptions
    ]
    url = Config.from_environment().admin_database_url
    summary = load_records(url, records, finish=partial(_record, deletion))
    counts = {
        name: changes["deleted"]
        for name, changes in summary.items()
        if name != record_type and changes["deleted"]
    }
    if as_json:
        print_json({"deleted": list(deletion.descriptions), "records": counts})
    else:
        echo(f"deleted {_format(deletion.names, counts)}")


def _format(names: Sequence[str], counts: Mapping[str, int]) -> str:
    with_records = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    objects = printable(", ".join(names))
    return f"{objects} (with {with_records})" if with_records else objects


def _record(
    deletion: Deletion, connection: psycopg.Connection[Any], _: frozenset[UUID], summary: Summary
) -> None:
    """Write the audit record, unless another command has deleted everything already."""
    if any(counts["deleted"] for counts in summary.values()):
        record(
            connection,
            deletion.organization_id,
            before=dict(deletion.descriptions),
            after={},
            decided_by=deletion.user_id,
        )
