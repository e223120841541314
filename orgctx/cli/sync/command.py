"""orgctx sync: import what a file lists, once or at intervals, unless it has not changed."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import chain
from pathlib import Path
from stat import S_ISDIR
from time import monotonic
from typing import Any

import click
import psycopg

from orgctx import __version__
from orgctx.bundle.counts import COUNTS
from orgctx.cli.admin import connect, find_organization
from orgctx.cli.errors import CommandError, explain
from orgctx.cli.options import example
from orgctx.cli.output import echo, json_option, to_json
from orgctx.cli.sync.plan import Entry, read
from orgctx.cli.sync.process import Stop
from orgctx.config.settings import Config
from orgctx.importers.folder.ignore import REPOSITORY, ancestors
from orgctx.stores.db import Connection, run


@click.command(epilog=example("orgctx sync sync.toml --once"))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--once/--watch",
    default=True,
    help="Run each import once, as for a timer (the default), or at its intervals.",
)
@json_option
def sync(file: Path, once: bool, as_json: bool) -> None:
    """Run the imports that a TOML file lists, one after the other.

    If the files of an import have not changed, only the time of its source is updated. If
    an import fails, its source becomes stale, the others go on, and the exit status is 1. Each
    import is a line of the output; with --json, a JSON object on a line.
    """
    entries = read(file)
    Config.from_environment()
    incomplete_count = 0
    with Stop() as stop:
        for entry in entries if once else _watch(entries, stop):
            if stop.is_set:
                break
            result = synchronize(entry, stop)
            incomplete_count += not result.is_complete
            echo(to_json(result.as_json()) if as_json else str(result))
    if once and stop.is_set:
        raise CommandError("A signal stopped the sync. Imports without a line did not run.")
    if once and incomplete_count:
        raise CommandError(f"{incomplete_count:,} of {len(entries):,} imports are incomplete.")


def _watch(entries: Sequence[Entry], stop: Stop) -> Iterator[Entry]:
    """Yield each import when it is due, in turn."""
    due = [monotonic()] * len(entries)
    while not stop.is_set:
        for index, entry in enumerate(entries):
            if due[index] <= monotonic() and not stop.is_set:
                due[index] = monotonic() + entry.every_seconds
                yield entry
        stop.sleep(min(due) - monotonic())


# Unchanged files are imported again after this time, because pages expire and become due.
LONGEST_REST = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one import.

    state: imported, unchanged or failed.
    refused_count: the files that this import, or the last one of unchanged files, refused.
    message: why it failed, or what was refused.
    report: what `orgctx import --json` printed; None unless it was imported.
    """

    entry: Entry
    state: str
    refused_count: int = 0
    message: str | None = None
    report: dict[str, Any] | None = None

    @property
    def is_complete(self) -> bool:
        return self.state != "failed" and not self.refused_count

    def __str__(self) -> str:
        parts = [f"{self.entry}: {self.state}"]
        if self.report:
            parts += [f"{self.report[name]:,} {name}" for name in COUNTS if self.report[name]]
            parts += ["visible now"] if self.report["approved"] else []
        elif self.refused_count:
            parts.append(f"{self.refused_count:,} refused by the last import")
        return ", ".join(parts) + (f": {self.message}" if self.message else "")

    def as_json(self) -> dict[str, Any]:
        return {
            "organization": self.entry.organization,
            "source": self.entry.source_id,
            "state": self.state,
            "refusedCount": self.refused_count,
            "message": self.message,
            "report": self.report,
        }


def synchronize(entry: Entry, stop: Stop) -> Result:
    """Run one import while its source is locked. Its failure is a result, too."""
    try:
        with connect(Config.from_environment().admin_database_url) as connection:
            organization_id = find_organization(connection, entry.organization).organization_id
            source = {"organization_id": organization_id, "source_id": entry.source_id}
            (lock,) = run(connection, "cli/lock_sync", **source)
            if not lock["is_locked"]:
                raise CommandError("another sync is importing this source")
            try:
                return _synchronize(entry, stop, connection, source, lock["started_at"])
            finally:
                run(connection, "cli/unlock_sync", **source)
    except CommandError as error:
        return Result(entry, "failed", message=error.message)
    except (psycopg.Error, OSError) as error:
        return Result(entry, "failed", message=explain(error).message)


def _synchronize(
    entry: Entry, stop: Stop, connection: Connection, source: dict[str, Any], started_at: datetime
) -> Result:
    collected = {**source, "collected_at": started_at if entry.is_folder else None}
    # Listed before the import reads the files, so that a later change is noticed.
    listing = {**source, "digest": digest(entry), "imported_at": started_at, "load_count": 0}
    for known in run(connection, "cli/read_listing", **source):
        is_recent = started_at - known["imported_at"] < LONGEST_REST
        if is_recent and known["digest"] == listing["digest"]:
            run(connection, "cli/update_collection", **collected)
            return Result(entry, "unchanged", known["refused_count"], known["message"])
        listing["load_count"] = known["load_count"]
    report, message = stop.run_import(entry.arguments)
    if report is None:
        message = "stopped by a signal" if stop.is_set else message
        return Result(entry, "failed", message=message)
    refused_count = report["refused"]["count"]
    with connection.transaction():
        # An export of an account may fill other sources only.
        if run(connection, "cli/update_collection", **collected):
            listing |= {"refused_count": refused_count, "message": message}
            run(connection, "cli/store_listing", **listing)
    return Result(entry, "imported", refused_count, message, report)


# The files that determine the history of a repository. `git fetch` and `git status` change others.
HISTORY = ("HEAD", "packed-refs", "shallow", "info/exclude", "refs/heads")


def digest(entry: Entry) -> bytes:
    """Return the SHA-256 of an import's options and of the names, sizes and times of its files.

    Includes files directly in the folders above, which may contain rules for those below, and the
    version of orgctx, because another version may convert the files differently.
    """
    folders = entry.paths if entry.is_folder else ()
    above = dict.fromkeys(folder for path in folders for folder in ancestors(path))
    repositories = dict.fromkeys((*folders, *above, *entry.folders))
    lines = chain(
        [f"{__version__} {entry.arguments}"],
        chain.from_iterable(map(_tree, entry.paths)),
        chain.from_iterable(map(_files, above)),
        chain.from_iterable(
            _tree(folder / REPOSITORY / name) for folder in repositories for name in HISTORY
        ),
    )
    total = sha256()
    for line in lines:
        total.update(os.fsencode(line) + b"\0")
    return total.digest()


def _tree(path: Path) -> Iterator[str]:
    """List a file, or a folder and everything below except repositories, in a fixed order."""
    path = path.resolve()
    yield _line(str(path))
    for folder, names, files in os.walk(path):
        names[:] = sorted(name for name in names if name != REPOSITORY)
        yield from (_line(os.path.join(folder, name)) for name in sorted([*names, *files]))


def _files(folder: Path) -> Iterator[str]:
    _, _, files = next(os.walk(folder), ("", [], list[str]()))
    return (_line(os.path.join(folder, name)) for name in sorted(files))


def _line(path: str) -> str:
    try:
        status = os.lstat(path)
    except OSError as error:
        return f"{path} {error.errno}"
    if S_ISDIR(status.st_mode):
        return f"{path} {status.st_mode}"
    return f"{path} {status.st_mode} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"
