"""Count the records that are deleted together with another one."""

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
    """By type, the numbers of stored records below a record; without zeros.

    A folder's contents are not among them, because they are records of its own type.
    """
    of = {"organization_id": organization_id, "type": type_, "id": str(id_)}
    counts = {}
    with connection.cursor(row_factory=tuple_row) as cursor:
        for below in _below(type_):
            text = psycopg_sql.SQL(sql(f"load/count_of_{below.parent_name}"))
            cursor.execute(text.format(table=psycopg_sql.Identifier(below.table)), of)
            counts[below.name] = (cursor.fetchone() or (0,))[0]
    return {name: count for name, count in counts.items() if count}


def _below(type_: str) -> Iterator[RecordType]:
    """The types whose records belong to one of this type, children of children too."""
    for record_type in TYPES.values():
        if record_type.parent == type_:
            yield record_type
            yield from _below(record_type.name)
