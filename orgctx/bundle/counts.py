"""Count records: of sources for their list, and below a record that is deleted."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql as psycopg_sql
from psycopg.rows import tuple_row

from orgctx.bundle.records import TYPES, RecordType
from orgctx.stores.db import sql


def count_records(
    connection: psycopg.Connection[Any], organization_id: UUID, source_ids: Sequence[str]
) -> None:
    """Store how many records these sources have now.

    The caller must hold the lock of the organization; otherwise the counts would miss records of a
    concurrent transaction. There are two statements, because Citus cannot read distributed tables
    and change a reference table, such as sources, in one statement.
    """
    parameters = {"organization_id": organization_id, "source_ids": [*source_ids]}
    with connection.cursor(row_factory=tuple_row) as cursor:
        rows = cursor.execute(sql("bundle/count_records"), parameters).fetchall()
        if rows:
            ids, counts, chat_ids = (list(column) for column in zip(*rows, strict=True))
            parameters |= {"source_ids": ids, "record_counts": counts, "chat_ids": chat_ids}
            cursor.execute(sql("bundle/store_counts"), parameters)


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
            text = psycopg_sql.SQL(sql(f"bundle/count_of_{child.parent_name}"))
            cursor.execute(text.format(table=psycopg_sql.Identifier(child.table)), parameters)
            counts[child.name] = (cursor.fetchone() or (0,))[0]
    return {name: count for name, count in counts.items() if count}


def _descendants(type_: str) -> Iterator[RecordType]:
    """Yield the types whose records belong to a record of this type, directly or indirectly."""
    for record_type in TYPES.values():
        if record_type.parent == type_:
            yield record_type
            yield from _descendants(record_type.name)
