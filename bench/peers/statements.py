"""The text of orgctx's SQL statements, for drivers without pipelines."""

import re

from orgctx.resources.search.items import PARTS
from orgctx.stores.db import sql

SEARCH, FIND_CALLER = "search/search_context", "gate/find_caller"


def _subquery(name: str) -> str:
    text = re.sub("--.*", "", sql(name)).replace("%(access)s", "'api'")
    return "(" + text.strip().removesuffix(";") + ")"


def text_of(name: str) -> str:
    """Return the text of `sql/<name>.sql`, or all parts of a search as one statement.

    The source ids of a part are bound under the name of its file.
    """
    if name == FIND_CALLER:
        return (
            "SELECT k.key_id, k.scopes, c.*, s.description "
            f"FROM {_subquery('gate/find_key')} AS k "
            f"CROSS JOIN {_subquery('gate/read_caller')} AS c "
            "LEFT JOIN sources AS s ON s.organization_id = k.organization_id AND s.id = c.id"
        )
    if name != SEARCH:
        return sql(name)
    parts = []
    for part in PARTS:
        text = _subquery(part).replace("%(source_ids)s", f"%({part.rpartition('/')[2]})s")
        parts.append(f"SELECT * FROM {text} AS part")
    union = " UNION ALL ".join(parts)
    return f'SELECT * FROM ({union}) AS items ORDER BY at DESC NULLS LAST, kind, id COLLATE "C"'
