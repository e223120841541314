"""The stored records that importers compare with, and the deletions that earlier imports made."""

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

# Type and id of a record.
Key = tuple[str, str]

OLDER = "deleted by an import of later data; pass --restore to load it"
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
        """Store rows (id, sent, edited or 0, sender number), with Unix seconds, sorted by id."""
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


class Deletions:
    """The deletions that imports of one organization remember, by source: about 150 bytes each."""

    def __init__(
        self,
        stored: Callable[[str], Mapping[Key, datetime]] = lambda _: {},
        *,
        restores: bool = False,
    ) -> None:
        """restores: load deleted records again, whenever they were collected."""
        self._load, self._restores = stored, restores
        self._stored: dict[str, Mapping[Key, datetime]] = {}
        # What this import deletes and loads again, by source.
        self.added: dict[str, dict[Key, datetime]] = defaultdict(dict)
        self.restored: dict[str, set[Key]] = defaultdict(set)

    def stored(self, source_id: str) -> Mapping[Key, datetime]:
        """Return the remembered deletions of a source: when their evidence was collected."""
        if source_id not in self._stored:
            self._stored[source_id] = self._load(source_id)
        return self._stored[source_id]

    def changed_sources(self) -> Iterator[str]:
        """Yield the sources whose deletions are no longer those that were read."""
        return (id_ for id_, stored in self._stored.items() if self._load(id_) != stored)

    def holds(self, source_id: str, key: Key, collected_at: datetime, *, is_state: bool) -> bool:
        """Return whether a record, collected at a time, stays deleted; else forget its deletion.

        is_state: whether the input is the state of a folder, which may change without a newer time.
        If two exports are equally old, the one that lacks a record is later.
        """
        deleted_at = self.stored(source_id).get(key)
        if deleted_at is None or key in self.restored[source_id]:
            return False
        is_older = collected_at < deleted_at or (collected_at == deleted_at and not is_state)
        if is_older and not self._restores:
            return True
        self.added[source_id].pop(key, None)
        self.restored[source_id].add(key)
        return False

    def add(self, source_id: str, key: Key, collected_at: datetime) -> None:
        """Remember a deletion. collected_at: when the evidence was collected."""
        self.restored[source_id].discard(key)
        self.added[source_id][key] = collected_at


@dataclass(frozen=True, slots=True)
class Existing:
    """Stored records of one organization; empty if nothing is stored yet."""

    # By id, with the names of the load format and times as datetimes.
    sources: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: EMPTY)
    # By id.
    chats: Mapping[str, StoredChat] = field(default_factory=lambda: EMPTY)
    # The ids of the imported source's records; those that are missing from the import are deleted.
    ids: frozenset[str] = frozenset()
    # The importers of the knowledge items among them, by id. None: unknown, as for an item that a
    # bundle loaded.
    made_by: Mapping[str, str | None] = field(default_factory=lambda: EMPTY)
    # The messages of a chat.
    messages: Callable[[str], StoredMessages] = lambda _: StoredMessages()
    # The ids of the people who wrote in a source.
    senders: Callable[[str], set[str]] = lambda _: set()
    # Pairs of a mention's id and its author's id, for the imported source.
    authors: Callable[[], Iterable[tuple[str, str]]] = tuple
    # Whether a user of X was erased.
    is_erased: Callable[[str], bool] = lambda _: False
    # What imports deleted before, and what this import deletes.
    deletions: Deletions = field(default_factory=Deletions)
    # The importers of documents that this import makes, by id, unless they are stored already.
    importers: dict[str, str] = field(default_factory=dict)
