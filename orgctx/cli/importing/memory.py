"""Store what imports remember, in the transaction that loads the records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import psycopg

from orgctx.cli.admin import run
from orgctx.cli.errors import CommandError
from orgctx.cli.output import printable, say
from orgctx.cli.recording import current_command
from orgctx.decisions import knowledge
from orgctx.importers import Existing

# Deletions to remember for each source; the ones with the oldest evidence are forgotten first.
MOST_DELETIONS = 100_000

Connection = psycopg.Connection[Any]


@dataclass(slots=True)
class Memory:
    """What an import stores besides records: suppressions of renamed items, deletions, importers.

    is_bundle: whether the records are printed; bundles cannot express any of this.
    """

    source_id: str
    is_bundle: bool
    _pairs: list[tuple[str, str]] = field(default_factory=list)

    def carry_suppression(self, id_: str, new_id: str) -> bool:
        """Note that an item is renamed. Returns False if its suppression cannot be carried over."""
        self._pairs.append((id_, new_id))
        return not self.is_bundle

    def store(self, connection: Connection, organization_id: UUID, existing: Existing) -> None:
        """Store it. The caller holds the lock of the organization."""
        knowledge.carry(
            connection, organization_id, self.source_id, self._pairs, command=current_command()
        )
        _store_deletions(connection, organization_id, existing)
        if existing.importers:
            parameters = {
                "ids": list(existing.importers),
                "importers": list(existing.importers.values()),
            }
            run(connection, "note_importers", organization_id=organization_id, **parameters)


def _store_deletions(connection: Connection, organization_id: UUID, existing: Existing) -> None:
    deletions = existing.deletions
    for source_id in deletions.read_sources:
        # The lock is held now, so no other import can delete records of the source.
        if not deletions.is_current(source_id):
            raise CommandError(
                f"Nothing was imported: another import changed {printable(source_id)} meanwhile. "
                "Run this one again."
            )
    for source_id, keys in deletions.restored.items():
        if keys:
            types, ids = (list(column) for column in zip(*sorted(keys), strict=True))
            source = {"organization_id": organization_id, "source_id": source_id}
            run(connection, "forget_deletions", **source, types=types, ids=ids)
    for source_id, added in deletions.added.items():
        if added:
            types, ids = (list(column) for column in zip(*added, strict=True))
            source = {"organization_id": organization_id, "source_id": source_id}
            times = list(added.values())
            run(connection, "remember_deletions", **source, types=types, ids=ids, times=times)
            (row,) = run(connection, "limit_deletions", **source, limit=MOST_DELETIONS)
            if count := row["forgotten_count"]:
                say(f"{printable(source_id)}: {count:,} of the oldest deletions are forgotten.")
