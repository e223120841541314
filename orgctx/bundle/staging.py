"""Write checked records to the staging tables in batches of limited size."""

from collections import Counter, defaultdict
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from orgctx.bundle.content import chunks
from orgctx.bundle.holds import find_secret, has_secret
from orgctx.bundle.reading import Record
from orgctx.bundle.records import TYPES, RecordType
from orgctx.stores import db

BATCH_ROWS = 10_000
BATCH_BYTES = 8 * 1024 * 1024


def staged_together(record_type: RecordType) -> list[RecordType]:
    """Return the types whose staging tables are created with that of a type, and the type."""
    if not record_type.staged_by:
        return [record_type]
    return [each for each in TYPES.values() if each.staged_by == record_type.staged_by]


def create_statements(record_type: RecordType) -> str:
    """Return the statements that create these tables."""
    types = staged_together(record_type)
    tables = "".join(each.statement("bundle/create_staged_table") for each in types)
    return db.sql(record_type.staged_by).format(tables=tables) if record_type.staged_by else tables


class Staging:
    """The staging tables of one transaction."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self._rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self._row_count = 0
        self._byte_count = 0
        # The staging tables that contain rows.
        self.filled_tables: set[str] = set()
        # The staging tables that exist.
        self.created: set[str] = set()
        # How many records with a secret cannot be held, by organization and source.
        self.secrets: Counter[tuple[UUID, str]] = Counter()
        self.create(TYPES["source"])

    def create(self, record_type: RecordType) -> None:
        """Create the staging table of a type, unless it exists."""
        if record_type.staging not in self.created:
            self._connection.execute(create_statements(record_type))
            self.created.update(each.staging for each in staged_together(record_type))

    def add(self, record: Record) -> None:
        """Stage a record. A deletion becomes a tombstone, in order with the records of its type."""
        values = record.values
        common = (record.sequence, record.is_delete, record.organization_id, record.source_id)
        if record.is_delete:
            row = (*common, None, *self._tombstone(record))
        else:
            row = (*common, record.type.source_kind(values), *record.type.column_values(values))
        self.create(record.type)
        self._rows[record.type.staging].append(row)
        self._row_count += 1
        if "content" in values:
            chunk_rows = ((record.sequence, *chunk) for chunk in chunks(values["content"]))
            self._rows["staged_chunks"].extend(chunk_rows)
            if secret := find_secret(values):
                self._rows["staged_secrets"].append((record.sequence, *secret))
        elif record.source_id and has_secret(row):
            self.secrets[record.organization_id, record.source_id] += 1
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
        self.filled_tables.update(self._rows)
        self._rows.clear()
        self._row_count = self._byte_count = 0

    def _tombstone(self, record: Record) -> tuple[Any, ...]:
        """Return the row of a deletion: the id columns, then nulls."""
        identity: tuple[Any, ...] = (record.values["id"],)
        if record.values["chat_id"] is not None:
            identity = (record.values["chat_id"], *identity)
        return identity + (None,) * (len(record.type.columns) - len(identity))
