"""The records that every converter makes: the envelope, the source, deletions, times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from orgctx.importers.existing import Existing
from orgctx.importers.report import ImportRefused, Report
from orgctx.shapes.fields import instant_text

Record = dict[str, Any]
Progress = Callable[[int], object]


def no_progress(_: int) -> None:
    """For callers that show none."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where records go."""

    organization_id: str
    source_id: str
    existing: Existing

    def record(self, type_: str, data: Record) -> Record:
        return {
            "type": type_,
            "organizationId": self.organization_id,
            "sourceId": self.source_id,
            "data": data,
        }

    def source(self, kind: str, label: str, description: str, updated_at: datetime) -> Record:
        """The source: a new one as given; of a stored one only status and time change.

        Its time never goes back: a collector may have been there since the export.
        Raises ImportRefused where a source of another kind has the id.
        """
        data: Record = {"kind": kind, "label": label, "description": description}
        data |= {"href": None, "status": "current", "updatedAt": instant_text(updated_at)}
        data |= {"staleAfterSeconds": None, "account": None}
        stored = self.existing.sources.get(self.source_id)
        if stored is None:
            return self.record("source", data)
        if stored["kind"] != kind:
            raise ImportRefused(
                self.source_id, f"is a source of kind {stored['kind']}; name one of kind {kind}"
            )
        kept = ("label", "description", "href", "staleAfterSeconds", "account")
        data |= {name: stored[name] for name in kept}
        if stored["updatedAt"]:
            data["updatedAt"] = instant_text(max(stored["updatedAt"], updated_at))
        return self.record("source", data)

    def deletions(self, type_: str, ids: Iterable[str], report: Report) -> Iterator[Record]:
        """Deletions of what was not found; none where something could not be looked at."""
        for id_ in sorted(ids):
            if report.refused_count:
                report.skip("deletion held back, since something was refused", id_)
                continue
            yield self.record("delete", {"type": type_, "id": id_, "chatId": None})


def modified_at(path: Path) -> datetime:
    """When a file or folder was last written, to the second."""
    return datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
