"""The kinds of context source, one row each.

The database cannot read this table, so tests/architecture/test_record_types.py compares it with the
SQL files.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

# Overviews and the search need the first.
CONTEXT_SCOPE, KNOWLEDGE_SCOPE = "context:read", "knowledge:read"
# In the order in which they are listed.
SCOPES = (CONTEXT_SCOPE, KNOWLEDGE_SCOPE, "assets:read", "telegram:read", "x:read", "token:read")


class SourceKind(NamedTuple):
    scope: str  # a key needs it to read the source
    path: str  # where the API lists its records, unless the source has its own href
    is_single: bool = False  # an organization has at most one
    records: str = ""  # what /sources counts, in the plural; empty if it shows no number
    knowledge_prefix: str | None = None  # prefix of the ids of its knowledge items
    has_people: bool = False  # its records have authors

    @property
    def is_counted(self) -> bool:
        """Return whether /sources shows its number of records."""
        return bool(self.records)

    def is_readable_with(self, scopes: Collection[str], *, as_knowledge: bool = False) -> bool:
        """Return whether a key with these scopes reads its records, or its knowledge items.

        Knowledge items need no scope of the kind; other records do.
        """
        if as_knowledge:
            return bool(self.knowledge_prefix) and KNOWLEDGE_SCOPE in scopes
        return self.scope in scopes


# In the order in which sources are listed.
SOURCE_KINDS = {
    "docs": SourceKind(
        KNOWLEDGE_SCOPE,
        "/api/v1/knowledge?kind=source",
        records="documents",
        knowledge_prefix="docs",
    ),
    "notes": SourceKind(
        KNOWLEDGE_SCOPE, "/api/v1/knowledge?kind=note", records="notes", knowledge_prefix="note"
    ),
    "assets": SourceKind(
        "assets:read", "/api/v1/assets", records="files and folders", knowledge_prefix="assets"
    ),
    "profile": SourceKind(
        "context:read",
        "/api/v1/context",
        is_single=True,
        knowledge_prefix="profile",
    ),
    "token": SourceKind("token:read", "/api/v1/token", is_single=True, knowledge_prefix="chain"),
    "x": SourceKind(
        "x:read", "/api/v1/x/mentions", is_single=True, records="mentions", has_people=True
    ),
    "telegram": SourceKind(
        "telegram:read", "/api/v1/telegram/chats", records="messages", has_people=True
    ),
}

KINDS = tuple(SOURCE_KINDS)
RANKS = {kind: rank for rank, kind in enumerate(KINDS)}
SINGLE_KINDS = tuple(name for name, kind in SOURCE_KINDS.items() if kind.is_single)
KNOWLEDGE_KINDS = tuple(name for name, kind in SOURCE_KINDS.items() if kind.knowledge_prefix)
PEOPLE_KINDS = tuple(name for name, kind in SOURCE_KINDS.items() if kind.has_people)
PREFIX_KINDS = {
    kind.knowledge_prefix: name for name, kind in SOURCE_KINDS.items() if kind.knowledge_prefix
}


def needed_scopes(kinds: Iterable[str]) -> list[str]:
    """Return the scopes that a key needs to read and search all records of sources."""
    needed = {"context:read", *(SOURCE_KINDS[kind].scope for kind in kinds)}
    return [scope for scope in SCOPES if scope in needed]
