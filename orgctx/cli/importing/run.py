"""Run an import: look up stored records, convert, load or print, and report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from uuid import UUID

from orgctx.bundle import BundleError, PackedError, Summary, load_records
from orgctx.bundle.loader import COUNTS
from orgctx.cli.admin import Connection, find_organization, reading
from orgctx.cli.errors import CommandError
from orgctx.cli.importing.approval import Approval
from orgctx.cli.importing.lookup import look_up
from orgctx.cli.importing.memory import Memory
from orgctx.cli.load import print_summary
from orgctx.cli.output import echo, print_json, printable, say, to_json
from orgctx.cli.recording import load_recorder
from orgctx.config.settings import Config
from orgctx.importers import Existing, ImportRejected, Report
from orgctx.importers.records import Target

SIMILARITY = 0.75


class PartlyImported(CommandError):
    """Some input was refused; the rest is stored."""


@dataclass(frozen=True, slots=True)
class Run:
    """The importer and the options of one run.

    stored: the records to look up besides sources, as in `look_up`.
    """

    convert: Callable[..., Iterator[dict[str, Any]]]
    paths: Sequence[Path]
    stored: str
    organization: str
    source_id: str
    dry_run: bool
    as_bundle: bool
    as_json: bool
    stale_after_seconds: int | None
    create: bool
    label: str | None
    description: str | None
    yes: bool
    restore: bool


def run_import(options: Run) -> None:
    """Run an import. Raises CommandError, even if only some input was rejected."""
    memory = Memory(options.source_id, options.as_bundle)
    with reading() as connection:
        organization_id = find_organization(connection, options.organization)
        existing = look_up(
            connection,
            organization_id,
            options.source_id,
            options.stored,
            restores=options.restore,
        )
    existing = replace(existing, carry_suppression=memory.carry_suppression)
    _check_source(options, existing)
    target = Target(
        str(organization_id),
        options.source_id,
        existing,
        options.stale_after_seconds,
        options.label,
        options.description,
    )
    approval = Approval(yes=options.yes, is_dry_run=options.dry_run)
    report = Report()
    try:
        summary = _convert(options, target, report, memory, approval)
    except (ImportRejected, PackedError) as error:
        raise CommandError(f"Nothing was imported: {error}") from None
    except BundleError as error:
        errors = "\n  ".join(error.errors)
        raise CommandError(f"Nothing was imported. The loader rejected:\n  {errors}") from None
    if options.as_json and not options.as_bundle:
        print_json(_as_json(report, summary, approval))
    else:
        _print(options, report, summary, approval)
    if report.refused_count:
        raise PartlyImported(_refusals(options, report))


def _check_source(options: Run, existing: Existing) -> None:
    """Reject a new source whose name is similar to an existing one, because it may be a typo."""
    if options.create or options.source_id in existing.sources:
        return
    similar = [id_ for id_ in existing.sources if _is_similar(options.source_id, id_)]
    if similar:
        raise CommandError(
            f"Organization {options.organization!r} has no source {options.source_id!r}; did you "
            f"mean {similar[0]!r}? Pass --create to create a new one"
        )


def _is_similar(id_: str, known_id: str) -> bool:
    """Compare two ids: `docs:hanbook` is similar to `docs:handbook`, `docs:a` not to `docs:b`."""
    (prefix, _, name), (known_prefix, _, known_name) = id_.partition(":"), known_id.partition(":")
    if prefix == known_prefix:
        return bool(get_close_matches(name, [known_name], cutoff=SIMILARITY))
    return bool(get_close_matches(id_, [known_id], cutoff=SIMILARITY))


def _convert(
    options: Run, target: Target, report: Report, memory: Memory, approval: Approval
) -> Summary:
    """Load the records, or print them."""
    from tqdm import tqdm

    def finish(connection: Connection, organization_ids: frozenset[UUID], summary: Summary) -> None:
        for organization_id in organization_ids:
            memory.store(connection, organization_id, target.existing)
        load_recorder(options.paths)(connection, organization_ids, summary)

    total = sum(_size(path) for path in options.paths) or None
    with tqdm(total=total, unit="B", unit_scale=True, disable=None, leave=False) as bar:
        records = options.convert(target=target, report=report, progress=bar.update)
        with closing(records):  # type: ignore[type-var]
            if options.as_bundle:
                return _write(records)
            url = Config.from_environment().admin_database_url
            return load_records(
                url, records, dry_run=options.dry_run, finish=finish, review=approval.review
            )


def _size(path: Path) -> int:
    """Return the bytes of a file; 0 for a folder, whose size is unknown before the walk."""
    return 0 if path.is_dir() else path.stat().st_size


def _write(records: Iterator[dict[str, Any]]) -> Summary:
    for line in records:
        sys.stdout.buffer.write(f"{to_json(line)}\n".encode())
    sys.stdout.flush()
    return {}


def _as_json(report: Report, summary: Summary, approval: Approval) -> dict[str, Any]:
    totals = {name: sum(counts[name] for counts in summary.values()) for name in COUNTS}
    return {**report.as_json(), **totals, "types": summary, "approved": approval.visible}


def _print(options: Run, report: Report, summary: Summary, approval: Approval) -> None:
    """Print the report, to standard error if standard output is the bundle."""
    say_line = say if options.as_bundle else echo
    if summary:
        print_summary(summary)
    say_line(f"Read {report.read:,}.")
    for reason, skipped in report.skipped.items():
        say_line(f"Skipped {skipped.count:,}: {reason}")
        for example in skipped.examples:
            say_line(f"  {example}")
    for reason, count in report.repaired.items():
        say_line(f"Repaired {count:,}: {reason}")
    if report.renamed_count:
        say_line(f"Renamed {report.renamed_count:,}:")
        for example in report.renamed:
            say_line(f"  {example}")
    for note in report.notes:
        say_line(f"Note: {note}")
    for source_id in () if options.dry_run else approval.visible:
        say_line(f"{printable(source_id)} is approved: visible now.")
    if options.dry_run and not options.as_bundle:
        say_line("Nothing was stored: this was a dry run.")


def _refusals(options: Run, report: Report) -> str:
    action = "checked" if options.dry_run else "imported"
    action = "printed" if options.as_bundle else action
    more = report.refused_count - len(report.refused)
    lines = [f"{report.refused_count:,} refused, the rest was {action}; check:", *report.refused]
    if more:
        reasons = [f"{count:,}: {reason}" for reason, count in report.refused_reasons.items()]
        lines += [f"and {more:,} more. All by reason:", *reasons]
    return "\n  ".join(lines)
