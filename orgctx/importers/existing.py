"""The stored records that importers compare with."""

from array import array
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

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
    # The ids of the messages of a chat, sorted.
    messages: Callable[[str], Sequence[int]] = lambda _: array("i")
    # Those of some users of X who were erased.
    erased: Callable[[AbstractSet[str]], set[str]] = lambda _: set()
