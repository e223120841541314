"""Load a stream of records in one transaction: COPY it to staging tables, then merge these."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from typing import IO, Any, NamedTuple
from uuid import UUID

import orjson
import psycopg
from psycopg import sql as psycopg_sql
from psycopg.rows import dict_row, tuple_row

from orgctx.bundle.counts import CHANGES, COUNTS, Summary, count_records
from orgctx.bundle.holds import hold_loaded
from orgctx.bundle.reading import (
    MOST_ERRORS,
    BundleError,
    Line,
    LineErrors,
    Places,
    Record,
    parse_records,
)
from orgctx.bundle.records import TYPES, RecordType
from orgctx.bundle.search_tokens import add_chunks
from orgctx.bundle.staging import Staging
from orgctx.operations.source_kinds import SINGLE_KINDS
from orgctx.stores.db import Tenant, distributed_tables, is_distributed, set_versions, sql


class Change(NamedTuple):
    """What a load changes in an approved source.

    record_count: records before the load. held: documents that it holds.
    """

    source_id: str
    record_count: int
    created: int
    updated: int
    deleted: int
    held: int


# Called in the transaction after all records are merged. Returns None to store them, or a function
# that asks a question. Then the merge is undone, so that no lock is held while the user thinks. The
# function raises to stop the load; otherwise the records are merged and reviewed again.
Review = Callable[[list[Change]], Callable[[], object] | None]


# A deletion recurses into folders, and the database limits the depth of recursion.
MAX_FOLDER_DEPTH = 128
# Answers list all sources of an organization: their number, and the bytes of their texts as JSON.
MAX_SOURCES, MAX_SOURCE_BYTES = 1_000, 6 * 1024 * 1024
LONGEST_LINE = 128 * 1024 * 1024
# Deletions that are not staged run after the records before them, at most this many at once.
MOST_DELETIONS = 100_000
# After this many changes, ANALYZE runs again: with old statistics, the planner would read a whole
# chat for each of its senders.
ANALYZED_FROM = 1_000
# Each index lookup searches the whole list of organizations, so one statement for all organizations
# of a long stream would take quadratic time.
BATCH_ORGANIZATIONS = 100
DERIVED_TABLES = "knowledge_chunks, knowledge_search, telegram_search, people, people_counts"
CHATS = TYPES["telegram.chat"].staging
# They end in a SELECT: Citus would send an INSERT to servers without the temporary tables.
DERIVE_FROM_CHATS = (
    "bundle/derive_chats",
    "bundle/derive_message_search",
    "bundle/derive_telegram_people",
)
DERIVE_ALWAYS = (
    "bundle/derive_x_people",
    "bundle/derive_newer_sources",
    "bundle/derive_people_counts",
)
# Analyze people first: if the planner assumes that it is empty, it scans it for each person.
NEEDS_STATISTICS = "bundle/derive_newer_sources"

# Called in the transaction after all records are stored, with the organizations of the stream. An
# exception rolls back the load.
Finish = Callable[[psycopg.Connection[Any], frozenset[UUID], Summary], object]
# Called with the name of each step of the merge, when it begins.
OnStep = Callable[[str], object]


def load_records(
    database_url: str,
    records: Iterable[Any],
    *,
    dry_run: bool = False,
    finish: Finish = lambda *_: None,
    review: Review = lambda _: None,
    on_step: OnStep = lambda _: None,
) -> Summary:
    """Load records that are dicts. Raises BundleError or psycopg.Error."""
    places = Places()
    places.begin("record", 0)
    lines = (Line(number, orjson.dumps(record)) for number, record in enumerate(records, 1))
    return _load(database_url, lines, places, dry_run, finish, review, on_step)


def load_files(
    database_url: str,
    files: Iterable[tuple[str, IO[bytes]]],
    *,
    dry_run: bool = False,
    finish: Finish = lambda *_: None,
    on_step: OnStep = lambda _: None,
    on_read: Callable[[int], object] = lambda _: None,
) -> Summary:
    """Load named files as one stream.

    Raises BundleError with the first invalid lines. Nothing is stored then.

    Args:
        on_read: called with the number of bytes of each line.
    """
    places = Places()
    lines = _lines(files, places, on_read)
    return _load(database_url, lines, places, dry_run, finish, lambda _: None, on_step)


def _lines(
    files: Iterable[tuple[str, IO[bytes]]], places: Places, on_read: Callable[[int], object]
) -> Iterator[Line]:
    sequence = 0
    for name, file in files:
        places.begin(name, sequence)
        is_first = True
        while content := file.readline(LONGEST_LINE):
            sequence += 1
            on_read(len(content))
            if len(content) == LONGEST_LINE and not content.endswith(b"\n"):
                limit = f"exceeds {LONGEST_LINE >> 20} MiB; a line has one record"
                raise BundleError([f"{places.name(sequence)}: {limit}"])
            if is_first:
                content, is_first = content.removeprefix(b"\xef\xbb\xbf"), False
            if not content.isspace():
                yield Line(sequence, content)


def _load(
    database_url: str,
    lines: Iterable[Line],
    places: Places,
    dry_run: bool,
    finish: Finish,
    review: Review,
    on_step: OnStep,
) -> Summary:
    with psycopg.connect(database_url) as connection:
        load = _Load(connection, database_url, places, on_step)
        load.stage(lines)
        load.store(review)
        finish(connection, frozenset(load.organization_ids), load.summary)
        if dry_run:
            connection.rollback()
    return load.summary


class _Load:
    def __init__(
        self,
        connection: psycopg.Connection[Any],
        database_url: str,
        places: Places,
        on_step: OnStep,
    ) -> None:
        self._connection = connection
        self._on_step = on_step
        self._database_url = database_url
        self._errors = LineErrors(places)
        self._staging = Staging(connection)
        # Deletions that are not staged; they follow the staged records in the stream.
        self._deletions: list[Record] = []
        self._has_grown = False
        self._is_distributed = is_distributed(connection)
        tables = distributed_tables(connection) if self._is_distributed else ()
        self._reference_tables = {row["name"] for row in tables if row["kind"] == "reference"}
        self.organization_ids: set[UUID] = set()
        self.summary = Summary()

    def stage(self, lines: Iterable[Line]) -> None:
        """Check and stage all records."""
        for record in parse_records(lines, self._errors):
            self._count(record.type, "read", 1)
            self.organization_ids.add(record.organization_id)
            if self._errors:
                continue
            is_deletion = record.is_delete and record.type.deleted_by
            if len(self._deletions) == MOST_DELETIONS or (self._deletions and not is_deletion):
                self._merge_and_delete()
                self._connection.execute(sql("bundle/truncate_staging"))
            if is_deletion:
                self._deletions.append(record)
            else:
                self._staging.add(record)
        self._staging.flush()
        self.summary.secrets = self._staging.secrets

    def store(self, review: Review) -> None:
        """Store all records. If the review has a question, ask it and store them again."""
        while question := self._store_unless_asked(review):
            question()

    def _store_unless_asked(self, review: Review) -> Callable[[], object] | None:
        """Store all records. If the review has a question, undo that and return the question."""
        before = self._staging.filled_tables, self._deletions, deepcopy(self.summary)
        with self._connection.transaction() as attempt:
            question = review(self._store_all())
            if question:
                self._staging.filled_tables, self._deletions, self.summary = before
                raise psycopg.Rollback(attempt)
        return question

    def _store_all(self) -> list[Change]:
        """Merge the rest and update derived data. Returns what changes in approved sources."""
        self._merge_and_delete()
        if self._errors:
            raise self._errors.error()
        self._on_step("Counting people")
        self._derive_all()
        rows = self._connection.execute(sql("bundle/list_approved_changes"), self._organizations)
        held = Counter(source_id for _, source_id, _ in self.summary.held)
        changes = [Change._make((*row, held[row[0]])) for row in rows]
        self._update_sources()
        set_versions(self._connection, sorted(self.organization_ids))
        return changes

    def _derive_all(self) -> None:
        """Compute the people and the search tokens of the records that changed."""
        from_chats = DERIVE_FROM_CHATS if CHATS in self._staging.created else ()
        for name in (*from_chats, *DERIVE_ALWAYS):
            if name == NEEDS_STATISTICS and self._has_grown:
                self._analyze("people")
            self._derive(name)
        if self._has_grown:
            self._analyze(DERIVED_TABLES)

    def _derive(self, name: str) -> None:
        for organizations in self._batches:
            self._connection.execute(sql(name), organizations)

    def _update_sources(self) -> None:
        """Count the records of the sources that changed, and mark these as loaded."""
        touched = self._connection.execute(sql("bundle/list_changed_sources")).fetchall()
        has_changed = any(counts[name] for counts in self.summary.values() for name in CHANGES)
        for organization_id, source_ids in touched:
            sources = {"organization_id": organization_id, "ids": source_ids}
            Tenant(self._connection, organization_id).lock_sources(source_ids)
            count_records(self._connection, organization_id, source_ids)
            if has_changed:
                self._connection.execute(sql("bundle/mark_loaded"), sources)

    @property
    def _organizations(self) -> dict[str, list[UUID]]:
        """The parameter of statements that lists all organizations of the stream so far."""
        return {"organization_ids": sorted(self.organization_ids)}

    @property
    def _batches(self) -> Iterator[dict[str, list[UUID]]]:
        """The same, in batches of 100 organizations, or of one in a distributed database."""
        size = 1 if self._is_distributed else BATCH_ORGANIZATIONS
        ids = sorted(self.organization_ids)
        for start in range(0, len(ids), size):
            yield {"organization_ids": ids[start : start + size]}

    def _count(self, record_type: RecordType, name: str, number: int) -> None:
        counts = self.summary.setdefault(record_type.name, dict.fromkeys(("read", *COUNTS), 0))
        counts[name] += number

    def _merge_staged(self) -> None:
        """Check the staged records against the stored ones and store them."""
        self._staging.flush()
        tables, self._staging.filled_tables = self._staging.filled_tables, set()
        if not tables:
            return
        connection = self._connection
        self._on_step("Checking records")
        self._analyze(", ".join(sorted(tables)))
        connection.execute(sql("bundle/lock_organizations"))
        self._find_reference_errors(tables)
        if TYPES["asset"].staging in tables:
            self._find_folder_errors()
        if self._errors:
            return
        self._on_step("Merging records")
        self._withhold_erased(tables)
        for name in ("bundle/fill_touched", *_statements(tables, lambda type_: type_.prepared_by)):
            connection.execute(sql(name), self._organizations)
        for record_type in TYPES.values():
            if record_type.staging in tables:
                self._merge_type(record_type)
        if TYPES["knowledge"].staging in tables:
            self._hold_unseen()
            options = {"is_distributed": self._is_distributed}
            add_chunks(connection, self._database_url, self._batches, **options)

    def _hold_unseen(self) -> None:
        """Hold documents that nobody may read yet, before their search tokens are stored."""
        touched: dict[UUID, set[str]] = defaultdict(set)
        for organizations in self._batches:
            for change in hold_loaded(self._connection, organizations["organization_ids"]):
                place = (change.organization_id, change.source_id, change.knowledge_id)
                reasons = self.summary.held.setdefault(place, set())
                if change.is_held:
                    reasons.add(change.reason)
                else:
                    reasons.discard(change.reason)
                touched[change.organization_id].add(change.source_id)
        # Their records are counted again.
        for organization_id, source_ids in touched.items():
            sources = {"organization_id": organization_id, "source_ids": [*source_ids]}
            self._connection.execute(sql("bundle/add_deletions"), {**sources, "deleted": 0})
        self.summary.held = {place: held for place, held in self.summary.held.items() if held}

    def _withhold_erased(self, tables: set[str]) -> None:
        """Keep out what erased people wrote. The organizations are locked."""
        rows = self._connection.execute(sql("bundle/list_erased_people"), self._organizations)
        digests = [digest for (digest,) in rows]
        if digests and TYPES["x.mention"].staging in tables:
            people = {**self._organizations, "digests": digests}
            rows = self._connection.execute(sql("bundle/erase_usernames"), people)
            digests += [digest for (digest,) in rows]
        if not digests:
            return
        for record_type in TYPES.values():
            if record_type.has_authors and record_type.staging in tables:
                name = f"bundle/withhold_{record_type.table}"
                self._connection.execute(sql(name), {"digests": digests})

    def _find_reference_errors(self, tables: set[str]) -> None:
        parameters = {
            **self._organizations,
            "error_limit": MOST_ERRORS,
            "single_kinds": list(SINGLE_KINDS),
            "most_sources": MAX_SOURCES,
            "most_bytes": MAX_SOURCE_BYTES,
        }
        names = (
            "bundle/find_reference_errors",
            *_statements(tables, lambda type_: type_.checked_by),
        )
        moves = (
            type_.statement("bundle/find_moves_of_type")
            for type_ in TYPES.values()
            if type_.staging in tables and type_.parent == "source" and "source_id" not in type_.key
        )
        for statement in (*map(sql, names), *moves):
            self._add_errors(statement, parameters)

    def _find_folder_errors(self) -> None:
        for organizations in self._batches:
            cursor = self._connection.cursor(row_factory=dict_row)
            cursor.execute(sql("bundle/list_placed_assets"), organizations)
            parameters = {
                **organizations,
                **(cursor.fetchone() or {}),
                "error_limit": MOST_ERRORS,
                "folder_depth": MAX_FOLDER_DEPTH,
            }
            self._add_errors(sql("bundle/find_folder_errors"), parameters)

    def _add_errors(self, statement: str, parameters: dict[str, Any]) -> None:
        for sequence, error in self._connection.execute(statement, parameters):
            self._errors.add(sequence, error)

    def _merge_type(self, record_type: RecordType) -> None:
        merge = record_type.statement(record_type.merged_by)
        row = self._connection.execute(merge, self._organizations).fetchone()
        counts = dict(zip(COUNTS, row or (), strict=True))
        for name, number in counts.items():
            if number:
                self._count(record_type, name, number)
        if counts["created"] + counts["updated"] >= ANALYZED_FROM:
            self._has_grown = True
            # Citus cannot analyze a reference table in the transaction that changed it.
            if record_type.table not in self._reference_tables:
                self._analyze(record_type.table)

    def _analyze(self, tables: str) -> None:
        self._connection.execute(psycopg_sql.SQL("ANALYZE " + tables))

    def _merge_and_delete(self) -> None:
        """Merge the staged records, then run the deletions that follow them."""
        if self._is_distributed:
            self._connection.execute(sql("bundle/citus/lock_loads"))
        self._merge_staged()
        deletions, self._deletions = self._deletions, []
        if self._errors:
            return
        for deletion in deletions:
            self._delete(deletion)

    def _delete(self, deletion: Record) -> None:
        """Delete a record and its children."""
        record_type, organization_id = deletion.type, deletion.organization_id
        id_ = deletion.values["id"]
        identity = {"organization_id": organization_id, "id": id_}
        Tenant(self._connection, organization_id).lock_organization()
        descendants = count_descendants(self._connection, record_type.name, organization_id, id_)
        delete = record_type.statement(record_type.deleted_by)
        rows = self._connection.execute(delete, identity).fetchall()
        owner_ids = {owner_id for (owner_id,) in rows if owner_id and record_type.has_source}
        deleted, source_ids = len(rows), sorted(owner_ids)
        for source_id in source_ids:
            if deletion.source_id not in (None, source_id):
                text = f"sourceId must be {source_id}, which has this record or a part of it"
                self._errors.add(deletion.sequence, text)
        self._count(record_type, "deleted", deleted)
        if deleted:
            for type_, count in descendants.items():
                self._count(TYPES[type_], "deleted", count)
        changes = {"organization_id": organization_id, "source_ids": source_ids, "deleted": deleted}
        self._connection.execute(sql("bundle/add_deletions"), changes)


def _statements(tables: set[str], name_of: Callable[[RecordType], str | None]) -> list[str]:
    """Return the distinct names of statements of the types whose tables are in `tables`."""
    names = (name_of(type_) for type_ in TYPES.values() if type_.staging in tables)
    return list(dict.fromkeys(filter(None, names)))


def count_descendants(
    connection: psycopg.Connection[Any], type_: str, organization_id: UUID, id_: object
) -> dict[str, int]:
    """Return the number of stored records below a record, by type; types without any are omitted.

    The contents of a folder are not counted, because they have the same type as the folder.

    Args:
        type_: name of the record's type in TYPES.
    """
    organization = {"organization_id": organization_id}
    counts = {}
    with connection.cursor(row_factory=tuple_row) as cursor:
        for child in _descendants(type_):
            ids = None if type_ == "organization" else [id_]
            if ids and child.parent != type_:
                # The messages of a source: count those of its chat.
                rows = cursor.execute(
                    sql("bundle/count_records"), organization | {"source_ids": ids}
                )
                ids = [chat_id for *_, chat_id in rows]
            cursor.execute(child.statement("bundle/count_below"), organization | {"ids": ids})
            counts[child.name] = (cursor.fetchone() or (0,))[0]
    return {name: count for name, count in counts.items() if count}


def _descendants(type_: str) -> Iterator[RecordType]:
    """Yield the types whose records belong to a record of this type, directly or indirectly."""
    for record_type in TYPES.values():
        if record_type.parent == type_:
            yield record_type
            yield from _descendants(record_type.name)
