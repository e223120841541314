"""Which sources a key can read, and how fresh they are: the rules that all resources share.

A source is exposed only if it is included, approved for external reading, and the key holds the
scope of its kind.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from math import inf
from typing import Any, NamedTuple
from uuid import UUID

from orgctx.operations.source_kinds import RANKS, SOURCE_KINDS

# A note names at most ten sources, and shortens their labels because collectors write them.
MOST_NAMED, LONGEST_LABEL = 10, 80
# A notice repeats the beginning of the note, because agents overlook meta.
MOST_IN_NOTICE = 3


class Source(NamedTuple):
    """An included and approved source."""

    id: str
    kind: str
    label: str
    stored_href: str | None
    stored_status: str  # as loaded: any status of ContextSource or ConnectionState
    updated_at: datetime | None
    stale_after_seconds: int | None
    account: str | None
    record_count: int  # records that the API reads from it; snapshots of a token
    chat_id: UUID | None  # the linked chat of a telegram source
    is_overdue: bool = False  # its data was older than stale_after_seconds at the request's time

    @property
    def status(self) -> str:
        """The status in ContextSource, at the time of the request."""
        if self.kind == "token" and not self.record_count:
            return "not_connected"
        if self.stored_status == "error":
            return "unavailable"
        if self.stored_status in ("current", "available"):
            return "stale" if self.is_overdue else "current"
        return self.stored_status

    @property
    def overdue_at(self) -> float:
        """When its data becomes overdue, in seconds of the Unix epoch; inf if never."""
        if self.stale_after_seconds is None:
            return inf
        if self.updated_at is None:
            return -inf
        return self.updated_at.timestamp() + self.stale_after_seconds

    def aged(self, now: float) -> "Source":
        """Return the source at a time, in seconds of the Unix epoch."""
        return self._replace(is_overdue=now > self.overdue_at)

    @property
    def href(self) -> str:
        """The link to its records: as loaded, else the path of the API."""
        if self.stored_href:
            return self.stored_href
        if self.chat_id:
            return f"/api/v1/telegram/chats/{self.chat_id}/messages"
        return SOURCE_KINDS[self.kind].path


class Organization(NamedTuple):
    """The organization of a key, from the key's look-up."""

    id: UUID
    display_name: str
    slug: str
    created_at: datetime
    updated_at: datetime
    is_preview: bool


class Caller(NamedTuple):
    """The caller: a key, its scopes, and the sources that are approved now."""

    key_id: UUID
    organization: Organization
    scopes: frozenset[str]
    approved: tuple[Source, ...]

    def approved_of(self, *kinds: str) -> tuple[Source, ...]:
        """Return the approved sources of some kinds, regardless of the key's scopes."""
        return tuple(source for source in self.approved if source.kind in kinds)

    def exposed(self, *kinds: str) -> tuple[Source, ...]:
        """Return the approved sources of some kinds (or all) whose scopes the key holds."""
        return tuple(
            source
            for source in self.approved
            if SOURCE_KINDS[source.kind].is_readable_with(self.scopes)
            and (not kinds or source.kind in kinds)
        )


def in_order(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Sort sources by kind, then label (case-insensitive), then id."""
    return tuple(
        sorted(sources, key=lambda source: (RANKS[source.kind], source.label.lower(), source.id))
    )


def ids(sources: Iterable[Source]) -> list[str]:
    """Return the ids of sources, for a statement's parameters."""
    return [source.id for source in sources]


def by_id(sources: Sequence[Source], source_id: str) -> tuple[Source, ...]:
    return tuple(source for source in sources if source.id == source_id)


def aggregate_status(sources: Sequence[Source]) -> str:
    """Return one status for several sources: unavailable, synthetic, current or stale."""
    statuses = {source.status for source in sources}
    if statuses <= {"unavailable", "not_connected"}:
        return "unavailable"
    if "synthetic" in statuses:
        return "synthetic"
    return "current" if statuses == {"current"} else "stale"


def newest(sources: Sequence[Source]) -> datetime | None:
    """Return the latest update time of the sources."""
    return max((source.updated_at for source in sources if source.updated_at), default=None)


def connection_state(sources: Sequence[Source]) -> dict[str, Any]:
    """Return the members of ConnectionState for the sources of one kind, by attribute name.

    The status of a single source may be `error` or `available`, which are never aggregated.
    """
    status = aggregate_status(sources)
    if len(sources) == 1:
        (source,) = sources
        if source.stored_status == "error" or (
            source.stored_status == "available" and source.status == "current"
        ):
            status = source.stored_status
    return {
        "connected": any(source.status != "not_connected" for source in sources),
        "status": status,
        "updated_at": newest(sources),
    }


def quoted(label: str) -> str:
    """Quote and shorten a label, because its text is untrusted."""
    words = " ".join(label.split()).replace('"', "'")
    return f'"{words}"' if len(words) <= LONGEST_LABEL else f'"{words[: LONGEST_LABEL - 1]}…"'


def freshness_notice(sources: Sequence[Source]) -> str | None:
    """Return a sentence for agents on each source that is not current, and how old its data is.

    Returns None if all are current. Names at most three.
    """
    outdated = [source for source in sources if source.status != "current"]
    notices = [
        f"{quoted(source.label)} is {source.status.replace('_', ' ')}"
        + (f", updated {source.updated_at:%Y-%m-%d}." if source.updated_at else ".")
        for source in outdated[:MOST_IN_NOTICE]
    ]
    if len(outdated) > MOST_IN_NOTICE:
        notices.append(f"{len(outdated) - MOST_IN_NOTICE} more sources are not current.")
    return " ".join(notices) or None


def freshness(
    sources: Sequence[Source],
    *,
    origin: str,
    is_preview: bool,
    empty: bool,
    names_outdated: bool = True,
) -> dict[str, Any]:
    """Return the members of Freshness by attribute name.

    Args:
        origin: `database` or `collector`.
        empty: whether the result is a list without items, which the note explains.
        names_outdated: whether the note names the sources that are not current.
    """
    members: dict[str, Any] = {
        "source": "local_preview" if is_preview else origin,
        "updated_at": newest(sources),
        "status": aggregate_status(sources),
    }
    if not sources:
        return members | {"note": "No approved source that this key may read holds such data."}
    outdated = [source for source in sources if names_outdated and source.status != "current"]
    notes = [
        f"{quoted(source.label)} is {source.status.replace('_', ' ')}."
        for source in outdated[:MOST_NAMED]
    ]
    if len(outdated) > MOST_NAMED:
        notes.append(f"{len(outdated) - MOST_NAMED} more are not current.")
    if empty:
        notes.append("No stored record matches this request.")
    return members | ({"note": " ".join(notes)} if notes else {})
