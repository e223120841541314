"""Run an import: look up stored records, convert, load or print, and report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg.rows import tuple_row

from orgctx.bundle import BundleError, PackedError, Summary, count_records, load_records
from orgctx.bundle.loader import COUNTS
from orgctx.cli.admin import Connection, find_organization, reading, run
from orgctx.cli.errors import CommandError
from orgctx.cli.load import print_summary
from orgctx.cli.output import camel, echo, print_json, say, to_json
from orgctx.cli.recording import load_recorder, record
from orgctx.config.settings import Config
from orgctx.importers import (
    Existing,
    ImportRejected,
    Report,
    StoredChat,
    StoredItem,
    StoredMessages,
)
from orgctx.importers.records import Target
from orgctx.stores.db import sql

SIMILARITY = 0.75


@dataclass(frozen=True, slots=True)
class Run:
    """The importer and the options of one run.

    stored: the records to look up besides sources: chats, mentions, knowledge or assets.
    """

    convert: Callable[..., Iterator[dict[str, Any]]]
    paths: Sequence[Path]
    stored: str | None
    organization: str
    source_id: str
    dry_run: bool
    as_bundle: bool
    as_json: bool
    stale_after_seconds: int | None
    create: bool


def run_import(options: Run) -> None:
    """Run an import. Raises CommandError, also if only some input was refused."""
    suppressions = _Suppressions(options)
    with reading() as connection:
        organization_id = find_organization(connection, options.organization)
        existing = _existing(connection, organization_id, options, suppressions)
    _check_source(options, existing)
    seconds = options.stale_after_seconds
    target = Target(str(organization_id), options.source_id, existing, seconds)
    report = Report()
    try:
        summary = _convert(options, target, report, suppressions)
    except (ImportRejected, PackedError) as error:
        raise CommandError(f"Nothing was imported: {error}") from None
    except BundleError as error:
        errors = "\n  ".join(error.errors)
        raise CommandError(f"Nothing was imported. The loader rejected:\n  {errors}") from None
    if options.as_json and not options.as_bundle:
        print_json(_as_json(report, summary))
    else:
        _print(options, report, summary)
    if report.refused_count:
        raise CommandError(_refusals(options, report))


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


def _existing(
    connection: Connection, organization_id: UUID, options: Run, suppressions: _Suppressions
) -> Existing:
    organization = {"organization_id": organization_id}
    rows = run(connection, "list_stored_sources", **organization)
    sources = {row["id"]: camel(row) for row in rows}
    if options.stored == "chats":
        chats = run(connection, "list_stored_chats", **organization)
        return Existing(
            sources=sources,
            chats={str(row.pop("id")): StoredChat(**row) for row in chats},
            messages=partial(_messages, organization_id),
        )
    if options.stored == "mentions":
        authors = partial(_authors, organization_id, options.source_id)
        return Existing(sources=sources, authors=authors)
    if options.stored is None:
        return Existing(sources=sources)
    statement = f"list_stored_{options.stored}"
    rows = run(connection, statement, **organization, source_id=options.source_id)
    ids = frozenset(str(row["id"]) for row in rows)
    if options.stored == "assets":
        return Existing(sources=sources, ids=ids)
    return Existing(
        sources=sources,
        ids=ids,
        items={
            row["id"]: StoredItem(row["title"], row["content_digest"], row["suppressed"])
            for row in rows
        },
        carry_suppression=suppressions.add,
    )


class _Suppressions:
    """Carries suppressions over to renamed items in the transaction that loads the items."""

    def __init__(self, options: Run) -> None:
        self._asked = options
        self._pairs: list[tuple[str, str]] = []

    def add(self, id_: str, new_id: str) -> bool:
        """Note a rename. Returns False for --as-bundle: bundles cannot express suppressions."""
        self._pairs.append((id_, new_id))
        return not self._asked.as_bundle

    def finish(
        self, connection: Connection, organization_ids: frozenset[UUID], summary: Summary
    ) -> None:
        for organization_id in organization_ids if self._pairs else ():
            ids, new_ids = (list(column) for column in zip(*self._pairs, strict=True))
            parameters = {"organization_id": organization_id, "ids": ids, "new_ids": new_ids}
            rows = run(connection, "carry_suppression", **parameters)
            if rows:
                count_records(connection, organization_id, [self._asked.source_id])
            for row in rows:
                after = {row["new_id"]: {"suppressed": True, "as": row["id"]}}
                record(connection, organization_id, before={}, after=after)
        load_recorder(self._asked.paths)(connection, organization_ids, summary)


def _messages(organization_id: UUID, chat_id: str) -> StoredMessages:
    """Read the messages row by row: a chat may have millions of them."""
    parameters = {"organization_id": organization_id, "chat_id": chat_id}
    with reading() as connection, connection.cursor("messages", row_factory=tuple_row) as rows:
        return StoredMessages(rows.execute(sql("cli/list_stored_messages"), parameters))


def _authors(organization_id: UUID, source_id: str) -> list[tuple[str, str]]:
    parameters = {"organization_id": organization_id, "source_id": source_id}
    with reading() as connection:
        rows = run(connection, "list_stored_mentions", **parameters)
    return [(row["id"], row["author_id"]) for row in rows]


def _convert(options: Run, target: Target, report: Report, suppressions: _Suppressions) -> Summary:
    """Load the records, or print them."""
    from tqdm import tqdm

    total = sum(_size(path) for path in options.paths) or None
    with tqdm(total=total, unit="B", unit_scale=True, disable=None, leave=False) as bar:
        records = options.convert(target=target, report=report, progress=bar.update)
        with closing(records):  # type: ignore[type-var]
            if options.as_bundle:
                return _write(records)
            url = Config.from_environment().admin_database_url
            return load_records(url, records, dry_run=options.dry_run, finish=suppressions.finish)


def _size(path: Path) -> int:
    """Return the bytes of a file; 0 for a folder, whose size is unknown before the walk."""
    return 0 if path.is_dir() else path.stat().st_size


def _write(records: Iterator[dict[str, Any]]) -> Summary:
    for line in records:
        sys.stdout.buffer.write(f"{to_json(line)}\n".encode())
    sys.stdout.flush()
    return {}


def _as_json(report: Report, summary: Summary) -> dict[str, Any]:
    totals = {name: sum(counts[name] for counts in summary.values()) for name in COUNTS}
    return {**report.as_json(), **totals, "types": summary}


def _print(options: Run, report: Report, summary: Summary) -> None:
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
    if options.dry_run and not options.as_bundle:
        say_line("Nothing was stored: this was a dry run.")


def _refusals(options: Run, report: Report) -> str:
    action = "checked" if options.dry_run else "imported"
    action = "printed" if options.as_bundle else action
    more = report.refused_count - len(report.refused)
    lines = [f"{report.refused_count:,} refused, the rest was {action}; check:", *report.refused]
    return "\n  ".join([*lines, f"and {more:,} more"] if more else lines)
