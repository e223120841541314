"""Count the records that a deletion removes together with a record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql as psycopg_sql
from psycopg.rows import tuple_row

from orgctx.bundle.records import TYPES, RecordType
from orgctx.stores.db import sql


def cascade(
    connection: psycopg.Connection[Any], type_: str, organization_id: UUID, id_: object
) -> dict[str, int]:
    """Return the number of stored records below a record, by type; types without any are omitted.

    The contents of a folder are not counted, because they have the same type as the folder.

    Args:
        type_: name of the record's type in TYPES.
    """
    parameters = {"organization_id": organization_id, "type": type_, "id": str(id_)}
    counts = {}
    with connection.cursor(row_factory=tuple_row) as cursor:
        for child in _descendants(type_):
            text = psycopg_sql.SQL(sql(f"load/count_of_{child.parent_name}"))
            cursor.execute(text.format(table=psycopg_sql.Identifier(child.table)), parameters)
            counts[child.name] = (cursor.fetchone() or (0,))[0]
    return {name: count for name, count in counts.items() if count}


def _descendants(type_: str) -> Iterator[RecordType]:
    """Yield the types whose records belong to a record of this type, directly or indirectly."""
    for record_type in TYPES.values():
        if record_type.parent == type_:
            yield record_type
            yield from _descendants(record_type.name)
