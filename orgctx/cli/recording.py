"""Record decisions, loads and imports in the audit log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import click
import psycopg

from orgctx.bundle import Summary
from orgctx.bundle.loader import COUNTS, Finish
from orgctx.decisions import audit


def record(
    connection: psycopg.Connection[Any],
    organization_id: UUID,
    *,
    before: dict[str, Any],
    after: dict[str, Any],
    decided_by: UUID | None = None,
) -> None:
    """Add a record of the running command to the audit log.

    Args:
        before, after: the values that change, by the id or name of what they belong to.
    """
    audit.record(
        connection,
        organization_id,
        command=current_command(),
        before=before,
        after=after,
        decided_by=decided_by,
    )


def current_command() -> str:
    """Return the words of the running command after `orgctx`."""
    return click.get_current_context().command_path.partition(" ")[2]


def load_recorder(names: Sequence[object]) -> Finish:
    """Return a callback that records a load of these files for each organization."""

    def finish(
        connection: psycopg.Connection[Any], organization_ids: frozenset[UUID], summary: Summary
    ) -> None:
        changes = {
            name: changed for name, counts in summary.items() if (changed := _changes(counts))
        }
        after = {"files": [str(name) for name in names], **changes}
        for organization_id in sorted(organization_ids) if changes else ():
            record(connection, organization_id, before={}, after=after)

    return finish


def _changes(counts: dict[str, int]) -> dict[str, int]:
    return {name: counts[name] for name in COUNTS if name != "unchanged" and counts[name]}
