"""The kinds of context source: one row says all that tells them apart.

The database cannot read this table, so tests/house/test_source_kinds.py holds to it what
SQL files say of kinds.
"""

from __future__ import annotations

from typing import NamedTuple


class SourceKind(NamedTuple):
    """One kind of source.

    scope: lets a key read it. path: of the API, reads its records, unless a source has a
    path of its own. is_single: an organization has at most one. is_counted: whether /sources
    says how many records it holds. knowledge_prefix: of the ids of its knowledge items.
    has_people: whether people stand behind its records.
    """

    scope: str
    path: str
    is_single: bool = False
    is_counted: bool = True
    knowledge_prefix: str | None = None
    has_people: bool = False


# In the order of lists.
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
