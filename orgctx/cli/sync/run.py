"""Run one import of a sync, unless its files have not changed since the last one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg

from orgctx.bundle.loader import COUNTS
from orgctx.cli.admin import Connection, connect, find_organization, run
from orgctx.cli.errors import CommandError, explain
from orgctx.cli.sync.entry import Entry
from orgctx.cli.sync.listing import digest
from orgctx.cli.sync.process import run_import
from orgctx.cli.sync.stopping import Stop
from orgctx.config.settings import Config

# Unchanged files are imported again after this time, because pages expire and become due.
LONGEST_REST = timedelta(days=1)
NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Listing:
    """What a sync found of the files of a source; see sql/schema/014_sync.sql."""

    digest: bytes | None = None
    refused_count: int = 0
    imported_at: datetime = NEVER
    load_count: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one import.

    state: imported, unchanged or failed.
    refused_count: the files that this import, or the last one of unchanged files, refused.
    message: why it failed, or what was refused.
    report: what `orgctx import --json` printed; None unless it was imported.
    """

    entry: Entry
    state: str
    refused_count: int = 0
    message: str | None = None
    report: dict[str, Any] | None = None

    @property
    def is_complete(self) -> bool:
        return self.state != "failed" and not self.refused_count

    def __str__(self) -> str:
        parts = [f"{self.entry}: {self.state}"]
        if self.report:
            parts += [f"{self.report[name]:,} {name}" for name in COUNTS if self.report[name]]
            parts += ["visible now"] if self.report["approved"] else []
        elif self.refused_count:
            parts.append(f"{self.refused_count:,} refused by the last import")
        return ", ".join(parts) + (f": {self.message}" if self.message else "")

    def as_json(self) -> dict[str, Any]:
        return {
            "organization": self.entry.organization,
            "source": self.entry.source_id,
            "state": self.state,
            "refusedCount": self.refused_count,
            "message": self.message,
            "report": self.report,
        }


def synchronize(entry: Entry, stop: Stop) -> Result:
    """Run one import. Its failure is a result, too."""
    try:
        with connect(Config.from_environment().admin_database_url) as connection:
            sync = _Sync(connection, entry, stop)
            with sync.locked() as started_at:
                return sync.run(started_at)
    except CommandError as error:
        return Result(entry, "failed", message=error.message)
    except (psycopg.Error, OSError) as error:
        return Result(entry, "failed", message=explain(error).message)


class _Sync:
    """One import, and its source in the database."""

    def __init__(self, connection: Connection, entry: Entry, stop: Stop) -> None:
        self._connection, self._entry, self._stop = connection, entry, stop
        self._organization_id: UUID = find_organization(connection, entry.organization)

    @contextmanager
    def locked(self) -> Iterator[datetime]:
        """Lock the source while the block runs. Yields the time of the database."""
        (row,) = self._query("lock_sync")
        if not row["is_locked"]:
            raise CommandError("another sync is importing this source")
        try:
            yield row["started_at"]
        finally:
            self._query("unlock_sync")

    def run(self, started_at: datetime) -> Result:
        # Listed before the import reads the files, so that a later change is noticed.
        listed = digest(self._entry)
        known = self._known()
        if known.digest == listed and started_at - known.imported_at < LONGEST_REST:
            self._move_time(started_at)
            return Result(self._entry, "unchanged", known.refused_count)
        report, message = run_import(self._entry.arguments, self._stop)
        if report is None:
            message = "stopped by a signal" if self._stop.is_set else message
            return Result(self._entry, "failed", message=message)
        refused_count = report["refused"]["count"]
        with self._connection.transaction():
            # An export of an account may fill other sources only.
            if self._move_time(started_at):
                listing = Listing(listed, refused_count, started_at, known.load_count)
                self._query("store_listing", **asdict(listing))
        return Result(self._entry, "imported", refused_count, message, report)

    def _known(self) -> Listing:
        rows = self._query("read_listing")
        return Listing(**rows[0]) if rows else Listing()

    def _move_time(self, started_at: datetime) -> bool:
        """Move the time of collection. Returns whether the source exists."""
        collected_at = started_at if self._entry.is_folder else None
        return bool(self._query("note_collection", collected_at=collected_at))

    def _query(self, name: str, **parameters: Any) -> list[dict[str, Any]]:
        source = {"organization_id": self._organization_id, "source_id": self._entry.source_id}
        return run(self._connection, name, **source, **parameters)
