"""The text of orgctx's SQL statements, for drivers without pipelines."""

import re

from orgctx.resources.search.items import PARTS
from orgctx.stores.db import sql

SEARCH = "search/search_context"


def text_of(name: str) -> str:
    """Return the text of `sql/<name>.sql`, or all parts of a search as one statement.

    The source ids of a part are bound under the name of its file.
    """
    if name != SEARCH:
        return sql(name)
    parts = []
    for part in PARTS:
        text = re.sub("--.*", "", sql(part)).strip().removesuffix(";")
        text = text.replace("%(source_ids)s", f"%({part.rpartition('/')[2]})s")
        parts.append(f"SELECT * FROM ({text}) AS part")
    union = " UNION ALL ".join(parts)
    return f'SELECT * FROM ({union}) AS items ORDER BY at DESC NULLS LAST, kind, id COLLATE "C"'
