"""What the database already knows and converters need. The command looks it up."""

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
    """A linked chat. Exports know neither its username nor its number of members."""

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
        """The index of a message; None where it is not stored."""
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
    """Of one organization. Empty: nothing is stored yet.

    sources: by id, under the names of the load format, times as datetimes.
    chats: by id; messages: looks up those of a chat. authors: looks up who wrote the mentions
    of the source, pairs of the id of a mention and of its author.
    ids: of the records stored under the source that is imported; those that are no longer
    in its folder become deletions. items: the knowledge items among them, by id.
    carry_suppression: suppresses the second id as the first one is; False where it cannot.
    """

    sources: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: EMPTY)
    chats: Mapping[str, StoredChat] = field(default_factory=lambda: EMPTY)
    ids: frozenset[str] = frozenset()
    items: Mapping[str, StoredItem] = field(default_factory=lambda: EMPTY)
    carry_suppression: Callable[[str, str], bool] = _carry_nothing
    messages: Callable[[str], StoredMessages] = _none_stored
    authors: Callable[[], Iterable[tuple[str, str]]] = tuple
