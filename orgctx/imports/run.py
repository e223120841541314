"""Run an import: read what is stored, convert, review, load, and record."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from orgctx.bundle.counts import CHANGES, COUNTS, Summary
from orgctx.bundle.holds import held_lines
from orgctx.bundle.loader import Change, load_records
from orgctx.bundle.reading import BundleError
from orgctx.decisions.audit_log import record_load
from orgctx.decisions.sources import stored as stored_sources
from orgctx.importers.records import Existing, Record, StoredChat, Target
from orgctx.importers.report import MOST_EXAMPLES, ImportRejected, Report
from orgctx.imports import ImportFailed, catalog
from orgctx.imports.catalog import Importer, Records
from orgctx.schemas.payload import camel_case
from orgctx.schemas.text import counted
from orgctx.stores import db
from orgctx.stores.db import Connection

# An import may change this many records, or this share of a source, without a question.
MOST_CHANGED = 5
LARGEST_SHARE = 0.2
LARGE_CHANGE = "add, replace or delete more than a fifth of an approved source"


@dataclass(frozen=True, slots=True)
class Import:
    """What to import, and into which source; the options of the commands describe the rest.

    options: values of the importer's options by name; those that are missing have their defaults.
    organization: its name for messages.
    yes: whether the user agreed in advance to add, replace and delete any records.
    """

    importer: Importer
    paths: Sequence[Path]
    options: Mapping[str, Any]
    organization: str
    organization_id: UUID
    source_id: str
    stale_after_seconds: int | None = None
    label: str | None = None
    description: str | None = None
    older: bool = False
    yes: bool = False
    dry_run: bool = False


class Host(NamedTuple):
    """What an import needs of the program that runs it.

    reading: opens a read-only transaction on the database.
    say: called with each line for the user.
    ask: called with what the import would do; raises to stop.
    show: iterates over records and shows how many are done.
    on_step: called with the name of each step of the load, when it begins.
    """

    database_url: str
    reading: Callable[[], AbstractContextManager[Connection]]
    say: Callable[[str], object]
    ask: Callable[[str], object]
    show: Callable[[Iterable[Any], str], Iterable[Any]]
    on_step: Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Result:
    """What an import read, refused and stored; without a summary, the records were printed."""

    action: str  # what happened to the records: imported, checked or printed
    report: Report
    summary: Summary
    approved: list[str]  # ids of the approved sources whose records changed
    organization: str  # its name for messages

    def as_json(self) -> dict[str, Any]:
        totals = {name: sum(counts[name] for counts in self.summary.values()) for name in COUNTS}
        totals |= {"held": len(self.summary.held), "secrets": self.summary.secrets.total()}
        records = {**totals, "types": self.summary.as_json(), "approved": self.approved}
        return self.report.as_json() | records

    def lines(self) -> list[str]:
        report = self.report
        lines = [f"Read {report.read:,}."]
        for reason, group in report.skipped.items():
            lines.append(f"Skipped {group.count:,}: {reason}")
            lines += [f"  {example}" for example in group.examples[:MOST_EXAMPLES]]
        lines += [f"Repaired {count:,}: {defect}" for defect, count in report.repaired.items()]
        lines += [f"Note: {note}" for note in report.notes]
        if self.action == "imported":
            lines += [f"{id_} is approved: visible now." for id_ in self.approved]
        elif self.action == "checked":
            lines.append("Nothing was stored: this was a dry run.")
        return [*lines, *held_lines(self.summary, self.organization)]

    def rejections(self) -> str:
        is_all = self.action != "printed" and not self.summary
        rest = "nothing was imported" if is_all else f"the rest was {self.action}"
        lines = [f"{self.report.refused_count:,} refused, {rest}; check:"]
        for reason, group in self.report.refused_groups.items():
            lines += group.examples[:MOST_EXAMPLES]
            if group.count > MOST_EXAMPLES:
                lines.append(f"and {group.count - MOST_EXAMPLES:,} more: {reason}")
        return "\n  ".join(lines)


@dataclass(slots=True)
class Review:
    """Says what an import changes in approved sources, and asks if it is much."""

    say: Callable[[str], object]
    ask: Callable[[str], object] | None  # None if the user agreed in advance; raises to stop
    # Ids of the sources of which keys read something else afterwards.
    visible: list[str] = field(default_factory=list)
    _agreed: list[Change] = field(default_factory=list)

    def __call__(self, changes: list[Change]) -> Callable[[], object] | None:
        """Say what changes. Returns a question if it is more than what the user agreed to."""
        changes = [change for change in changes if any(getattr(change, name) for name in CHANGES)]
        self.visible = [each.source_id for each in changes if _visible_count(each)]
        if self._agreed and changes == self._agreed:
            return None
        for each in changes:
            held = f" {each.held:,} held until a release." if each.held else ""
            self.say(
                f"{each.source_id} is approved ({counted(each.record_count, 'record')}): "
                f"{each.created:,} new, {each.updated:,} replaced, {each.deleted:,} deleted.{held}"
            )

        def ask() -> None:
            if self.ask:
                self.ask(LARGE_CHANGE)
            self._agreed = changes

        return ask if self.ask and any(map(_is_large, changes)) else None


def run(task: Import, host: Host, *, write: Callable[[Record], object] | None = None) -> Result:
    """Run an import in one transaction. Raises ImportFailed if nothing was stored.

    write: takes each record, instead of loading it.
    """
    importer, source_id = task.importer, task.source_id
    convert = importer.load()
    existing = _read_stored(host, task)
    target = Target(
        str(task.organization_id),
        source_id,
        existing,
        stale_after_seconds=task.stale_after_seconds,
        label=task.label,
        description=task.description,
        older=task.older,
    )
    command = f"import {importer.name}"

    def finish(connection: Connection, organization_ids: frozenset[UUID], summary: Summary) -> None:
        record_load(connection, organization_ids, summary, command=command, files=task.paths)

    ask = None if task.yes or task.dry_run else host.ask
    review = Review(host.say, ask)
    report, summary = Report(), Summary()
    files = list(task.paths) if importer.takes_several else task.paths[0]
    try:
        records = convert(files, target=target, report=report, **task.options)
        is_new = not any(f"{id_}:".startswith(f"{source_id}:") for id_ in existing.sources)
        similar = next((id_ for id_ in existing.sources if id_.endswith(f":{source_id}")), None)
        if is_new and similar and ask:
            ask(f"create the source {source_id}; did you mean {similar}")
        # A page of an API may be empty; a folder or a file that holds nothing is the wrong one.
        if is_new or not importer.takes_several:
            records = _reject_empty(task, report, records)
        with closing(records):
            shown = host.show(records, "Reading")
            if write:
                for record in shown:
                    write(record)
            else:
                summary = load_records(
                    host.database_url,
                    shown,
                    dry_run=task.dry_run,
                    finish=finish,
                    review=review,
                    on_step=host.on_step,
                )
    except ImportRejected as error:
        raise ImportFailed(f"Nothing was imported: {error}") from None
    except BundleError as error:
        errors = "\n  ".join(error.errors)
        raise ImportFailed(f"Nothing was imported. The loader rejected:\n  {errors}") from None
    action = "printed" if write else "checked" if task.dry_run else "imported"
    return Result(action, report, summary, review.visible, task.organization)


def _read_stored(host: Host, task: Import) -> Existing:
    """Return the stored records that an import compares with."""
    organization, table = {"organization_id": task.organization_id}, task.importer.table
    list_ids = SQL(db.sql("imports/list_stored_ids"))

    def messages(chat_id: str) -> "array[int]":
        """Read the messages row by row: a chat may have millions of them."""
        with host.reading() as connection, connection.cursor("m", row_factory=tuple_row) as cursor:
            text = list_ids.format(table=Identifier(table), owner_id=Identifier("chat_id"))
            rows = cursor.execute(text, organization | {"id": chat_id})
            return array("i", (id_ for (id_,) in rows))

    def erased(user_ids: AbstractSet[str]) -> set[str]:
        parameters = organization | {"user_ids": sorted(user_ids)}
        with host.reading() as connection:
            rows = db.run(connection, "imports/list_erased_users", **parameters)
            return {row["user_id"] for row in rows}

    more: dict[str, Any] = {}
    with host.reading() as connection:
        sources = {
            row["id"]: {camel_case(name): row[name] for name in row} | {"href": row["stored_href"]}
            for row in stored_sources(db.Tenant(connection, task.organization_id))
        }
        if table == "telegram_messages":
            chats = db.run(connection, "imports/list_stored_chats", **organization)
            more["chats"] = {str(row.pop("id")): StoredChat(**row) for row in chats}
        elif table != "x_mentions":
            text = list_ids.format(table=Identifier(table), owner_id=Identifier("source_id"))
            rows = connection.execute(text, organization | {"id": task.source_id})
            more["ids"] = frozenset(str(row["id"]) for row in rows)
    return Existing(sources, **more, messages=messages, erased=erased)


def _reject_empty(task: Import, report: Report, records: Records) -> Records:
    """Yield records. Raises ImportRejected instead of making an empty source."""
    with closing(records):
        sources: list[Record] = []
        for record in records:
            sources.append(record)
            if record["type"] != "source":
                yield from sources
                yield from records
                return
    if report.refused_count:
        return
    row, kind = task.importer, catalog.detect(task.paths[0])
    skipped = [f"{group.count:,} {reason}" for reason, group in report.skipped.items()]
    reasons = f"Skipped: {'; '.join(skipped[:MOST_EXAMPLES])}. " if skipped else ""
    formats = ", ".join(row.formats) or row.help.partition("\n")[0].rstrip(".")
    is_other = kind in catalog.BY_NAME and catalog.BY_NAME[kind].function != row.function
    advice = f" Use `orgctx import {kind}`." if is_other else ""
    raise ImportRejected(
        ", ".join(map(str, task.paths)),
        f"contains nothing that `orgctx import {row.name}` loads. {reasons}It accepts: {formats}."
        f"{advice}",
    )


def _is_large(change: Change) -> bool:
    # A replaced document that is held now is one that readers lose.
    lost = change.updated + change.deleted
    count = lost + max(change.created - change.held, 0)
    return count > max(MOST_CHANGED, LARGEST_SHARE * change.record_count)


def _visible_count(change: Change) -> int:
    """Return for how many records readers see a difference."""
    return change.created - change.held + change.updated + change.deleted
