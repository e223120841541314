"""The kinds of context source, one row each.

The database cannot read this table, so tests/architecture/test_source_kinds.py compares it with the
SQL files.
"""

from __future__ import annotations

from typing import NamedTuple


class SourceKind(NamedTuple):
    """One kind of source.

    scope: lets a key read it. path: the API's path to its records, unless the source has its own.
    is_single: an organization has at most one. is_counted: whether /sources shows its number of
    records. knowledge_prefix: prefix of its knowledge items' ids. has_people: whether its records
    have authors.
    """

    scope: str
    path: str
    is_single: bool = False
    is_counted: bool = True
    knowledge_prefix: str | None = None
    has_people: bool = False


# In the order in which sources are listed.
SOURCE_KINDS = {
    "docs": SourceKind("knowledge:read", "/api/v1/knowledge?kind=source", knowledge_prefix="docs"),
    "notes": SourceKind("knowledge:read", "/api/v1/knowledge?kind=note", knowledge_prefix="note"),
    "assets": SourceKind("assets:read", "/api/v1/assets", knowledge_prefix="assets"),
    "profile": SourceKind(
        "context:read",
        "/api/v1/context",
        is_single=True,
        is_counted=False,
        knowledge_prefix="profile",
    ),
    "token": SourceKind(
        "token:read", "/api/v1/token", is_single=True, is_counted=False, knowledge_prefix="chain"
    ),
    "x": SourceKind("x:read", "/api/v1/x/mentions", is_single=True, has_people=True),
    "telegram": SourceKind("telegram:read", "/api/v1/telegram/chats", has_people=True),
}

KINDS = tuple(SOURCE_KINDS)
RANKS = {kind: rank for rank, kind in enumerate(KINDS)}
SINGLE_KINDS = tuple(kind for kind, one in SOURCE_KINDS.items() if one.is_single)
KNOWLEDGE_KINDS = tuple(kind for kind, one in SOURCE_KINDS.items() if one.knowledge_prefix)
PEOPLE_KINDS = tuple(kind for kind, one in SOURCE_KINDS.items() if one.has_people)
PREFIX_KINDS = {
    one.knowledge_prefix: kind for kind, one in SOURCE_KINDS.items() if one.knowledge_prefix
}
