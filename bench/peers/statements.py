"""orgctx's own statements, as asyncpg takes them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from orgctx.resources.search.service import PARTS
from orgctx.stores.db import numbered, sql

SEARCH = "search/search_context"

# asyncpg asks the server for the types, which takes this one to be an id.
CASTS = {"before": "::bigint"}


def text_of(name: str) -> str:
    """The text of `sql/<name>.sql`; for a search all its parts as one statement.

    Drivers without pipelines would take a round trip for each. The ids of a part's sources go
    by its file's name.
    """
    if name != SEARCH:
        return sql(name)
    parts = []
    for part in PARTS:
        text = re.sub("--.*", "", sql(part)).strip().removesuffix(";")
        own = text.replace("%(source_ids)s", f"%({part.rpartition('/')[2]})s")
        parts.append(f"SELECT * FROM ({own}) AS part")
    every = " UNION ALL ".join(parts)
    return f'SELECT * FROM ({every}) AS every ORDER BY at DESC NULLS LAST, kind, id COLLATE "C"'


@cache
def cast(name: str) -> tuple[str, tuple[str, ...]]:
    """The text of a statement with $1, $2, … and the names that these stand for."""
    statement, names = numbered(text_of(name))
    text = statement.decode()
    for number, each in enumerate(names, 1):
        if each in CASTS and name != SEARCH:
            text = re.sub(rf"\${number}\b", f"${number}{CASTS[each]}", text)
    return text, names


def bound(name: str, parameters: dict[str, Any]) -> tuple[Any, ...]:
    """What asyncpg's fetch takes: the statement and its values in order."""
    text, names = cast(name)
    return (text, *(parameters[each] for each in names))
