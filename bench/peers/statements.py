"""orgctx's own statements, in asyncpg's notation."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from orgctx.db import sql

PLACEHOLDER = re.compile(r"%\((\w+)\)s")
# asyncpg asks the server for the types, which takes this one to be an id.
CASTS = {"before": "::bigint"}


@cache
def numbered(name: str) -> tuple[str, tuple[str, ...]]:
    """The text of `sql/<name>.sql` with $1, $2, … and the names that these stand for."""
    names: list[str] = []
    is_search = name == "search/search_context"

    def number(match: re.Match[str]) -> str:
        if match[1] not in names:
            names.append(match[1])
        cast = "" if is_search else CASTS.get(match[1], "")
        return f"${names.index(match[1]) + 1}{cast}"

    return PLACEHOLDER.sub(number, sql(name)), tuple(names)


def bound(name: str, parameters: dict[str, Any]) -> tuple[Any, ...]:
    """What asyncpg's fetch takes: the statement and its values in order."""
    text, names = numbered(name)
    return (text, *(parameters[each] for each in names))
