"""Records that every importer makes: the envelope, the source, deletions and times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from orgctx.importers.existing import Existing
from orgctx.importers.report import ImportRefused, Report
from orgctx.schemas.formats import instant_text

Record = dict[str, Any]
Progress = Callable[[int], object]


def no_progress(_: int) -> None:
    """Progress callback that does nothing."""


# A snapshot is stale after a week.
STALE_AFTER_SECONDS = 7 * 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Target:
    """The target of records. stale_after_seconds: default that of the stored source, or a week."""

    organization_id: str
    source_id: str
    existing: Existing
    stale_after_seconds: int | None = None

    def record(self, type_: str, data: Record) -> Record:
        return {
            "type": type_,
            "organizationId": self.organization_id,
            "sourceId": self.source_id,
            "data": data,
        }

    def source(
        self, kind: str, label: str, description: str, updated_at: datetime | None
    ) -> Record:
        """The source: a new one as given; for a stored one only status and time change.

        updated_at: when it was collected, None if unknown. It never goes back, because a
        collector may have updated the source since. Raises ImportRefused if a source of another
        kind has the id.
        """
        data: Record = {"kind": kind, "label": label, "description": description}
        data |= {"href": None, "status": "current", "updatedAt": _text(updated_at)}
        asked = self.stale_after_seconds
        data |= {"staleAfterSeconds": asked or STALE_AFTER_SECONDS, "account": None}
        stored = self.existing.sources.get(self.source_id)
        if stored is None:
            return self.record("source", data)
        if stored["kind"] != kind:
            raise ImportRefused(
                self.source_id, f"is a source of kind {stored['kind']}; name one of kind {kind}"
            )
        kept = ("label", "description", "href", "account")
        data |= {name: stored[name] for name in kept}
        if not asked and stored["staleAfterSeconds"]:
            data["staleAfterSeconds"] = stored["staleAfterSeconds"]
        times = [at for at in (stored["updatedAt"], updated_at) if at]
        data["updatedAt"] = _text(max(times, default=None))
        return self.record("source", data)

    def deletions(self, type_: str, ids: Iterable[str], report: Report) -> Iterator[Record]:
        """Deletions of records that were not found; none if they may be in unreadable folders."""
        for id_ in sorted(ids):
            if report.hides_files:
                report.skip("deletion held back, since a folder could not be read", id_)
                continue
            yield self.record("delete", {"type": type_, "id": id_, "chatId": None})


def _text(at: datetime | None) -> str | None:
    return instant_text(at) if at else None


def modified_at(path: Path) -> datetime:
    """When a file or folder was last written, to the second."""
    return datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
