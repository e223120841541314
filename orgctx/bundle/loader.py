"""One stream of records into the database: staged by COPY, merged set-based, all or nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

import orjson
import psycopg
from psycopg import sql as psycopg_sql

from orgctx.bundle.reading import MOST_FAULTS, BundleError, Faults, Line, Places, Record, check
from orgctx.bundle.records import TYPES, RecordType, chunks
from orgctx.db import sql

LONGEST_LINE = 128 * 1024 * 1024
BUFFERED_ROWS = 10_000
BUFFERED_BYTES = 8 * 1024 * 1024
COMMON_COLUMNS = ("sequence", "deleted", "organization_id", "source_id")
COUNTS = ("created", "updated", "unchanged", "deleted")
MERGES = {
    "organization": "organizations",
    "member": "members",
    "source": "sources",
    "knowledge": "knowledge",
    "asset": "assets",
    "telegram.chat": "chats",
    "telegram.message": "messages",
    "x.mention": "mentions",
    "token": "tokens",
}
DERIVATIONS = (
    "load/derive_message_search",
    "load/derive_telegram_people",
    "load/derive_x_people",
)

# By record type: {"read", "created", "updated", "unchanged", "deleted"}.
Summary = dict[str, dict[str, int]]


def load_records(database_url: str, records: Iterable[Any], *, dry_run: bool = False) -> Summary:
    """Load records given as dicts. Raises BundleError, psycopg.Error."""
    places = Places()
    places.begin("record", 0)
    lines = (Line(number, orjson.dumps(record)) for number, record in enumerate(records, 1))
    return _load(database_url, lines, places, dry_run)


def load_files(
    database_url: str,
    files: Iterable[tuple[str, IO[bytes]]],
    *,
    dry_run: bool = False,
    progress: Callable[[int], object] = lambda _: None,
) -> Summary:
    """Load files, named for messages, as one stream. progress: called with bytes read.

    Raises BundleError naming the first bad lines; nothing is stored then.
    """
    places = Places()
    return _load(database_url, _lines(files, places, progress), places, dry_run)


def _lines(
    files: Iterable[tuple[str, IO[bytes]]], places: Places, progress: Callable[[int], object]
) -> Iterator[Line]:
    sequence = 0
    for name, file in files:
        places.begin(name, sequence)
        is_first = True
        while content := file.readline(LONGEST_LINE):
            sequence += 1
            progress(len(content))
            if len(content) == LONGEST_LINE and not content.endswith(b"\n"):
                raise BundleError(
                    [f"{places.name(sequence)}: is longer than {LONGEST_LINE >> 20} MiB"]
                )
            if is_first:
                content, is_first = content.removeprefix(b"\xef\xbb\xbf"), False
            if not content.isspace():
                yield Line(sequence, content)


def _load(database_url: str, lines: Iterable[Line], places: Places, dry_run: bool) -> Summary:
    with psycopg.connect(database_url) as connection:
        connection.execute(sql("load/create_staging"))
        load = _Load(connection, places)
        load.run(lines)
        if dry_run:
            connection.rollback()
    return load.summary


class _Load:
    """The state of one stream."""

    def __init__(self, connection: psycopg.Connection[Any], places: Places) -> None:
        self._connection = connection
        self._faults = Faults(places)
        self._rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self._buffered_rows = 0
        self._buffered_bytes = 0
        self._is_staged = False
        self._widths: dict[str, int] = {}
        self.summary: Summary = {}

    def run(self, lines: Iterable[Line]) -> None:
        """Check, stage and merge everything, and derive what follows from it."""
        for record in check(self._measured(lines), self._faults):
            self._count(record.type, "read", 1)
            if self._faults:
                continue
            if record.is_delete and not record.type.has_tombstones:
                self._delete(record)
            else:
                self._stage(record)
        self._merge()
        if self._faults:
            raise self._faults.error()
        for name in DERIVATIONS:
            self._connection.execute(sql(name))
        touched = self._connection.execute(sql("load/list_touched_sources")).fetchall()
        for organization_id, source_ids in touched:
            sources = {
                "organization_id": organization_id,
                "source_ids": source_ids,
                "ids": source_ids,
            }
            self._connection.execute(sql("cli/lock_sources"), sources)
            self._connection.execute(sql("cli/count_records"), sources)

    def _measured(self, lines: Iterable[Line]) -> Iterator[Line]:
        for line in lines:
            self._buffered_bytes += len(line.content)
            yield line

    def _count(self, record_type: RecordType, name: str, number: int) -> None:
        counts = self.summary.setdefault(record_type.name, dict.fromkeys(("read", *COUNTS), 0))
        counts[name] += number

    def _stage(self, record: Record) -> None:
        head = (record.sequence, record.is_delete, record.organization_id, record.source_id)
        values = record.values
        if record.is_delete:
            row: tuple[Any, ...] = self._tombstone(record)
        else:
            row = record.type.row(values)
        self._rows[record.type.table].append(head + row)
        if "content" in values:
            self._rows["staged_chunks"].extend(
                (record.sequence, *chunk) for chunk in chunks(values["content"])
            )
        self._buffered_rows += 1
        if self._buffered_rows >= BUFFERED_ROWS or self._buffered_bytes >= BUFFERED_BYTES:
            self._flush()

    def _tombstone(self, record: Record) -> tuple[Any, ...]:
        """The identity columns of a deletion; the others follow as nulls."""
        identity: tuple[Any, ...] = (record.values["id"],)
        if record.values["chat_id"] is not None:
            identity = (record.values["chat_id"], *identity)
        return identity + (None,) * (self._width(record.type.table) - len(identity))

    def _width(self, table: str) -> int:
        """How many columns a staging table has behind those that all have."""
        if table not in self._widths:
            query = psycopg_sql.SQL("SELECT * FROM {} LIMIT 0")
            cursor = self._connection.execute(query.format(psycopg_sql.Identifier(table)))
            self._widths[table] = len(cursor.description or ()) - len(COMMON_COLUMNS)
        return self._widths[table]

    def _flush(self) -> None:
        with self._connection.cursor() as cursor:
            for table, rows in self._rows.items():
                copy = psycopg_sql.SQL("COPY {} FROM STDIN").format(psycopg_sql.Identifier(table))
                with cursor.copy(copy) as writer:
                    for row in rows:
                        writer.write_row(row)
        self._rows.clear()
        self._is_staged = self._is_staged or self._buffered_rows > 0
        self._buffered_rows = self._buffered_bytes = 0

    def _merge(self) -> None:
        """Check what was staged against what is stored, and store it."""
        self._flush()
        if not self._is_staged:
            return
        self._is_staged = False
        connection = self._connection
        connection.execute("ANALYZE staged_messages, staged_knowledge, staged_mentions")
        connection.execute(sql("load/lock_organizations"))
        for sequence, fault in connection.execute(
            sql("load/find_faults"), {"fault_limit": MOST_FAULTS}
        ):
            self._faults.add(sequence, fault)
        if self._faults:
            return
        connection.execute(sql("load/note_touched"))
        for name, noun in MERGES.items():
            cursor = connection.execute(sql(f"load/merge_{noun}"))
            for count_name, number in zip(COUNTS, cursor.fetchone() or (), strict=True):
                if number:
                    self._count(TYPES[name], count_name, number)
        for name in ("load/replace_chunks", "load/derive_chats", "load/truncate_staging"):
            connection.execute(sql(name))

    def _delete(self, record: Record) -> None:
        """A deletion that takes other records along: what stands before it is merged first."""
        self._merge()
        if self._faults:
            return
        name = record.type.name.replace(".", "_")
        cursor = self._connection.execute(
            sql(f"load/delete_{name}"),
            {"organization_id": record.organization_id, "id": record.values["id"]},
        )
        self._count(record.type, "deleted", (cursor.fetchone() or (0,))[0])
