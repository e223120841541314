"""What the database already knows and converters need. The command looks it up."""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True, slots=True)
class Existing:
    """Of one organization. Empty: nothing is stored yet.

    sources: by id, under the names of the load format, times as datetimes.
    chats: by id. ids: of the records stored under the source that is imported; those
    that are no longer in its folder become deletions.
    """

    sources: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: EMPTY)
    chats: Mapping[str, StoredChat] = field(default_factory=lambda: EMPTY)
    ids: frozenset[str] = frozenset()
