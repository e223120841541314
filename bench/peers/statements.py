"""orgctx's own statements, as asyncpg takes them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from orgctx.stores.db import numbered, sql

# asyncpg asks the server for the types, which takes this one to be an id.
CASTS = {"before": "::bigint"}


@cache
def cast(name: str) -> tuple[str, tuple[str, ...]]:
    """The text of `sql/<name>.sql` with $1, $2, … and the names that these stand for."""
    statement, names = numbered(sql(name))
    text = statement.decode()
    for number, each in enumerate(names, 1):
        if each in CASTS and name != "search/search_context":
            text = re.sub(rf"\${number}\b", f"${number}{CASTS[each]}", text)
    return text, names


def bound(name: str, parameters: dict[str, Any]) -> tuple[Any, ...]:
    """What asyncpg's fetch takes: the statement and its values in order."""
    text, names = cast(name)
    return (text, *(parameters[each] for each in names))
