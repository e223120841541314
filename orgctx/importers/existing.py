"""The stored records that importers compare with; the command looks them up."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from orgctx.importers.deletions import Deletions

EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class StoredChat:
    """A stored chat. Exports lack its username and member count."""

    linked_at: datetime
    username: str | None = None
    member_count: int = 0
    source_id: str | None = None
    type: str | None = None
    title: str | None = None
    updated_at: datetime | None = None


class StoredMessages:
    """The stored messages of one chat, sorted by id; 24 bytes each."""

    def __init__(self, rows: Iterable[tuple[int, int, int, int]] = ()) -> None:
        """Store rows (id, sent, edited, sender number), sorted by id.

        sent, edited: Unix seconds; 0 if the message was never edited.
        """
        self.ids, self.sent = array("i"), array("q")
        self.edited, self.senders = array("q"), array("i")
        for id_, sent, edited, sender in rows:
            self.ids.append(id_)
            self.sent.append(sent)
            self.edited.append(edited)
            self.senders.append(sender)

    def find(self, id_: int) -> int | None:
        """Return the index of a message, or None if it is not stored."""
        index = bisect_left(self.ids, id_)
        return index if index < len(self.ids) and self.ids[index] == id_ else None


def _none_stored(_: str) -> StoredMessages:
    return StoredMessages()


def _no_senders(_: str) -> set[str]:
    return set()


@dataclass(frozen=True, slots=True)
class StoredItem:
    """A stored document or note."""

    title: str
    digest: bytes  # SHA-256 of the content
    suppressed: str | None = None  # the content, if the item is suppressed
    # The importer that made it; None if it is unknown, as for an item that a bundle loaded.
    importer: str | None = None


def _carry_nothing(_: str, __: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Existing:
    """Stored records of one organization; empty if nothing is stored yet."""

    # By id, with the names of the load format and times as datetimes.
    sources: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: EMPTY)
    # By id.
    chats: Mapping[str, StoredChat] = field(default_factory=lambda: EMPTY)
    # The ids of the imported source's records; those that are missing from the import are deleted.
    ids: frozenset[str] = frozenset()
    # The knowledge items among them, by id.
    items: Mapping[str, StoredItem] = field(default_factory=lambda: EMPTY)
    # Called with a former and a new id: during the load, suppresses the new id if the former one is
    # suppressed. Returns False if the import cannot do that.
    carry_suppression: Callable[[str, str], bool] = _carry_nothing
    # The messages of a chat.
    messages: Callable[[str], StoredMessages] = _none_stored
    # The ids of the people who wrote in a source.
    senders: Callable[[str], set[str]] = _no_senders
    # Pairs of a mention's id and its author's id, for the imported source.
    authors: Callable[[], Iterable[tuple[str, str]]] = tuple
    # What imports deleted before, and what this import deletes.
    deletions: Deletions = field(default_factory=Deletions)
    # The importers of documents that this import makes, by id, unless they are stored already.
    importers: dict[str, str] = field(default_factory=dict)
