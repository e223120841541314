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

import click
import orjson
from psycopg.rows import tuple_row

from orgctx.bundle import BundleError, PackedError, Summary, count_records, load_records
from orgctx.bundle.loader import COUNTS
from orgctx.cli.admin import Connection, find_organization, reading, run
from orgctx.cli.errors import CommandError
from orgctx.cli.load import print_summary
from orgctx.cli.output import camel, print_json, say
from orgctx.cli.recording import load_recorder, record
from orgctx.config.settings import Config
from orgctx.importers import (
    Existing,
    ImportRefused,
    Report,
    StoredChat,
    StoredItem,
    StoredMessages,
)
from orgctx.stores.db import sql

NEAR = 0.75


@dataclass(frozen=True, slots=True)
class Run:
    """The options of a run. stored: records to look up besides sources: chats, mentions,
    knowledge, assets."""

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


def run_import(asked: Run) -> None:
    """Run an import. Raises CommandError, also if something was refused and the rest is stored."""
    carried = _Carried(asked)
    with reading() as connection:
        organization_id = find_organization(connection, asked.organization)
        existing = _existing(connection, organization_id, asked, carried)
    _check_source(asked, existing)
    report = Report()
    try:
        summary = _convert(asked, str(organization_id), existing, report, carried)
    except (ImportRefused, PackedError) as error:
        raise CommandError(f"nothing was imported: {error}") from None
    except BundleError as error:
        faults = "\n  ".join(error.faults)
        raise CommandError(f"nothing was imported; the loader refused:\n  {faults}") from None
    if asked.as_json and not asked.as_bundle:
        print_json(_as_json(report, summary))
    else:
        _print(asked, report, summary)
    if report.refused_count:
        raise CommandError(_refusals(asked, report))


def _check_source(asked: Run, existing: Existing) -> None:
    """Refuse a new source whose name is similar to an existing one, because it may be a typo."""
    if asked.create or asked.source_id in existing.sources:
        return
    near = [id_ for id_ in existing.sources if _is_near(asked.source_id, id_)]
    if near:
        raise CommandError(
            f"organization {asked.organization!r} has no source {asked.source_id!r}; did you mean "
            f"{near[0]!r}? Add --create to make a new one"
        )


def _is_near(typed: str, known: str) -> bool:
    """`docs:hanbook` is near `docs:handbook`; `docs:a` and `docs:b` are two sources."""
    (prefix, _, name), (known_prefix, _, known_name) = typed.partition(":"), known.partition(":")
    if prefix == known_prefix:
        return bool(get_close_matches(name, [known_name], cutoff=NEAR))
    return bool(get_close_matches(typed, [known], cutoff=NEAR))


def _existing(
    connection: Connection, organization_id: UUID, asked: Run, carried: _Carried
) -> Existing:
    of = {"organization_id": organization_id}
    sources = {row["id"]: camel(row) for row in run(connection, "list_stored_sources", **of)}
    if asked.stored == "chats":
        chats = run(connection, "list_stored_chats", **of)
        return Existing(
            sources=sources,
            chats={str(row.pop("id")): StoredChat(**row) for row in chats},
            messages=partial(_messages, organization_id),
        )
    if asked.stored == "mentions":
        authors = partial(_authors, organization_id, asked.source_id)
        return Existing(sources=sources, authors=authors)
    if asked.stored is None:
        return Existing(sources=sources)
    rows = run(connection, f"list_stored_{asked.stored}", **of, source_id=asked.source_id)
    ids = frozenset(str(row["id"]) for row in rows)
    if asked.stored == "assets":
        return Existing(sources=sources, ids=ids)
    return Existing(
        sources=sources,
        ids=ids,
        items={
            row["id"]: StoredItem(row["title"], row["content_digest"], row["suppressed"])
            for row in rows
        },
        carry_suppression=carried.add,
    )


class _Carried:
    """Carries suppressions over to renamed items, in the transaction that loads them."""

    def __init__(self, asked: Run) -> None:
        self._asked = asked
        self._pairs: list[tuple[str, str]] = []

    def add(self, id_: str, new_id: str) -> bool:
        """Returns False if records are only printed; bundles cannot express suppressions."""
        self._pairs.append((id_, new_id))
        return not self._asked.as_bundle

    def finish(
        self, connection: Connection, organization_ids: frozenset[UUID], summary: Summary
    ) -> None:
        for organization_id in organization_ids if self._pairs else ():
            ids, new_ids = (list(column) for column in zip(*self._pairs, strict=True))
            of: dict[str, Any] = {"organization_id": organization_id}
            carried = run(connection, "carry_suppression", **of, ids=ids, new_ids=new_ids)
            if carried:
                count_records(connection, organization_id, [self._asked.source_id])
            for row in carried:
                after = {row["new_id"]: {"suppressed": True, "as": row["id"]}}
                record(connection, organization_id, before={}, after=after)
        load_recorder(self._asked.paths)(connection, organization_ids, summary)


def _messages(organization_id: UUID, chat_id: str) -> StoredMessages:
    """Read row by row: a chat may have millions of messages."""
    of = {"organization_id": organization_id, "chat_id": chat_id}
    with reading() as connection, connection.cursor("messages", row_factory=tuple_row) as rows:
        return StoredMessages(rows.execute(sql("cli/list_stored_messages"), of))


def _authors(organization_id: UUID, source_id: str) -> list[tuple[str, str]]:
    of = {"organization_id": organization_id, "source_id": source_id}
    with reading() as connection:
        rows = run(connection, "list_stored_mentions", **of)
    return [(row["id"], row["author_id"]) for row in rows]


def _convert(
    asked: Run, organization_id: str, existing: Existing, report: Report, carried: _Carried
) -> Summary:
    """Load the records, or print them."""
    from tqdm import tqdm

    total = sum(_size(path) for path in asked.paths) or None
    with tqdm(total=total, unit="B", unit_scale=True, disable=None, leave=False) as bar:
        records = asked.convert(
            organization_id=organization_id,
            source_id=asked.source_id,
            report=report,
            existing=existing,
            stale_after_seconds=asked.stale_after_seconds,
            progress=bar.update,
        )
        with closing(records):  # type: ignore[type-var]
            if asked.as_bundle:
                return _write(records)
            url = Config.from_environment().admin_database_url
            return load_records(url, records, dry_run=asked.dry_run, finish=carried.finish)


def _size(path: Path) -> int:
    """Bytes of a file; unknown for a folder before it is walked."""
    return 0 if path.is_dir() else path.stat().st_size


def _write(records: Iterator[dict[str, Any]]) -> Summary:
    for one in records:
        sys.stdout.buffer.write(orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE))
    sys.stdout.flush()
    return {}


def _as_json(report: Report, summary: Summary) -> dict[str, Any]:
    totals = {name: sum(counts[name] for counts in summary.values()) for name in COUNTS}
    return {**report.as_json(), **totals, "types": summary}


def _print(asked: Run, report: Report, summary: Summary) -> None:
    """Print the final report; with a bundle on standard output, to standard error."""
    say_line = say if asked.as_bundle else click.echo
    if summary:
        print_summary(summary)
    say_line(f"Read {report.read:,}.")
    for reason, skipped in report.skipped.items():
        say_line(f"Skipped {skipped.count:,}: {reason}")
        for example in skipped.examples:
            say_line(f"  {example}")
    for what, count in report.repaired.items():
        say_line(f"Repaired {count:,}: {what}")
    if report.renamed_count:
        say_line(f"Renamed {report.renamed_count:,}:")
        for example in report.renamed:
            say_line(f"  {example}")
    for note in report.notes:
        say_line(f"Note: {note}")
    if asked.dry_run and not asked.as_bundle:
        say_line("Nothing was stored: this was a dry run.")


def _refusals(asked: Run, report: Report) -> str:
    rest = "the rest was checked" if asked.dry_run else "the rest was imported"
    rest = "the rest was printed" if asked.as_bundle else rest
    more = report.refused_count - len(report.refused)
    lines = [f"{report.refused_count:,} refused, {rest}; look at:", *report.refused]
    return "\n  ".join([*lines, f"and {more:,} more"] if more else lines)
