"""Run an import: read what is stored, convert, review, load, and record."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from orgctx.bundle.counts import CHANGES, COUNTS, Summary
from orgctx.bundle.holds import held_lines
from orgctx.bundle.loader import Change, load_records
from orgctx.bundle.loader import Progress as Steps
from orgctx.bundle.packed import PackedError
from orgctx.bundle.reading import BundleError
from orgctx.decisions.audit_log import record_load
from orgctx.importers import ImportRejected, Report
from orgctx.importers.records import Progress, Record, Target, no_progress
from orgctx.importers.report import MOST_EXAMPLES
from orgctx.imports import ImportFailed, catalog
from orgctx.imports.catalog import Importer, Records
from orgctx.imports.stored import Reading, read
from orgctx.stores.db import Connection

SIMILARITY = 0.75
# An import may change this many records, or this share of a source, without a question.
MOST_CHANGED = 5
LARGEST_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Import:
    """What to import, and into which source; the options of catalog.OPTIONS describe the rest.

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
    create: bool = False
    label: str | None = None
    description: str | None = None
    older: bool = False
    yes: bool = False
    dry_run: bool = False


class Host(NamedTuple):
    """What an import needs of the program that runs it.

    reading: opens a read-only transaction on the database.
    say: called with each line for the user.
    ask: asks whether to change many records of an approved source; raises to stop.
    show: iterates over the steps of the load and shows how many are done.
    """

    database_url: str
    reading: Reading
    say: Callable[[str], object]
    ask: Callable[[], object]
    show: Steps


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
        totals |= {"held": len(self.summary.held)}
        records = {**totals, "types": self.summary.as_json(), "approved": self.approved}
        return self.report.as_json() | records

    def lines(self) -> list[str]:
        report = self.report
        lines = [f"Read {report.read:,}."]
        for reason, skipped in report.skipped.items():
            lines.append(f"Skipped {skipped.count:,}: {reason}")
            lines += [f"  {example}" for example in skipped.examples[:MOST_EXAMPLES]]
        lines += [f"Repaired {count:,}: {defect}" for defect, count in report.repaired.items()]
        lines += [f"Note: {note}" for note in report.notes]
        if self.action == "imported":
            lines += [f"{id_} is approved: visible now." for id_ in self.approved]
        elif self.action == "checked":
            lines.append("Nothing was stored: this was a dry run.")
        return [*lines, *held_lines(self.summary, self.organization)]

    def rejections(self) -> str:
        report = self.report
        is_all = self.action != "printed" and not self.summary
        rest = "nothing was imported" if is_all else f"the rest was {self.action}"
        text = f"{report.refused_count:,} refused, {rest}; check:"
        lines = [text, *report.refused]
        if more := report.refused_count - len(report.refused):
            lines.append(f"and {more:,} more. All by reason:")
            lines += [f"{count:,}: {reason}" for reason, count in report.refused_reasons.items()]
        return "\n  ".join(lines)


@dataclass(slots=True)
class Review:
    """Reviews what an import changes in approved sources."""

    say: Callable[[str], object]
    ask: Callable[[], object] | None  # None if the user agreed in advance; raises to stop
    # Ids of the sources of which keys read something else afterwards.
    visible: list[str] = field(default_factory=list)
    # What the user agreed to change in each source.
    _agreed: dict[str, Change] = field(default_factory=dict)

    def __call__(self, changes: list[Change]) -> Callable[[], object] | None:
        """Say what changes. Returns a question if it is much."""
        changes = [
            change for change in changes if change.created or change.held or _changed(change)
        ]
        self.visible = [change.source_id for change in changes if _changed(change)]
        large = [change for change in changes if self.ask and self._is_large(change)]
        for change in large or changes:
            text = (
                f"{change.source_id} is approved ({change.record_count:,} records): "
                f"{change.created:,} new, {change.updated:,} replaced, {change.deleted:,} deleted."
            )
            if change.held:
                text += f" {change.held:,} of the new ones wait for a release."
            if large:
                self.say(text)
            elif change.source_id not in self._agreed:
                self.say(text + " Visible as soon as the import ends." * bool(_changed(change)))

        def ask() -> None:
            if self.ask:
                self.ask()
            self._agreed |= {change.source_id: change for change in large}

        return ask if large else None

    def _is_large(self, change: Change) -> bool:
        limit = max(MOST_CHANGED, LARGEST_SHARE * change.record_count)
        agreed = self._agreed.get(change.source_id)
        is_agreed = agreed is not None and all(
            getattr(change, name) <= getattr(agreed, name) for name in CHANGES
        )
        return _changed(change) > limit and not is_agreed


def run(
    task: Import,
    host: Host,
    *,
    progress: Progress = no_progress,
    write: Callable[[Record], object] | None = None,
) -> Result:
    """Run an import in one transaction. Raises ImportFailed if nothing was stored.

    progress: called with the number of bytes that were read.
    write: takes each record, instead of loading it.
    """
    row, source_id = task.importer, task.source_id
    convert = row.load()
    existing = read(host.reading, task.organization_id, source_id, row.table)
    _check_source(task, existing.sources)
    chosen = (task.stale_after_seconds, task.label, task.description, task.older)
    target = Target(str(task.organization_id), source_id, existing, *chosen)
    command = f"import {row.name}"

    def finish(connection: Connection, organization_ids: frozenset[UUID], summary: Summary) -> None:
        record_load(connection, organization_ids, summary, command=command, files=task.paths)

    review = Review(host.say, None if task.yes or task.dry_run else host.ask)
    report, summary = Report(), Summary()
    files = list(task.paths) if row.takes_several else task.paths[0]
    options = {**task.options, "progress": progress}
    try:
        records = convert(files, target=target, report=report, **options)
        is_new = not any(f"{id_}:".startswith(f"{source_id}:") for id_ in existing.sources)
        # A page of an API may be empty; a folder or a file that holds nothing is the wrong one.
        if is_new or row.takes_folders:
            records = _not_empty(task, report, records)
        with closing(records):
            if write:
                for record in records:
                    write(record)
            else:
                summary = load_records(
                    host.database_url,
                    records,
                    dry_run=task.dry_run,
                    finish=finish,
                    review=review,
                    progress=host.show,
                )
    except (ImportRejected, PackedError) as error:
        raise ImportFailed(f"Nothing was imported: {error}") from None
    except BundleError as error:
        errors = "\n  ".join(error.errors)
        raise ImportFailed(f"Nothing was imported. The loader rejected:\n  {errors}") from None
    action = "printed" if write else "checked" if task.dry_run else "imported"
    return Result(action, report, summary, review.visible, task.organization)


def _not_empty(task: Import, report: Report, records: Records) -> Records:
    """Yield records, so that no import makes an empty source. Raises ImportRejected."""
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
    name = task.importer.name
    reasons = sorted(report.skipped, key=lambda reason: -report.skipped[reason].count)
    counts = [f"{report.skipped[reason].count:,} {reason}" for reason in reasons[:MOST_EXAMPLES]]
    skipped = f"Skipped: {'; '.join(counts)}. " if counts else ""
    formats = ", ".join(task.importer.formats) or task.importer.help.partition("\n")[0]
    fitting = catalog.detect(task.paths[0])
    is_held_back = any(not reason.startswith("unsupported") for reason in reasons)
    others = [other for other in catalog.names() if other != name]
    advice = f"Other kinds of data: `orgctx import` with {', '.join(others)}."
    if fitting in others and not is_held_back:
        advice = f"Use `orgctx import {fitting}`."
    raise ImportRejected(
        ", ".join(map(str, task.paths)),
        f"contains nothing that `orgctx import {name}` loads. {skipped}It accepts: "
        f"{formats.rstrip('.')}. {advice}",
    )


def _check_source(task: Import, sources: Mapping[str, Any]) -> None:
    """Reject a new source whose id is similar to a stored one, because it may be a typo."""
    if task.create or task.source_id in sources:
        return
    # `docs:hanbook` and `handbook` are similar to `docs:handbook`, `docs:a` not to `docs:b`.
    prefix, colon, name = task.source_id.partition(":")
    for id_ in sources:
        known_prefix, _, known = id_.partition(":")
        whole = (task.source_id, id_ if colon else known)
        pair = (name, known) if prefix == known_prefix else whole
        if get_close_matches(pair[0], pair[1:], cutoff=SIMILARITY):
            raise ImportFailed(
                f"Organization {task.organization!r} has no source {task.source_id!r}; did you "
                f"mean {id_!r}? Pass --create to create a new one"
            )


def _changed(change: Change) -> int:
    """Return how many records become readable, other ones or unreadable."""
    return change.created - change.held + change.updated + change.deleted
