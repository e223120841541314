"""orgctx load: load bundles of records, and orgctx schema: print the schema of their lines."""

import json
import os
import sys
from contextlib import ExitStack
from functools import partial
from typing import Any

import click

from orgctx.bundle.counts import COUNTS, Summary
from orgctx.bundle.holds import held_lines
from orgctx.bundle.loader import load_files
from orgctx.bundle.reading import BundleError
from orgctx.cli.admin import current_command
from orgctx.cli.errors import CommandError
from orgctx.cli.output import echo, json_option, print_json, print_table, progress_bar, say
from orgctx.config.settings import Config
from orgctx.decisions.audit_log import record_load


@click.command(epilog="Example: orgctx load bundle.jsonl --dry-run")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--dry-run", is_flag=True, help="Check everything, store nothing.")
@json_option
def load(files: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Load bundles: JSON Lines with one record per line; `-` is standard input.

    All files are loaded in one transaction: if one line is invalid, nothing is stored.
    Loading a file twice changes nothing.
    """
    try:
        summary = _load(files, dry_run=dry_run)
    except BundleError as error:
        lines = f"the first {len(error.errors)} bad lines" if error.more else "these lines"
        heading = f"Nothing was loaded. Correct {lines} and load again:"
        raise CommandError("\n  ".join([heading, *error.errors])) from None
    if not any(counts["read"] for counts in summary.values()):
        raise CommandError(
            "Nothing was loaded: there is no record. A bundle has one record a line; `orgctx "
            "schema bundle` describes it."
        )
    if as_json:
        print_json(summary.as_json())
    else:
        print_summary(summary)
        if dry_run:
            echo("Nothing was stored: this was a dry run.")
    for line in held_lines(summary):
        say(line)


def _load(files: tuple[str, ...], *, dry_run: bool) -> Summary:
    url = Config.from_environment().admin_database_url
    total = sum(os.stat(file).st_size for file in files) if "-" not in files else None
    with ExitStack() as stack, progress_bar(total=total, unit="B", unit_scale=True) as bar:
        streams: list[tuple[str, Any]] = [
            ("standard input", sys.stdin.buffer)
            if file == "-"
            else (file, stack.enter_context(open(file, "rb")))
            for file in files
        ]
        return load_files(
            url,
            streams,
            dry_run=dry_run,
            on_step=bar.set_description,
            on_read=bar.update,
            finish=partial(
                record_load, command=current_command(), files=[name for name, _ in streams]
            ),
        )


def print_summary(summary: Summary) -> None:
    """Print a row for each record type."""
    columns = ("read", *COUNTS)
    rows = ((name, *(counts[column] for column in columns)) for name, counts in summary.items())
    print_table(("type", *columns), rows)


@click.group()
def schema() -> None:
    """Print JSON Schemas."""


@schema.command("bundle", epilog="Example: orgctx schema bundle > bundle.schema.json")
def bundle() -> None:
    """Print the JSON Schema of one line of a bundle."""
    from orgctx.bundle.json_schema import bundle_schema

    click.echo(json.dumps(bundle_schema(), indent=1, ensure_ascii=False))
