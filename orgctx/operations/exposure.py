"""Which sources a key may see, and how fresh they are: the rules that all resources share.

A source is exposed only if it is included, approved for external reading, and the key holds the
scope of its kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from orgctx.operations.source_kinds import RANKS, SOURCE_KINDS

SCOPES = ("context:read", "knowledge:read", "assets:read", "telegram:read", "x:read", "token:read")

# Longest label in a note; collectors write labels.
MOST_NAMED, LONGEST_LABEL = 10, 80


class Source(NamedTuple):
    """An included and approved source.

    stored_status: as loaded; may be any ContextSource or ConnectionState status.
    record_count: records that the API reads from it; for a token, its snapshots.
    chat_id: of a telegram source, the chat that it links.
    is_overdue: whether its data is older than its collector promised, at the time of the request.
    """

    id: str
    kind: str
    label: str
    description: str
    stored_href: str | None
    stored_status: str
    updated_at: datetime | None
    stale_after_seconds: int | None
    account: str | None
    record_count: int
    chat_id: UUID | None
    is_overdue: bool

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
        """The approved sources of some kinds, whatever the key's scopes."""
        return tuple(source for source in self.approved if source.kind in kinds)

    def exposed(self, *kinds: str) -> tuple[Source, ...]:
        """The approved sources of some kinds (or all) whose scopes the key holds."""
        return tuple(
            source
            for source in self.approved
            if SOURCE_KINDS[source.kind].scope in self.scopes
            and (not kinds or source.kind in kinds)
        )


def in_order(sources: Iterable[Source]) -> tuple[Source, ...]:
    """Sources in list order: by kind, label ignoring case, id."""
    return tuple(sorted(sources, key=lambda one: (RANKS[one.kind], one.label.lower(), one.id)))


def ids(sources: Iterable[Source]) -> list[str]:
    """Source ids, for a statement's parameters."""
    return [source.id for source in sources]


def by_id(sources: Sequence[Source], source_id: str) -> tuple[Source, ...]:
    """The source of that id, if it is among them."""
    return tuple(source for source in sources if source.id == source_id)


def aggregate_status(sources: Sequence[Source]) -> str:
    """One status for several sources."""
    statuses = {source.status for source in sources}
    if statuses <= {"unavailable", "not_connected"}:
        return "unavailable"
    if "synthetic" in statuses:
        return "synthetic"
    return "current" if statuses == {"current"} else "stale"


def newest(sources: Sequence[Source]) -> datetime | None:
    """The latest update time of the sources."""
    return max((source.updated_at for source in sources if source.updated_at), default=None)


def connection_state(sources: Sequence[Source]) -> dict[str, Any]:
    """The members of ConnectionState for the sources of one kind, by attribute name.

    A single source may carry a status of its own that aggregation never produces.
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


def freshness_note(sources: Sequence[Source], *, empty: bool) -> str | None:
    """Names the sources that are not current, and why a list is empty."""
    if not sources:
        return "No approved source that this key may read holds such data."
    others = [source for source in sources if source.status != "current"]
    notes = [
        f"{quoted(source.label)} is {source.status.replace('_', ' ')}."
        for source in others[:MOST_NAMED]
    ]
    if len(others) > MOST_NAMED:
        notes.append(f"{len(others) - MOST_NAMED} more are not current.")
    if empty:
        notes.append("No stored record matches this request.")
    return " ".join(notes) or None


def freshness(
    sources: Sequence[Source], *, origin: str, is_preview: bool, empty: bool
) -> dict[str, Any]:
    """The members of Freshness. origin: `database` or `collector`. empty: a list with no item."""
    members: dict[str, Any] = {
        "source": "local_preview" if is_preview else origin,
        "updated_at": newest(sources),
        "status": aggregate_status(sources),
    }
    note = freshness_note(sources, empty=empty)
    return members | ({"note": note} if note else {})
