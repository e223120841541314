"""orgctx sync: import what a file lists, once or at intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic

import click

from orgctx.cli.errors import CommandError
from orgctx.cli.options import example
from orgctx.cli.output import echo, json_option, to_json
from orgctx.cli.sync.entry import Entry
from orgctx.cli.sync.plan import read
from orgctx.cli.sync.run import synchronize
from orgctx.cli.sync.stopping import Stop
from orgctx.config.settings import Config


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
        for entry in _once(entries, stop) if once else _watch(entries, stop):
            result = synchronize(entry, stop)
            incomplete_count += not result.is_complete
            echo(to_json(result.as_json()) if as_json else str(result))
    if once and stop.is_set:
        raise CommandError("A signal stopped the sync. Imports without a line did not run.")
    if once and incomplete_count:
        raise CommandError(f"{incomplete_count:,} of {len(entries):,} imports are incomplete.")


def _once(entries: Sequence[Entry], stop: Stop) -> Iterator[Entry]:
    for entry in entries:
        if not stop.is_set:
            yield entry


def _watch(entries: Sequence[Entry], stop: Stop) -> Iterator[Entry]:
    """Yield each import when it is due, in turn."""
    due = [monotonic()] * len(entries)
    while not stop.is_set:
        for index, entry in enumerate(entries):
            if due[index] <= monotonic() and not stop.is_set:
                due[index] = monotonic() + entry.every_seconds
                yield entry
        stop.sleep(min(due) - monotonic())
