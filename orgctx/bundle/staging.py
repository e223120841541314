"""Write checked records to the staging tables in batches of limited size."""

from collections import defaultdict
from typing import Any

import psycopg
from psycopg import sql

from orgctx.bundle.content import chunks
from orgctx.bundle.reading import Record

# The columns of every staging table, before the columns of its type.
COMMON_COLUMNS = ("sequence", "deleted", "organization_id", "source_id", "source_kind")
BATCH_ROWS = 10_000
BATCH_BYTES = 8 * 1024 * 1024


class Staging:
    """The staging tables of one transaction."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self._rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self._row_count = 0
        self._byte_count = 0
        self._widths: dict[str, int] = {}
        # The staging tables that contain rows.
        self.filled: set[str] = set()

    def add(self, record: Record) -> None:
        """Stage a record. A deletion becomes a tombstone, in order with the records of its type."""
        values = record.values
        common = (
            record.sequence,
            record.is_delete,
            record.organization_id,
            record.source_id,
        )
        if record.is_delete:
            row = (*common, None, *self._tombstone(record))
        else:
            row = (*common, record.type.source_kind(values), *record.type.row(values))
        self._rows[record.type.staging].append(row)
        self._row_count += 1
        if "content" in values:
            chunk_rows = ((record.sequence, *chunk) for chunk in chunks(values["content"]))
            self._rows["staged_chunks"].extend(chunk_rows)
        self._byte_count += record.byte_count
        if self._row_count >= BATCH_ROWS or self._byte_count >= BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Copy the collected rows into their tables."""
        with self._connection.cursor() as cursor:
            for table, rows in self._rows.items():
                statement = sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(table))
                with cursor.copy(statement) as copy:
                    for row in rows:
                        copy.write_row(row)
        self.filled.update(self._rows)
        self._rows.clear()
        self._row_count = self._byte_count = 0

    def _tombstone(self, record: Record) -> tuple[Any, ...]:
        """Return the row of a deletion: the id columns, then nulls."""
        identity: tuple[Any, ...] = (record.values["id"],)
        if record.values["chat_id"] is not None:
            identity = (record.values["chat_id"], *identity)
        return identity + (None,) * (self._width(record.type.staging) - len(identity))

    def _width(self, table: str) -> int:
        """Return the number of columns of the type in a staging table."""
        if table not in self._widths:
            query = sql.SQL("SELECT * FROM {} LIMIT 0").format(sql.Identifier(table))
            columns = self._connection.execute(query).description or ()
            self._widths[table] = len(columns) - len(COMMON_COLUMNS)
        return self._widths[table]
