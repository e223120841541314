"""Stored records that importers need. The command looks them up."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class StoredChat:
    """A linked chat. Exports lack its username and its number of members."""

    linked_at: datetime
    username: str | None = None
    member_count: int = 0
    source_id: str | None = None
    type: str | None = None
    title: str | None = None
    updated_at: datetime | None = None


class StoredMessages:
    """The messages of one chat by id, 24 bytes for each."""

    def __init__(self, rows: Iterable[tuple[int, int, int, int]] = ()) -> None:
        """rows: id, sent and edited in seconds since 1970 (0: never), sender as a number; by id."""
        self.ids, self.sent = array("i"), array("q")
        self.edited, self.senders = array("q"), array("i")
        for id_, sent, edited, sender in rows:
            self.ids.append(id_)
            self.sent.append(sent)
            self.edited.append(edited)
            self.senders.append(sender)

    def find(self, id_: int) -> int | None:
        """The index of a message; None if it is not stored."""
        index = bisect_left(self.ids, id_)
        return index if index < len(self.ids) and self.ids[index] == id_ else None


def _none_stored(_: str) -> StoredMessages:
    return StoredMessages()


@dataclass(frozen=True, slots=True)
class StoredItem:
    """A document or note. digest: SHA-256 of its content; suppressed: the content, if it is."""

    title: str
    digest: bytes
    suppressed: str | None = None


def _carry_nothing(_: str, __: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Existing:
    """Stored records of one organization; empty if nothing is stored yet.

    sources: by id, with the names of the load format, times as datetimes.
    chats: by id; messages: looks up those of a chat. authors: looks up pairs of a mention's id
    and its author's id, for the source. ids: records stored in the imported source; those that
    are no longer in its folder become deletions. items: the knowledge items among them, by id.
    carry_suppression: if the first id is suppressed when the records are loaded, the second will be
    too; False if it cannot.
    """

    sources: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: EMPTY)
    chats: Mapping[str, StoredChat] = field(default_factory=lambda: EMPTY)
    ids: frozenset[str] = frozenset()
    items: Mapping[str, StoredItem] = field(default_factory=lambda: EMPTY)
    carry_suppression: Callable[[str, str], bool] = _carry_nothing
    messages: Callable[[str], StoredMessages] = _none_stored
    authors: Callable[[], Iterable[tuple[str, str]]] = tuple
