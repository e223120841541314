"""Build the records that importers yield, from what is stored: sources, envelopes, deletions."""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any
from uuid import UUID, uuid5

from orgctx.importers.report import ImportRejected, Report
from orgctx.schemas.formats import instant_text

Record = dict[str, Any]

# Kinds of sources that a program exports from time to time, and after which time they are stale.
SNAPSHOTS, STALE_AFTER_SECONDS = ("telegram", "x"), 7 * 24 * 60 * 60
EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class StoredChat:
    """A stored chat. Exports lack its username and member count."""

    linked_at: datetime | None = None
    username: str | None = None
    member_count: int = 0
    source_id: str = ""  # empty if it is not stored yet
    title: str | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Existing:
    """Stored records of one organization; empty if nothing is stored yet."""

    # By id, with the names of the load format and times as datetimes.
    sources: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: EMPTY)
    # By id.
    chats: Mapping[str, StoredChat] = field(default_factory=lambda: EMPTY)
    # The ids of the imported source's records; those that are missing from the import are deleted.
    ids: frozenset[str] = frozenset()
    # Returns the ids of the messages of a chat, sorted.
    messages: Callable[[str], Sequence[int]] = lambda _: array("i")
    # Returns which of some users of X were erased.
    erased: Callable[[AbstractSet[str]], set[str]] = lambda _: set()


@dataclass(frozen=True, slots=True)
class Target:
    """The source that records belong to."""

    organization_id: str
    source_id: str
    existing: Existing
    stale_after_seconds: int | None = None  # None: as stored, or the default
    # None: as stored, or the default of the importer.
    label: str | None = None
    description: str | None = None
    older: bool = False  # import what is older than the source, too

    def record(self, type_: str, data: Record) -> Record:
        ids = {"organizationId": self.organization_id, "sourceId": self.source_id}
        return {"type": type_, **ids, "data": data}

    def path_id(self, path: str) -> str:
        """Derive an id from a path in the source. NUL is in no path and in no id of a source."""
        name = f"{self.source_id}:" + path.replace(":", "\0:")
        return str(uuid5(UUID(self.organization_id), name))

    def source(
        self,
        kind: str,
        label: str,
        description: str,
        updated_at: datetime | None,
        *,
        is_exact: bool = False,
    ) -> Record:
        """Build the source record. A stored source keeps its values, except status and time.

        Args:
            label, description: for a new source; the options of the command precede them.
            updated_at: when the source was collected; None if unknown. A later stored one stays,
                because a collector may have updated the source since, unless in the future.
            is_exact: version control states the time, which corrects a later one.

        Raises ImportRejected if a source of another kind has the id, or if the stated time is
        earlier than the stored one.
        """
        # A handbook that nobody changes is not stale.
        default = STALE_AFTER_SECONDS if kind in SNAPSHOTS else None
        new = {"kind": kind, "label": label, "description": description}
        stored: Mapping[str, Any] = self.existing.sources.get(self.source_id) or new
        if stored["kind"] != kind:
            raise ImportRejected(
                self.source_id, f"is a source of kind {stored['kind']}; pass one of kind {kind}"
            )
        stored_at, now = stored.get("updatedAt"), datetime.now(UTC)
        is_checked = kind in SNAPSHOTS and not self.older
        if is_checked and stored_at and updated_at and updated_at < stored_at <= now:
            raise ImportRejected(
                self.source_id,
                f"is of {_text(stored_at)}, and this is of {_text(updated_at)}; pass --older to "
                "import it",
            )
        if not is_exact:
            known = [time for time in (stored_at, updated_at) if time]
            updated_at = max([time for time in known if time <= now] or known, default=None)
        seconds = self.stale_after_seconds or stored.get("staleAfterSeconds") or default
        data = {
            "kind": kind,
            "label": self.label or stored["label"],
            "description": self.description or stored["description"],
            "href": stored.get("href"),
            "status": "current",
            "updatedAt": _text(updated_at),
            "staleAfterSeconds": seconds,
            "account": stored.get("account"),
        }
        return self.record("source", data)

    def deletion(self, type_: str, id_: str | int, chat_id: str | None = None) -> Record:
        deleted = {"type": type_, "id": id_, "chatId": chat_id}
        return self.record("delete", deleted)

    def deletions(
        self, type_: str, kept: AbstractSet[str], report: Report, *, is_empty: bool
    ) -> Iterator[Record]:
        """Yield deletions of all stored records but these.

        None is deleted if an unreadable folder may contain it. Raises ImportRejected if the import
        is empty, which may have the wrong path.
        """
        if is_empty and (count := len(self.existing.ids)):
            raise ImportRejected(
                self.source_id,
                f"has {count:,} records, and what is imported has none. Check the path, or delete "
                "the source",
            )
        for id_ in sorted(self.existing.ids - kept):
            if report.hides_files:
                report.skip("deletion skipped: a folder could not be read", id_)
                continue
            yield self.deletion(type_, id_)


def not_later(time: datetime) -> datetime:
    """Return a time that a file or program states, or now if it is in the future."""
    return min(time, datetime.now(UTC).replace(microsecond=0))


def _text(time: datetime | None) -> str | None:
    return instant_text(not_later(time)) if time else None


def modified_at(path: Path) -> datetime:
    """Return when a file or folder was last written, to the second."""
    return datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
