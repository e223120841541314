"""orgctx load: load bundles of records."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import IO

import click

from orgctx.bundle import BundleError, PackedError, Summary, load_files
from orgctx.bundle.loader import COUNTS
from orgctx.bundle.packed import unpacked
from orgctx.cli.errors import CommandError
from orgctx.cli.output import echo, json_option, print_json, print_table
from orgctx.cli.recording import load_recorder
from orgctx.config.settings import Config


@click.command(epilog="Example: orgctx load bundle.jsonl --dry-run")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--dry-run", is_flag=True, help="Check everything, store nothing.")
@json_option
def load(files: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Load bundles: JSON Lines with one record per line; `-` is standard input.

    Files compressed with gzip or zstd are decompressed while they are read.

    All files are loaded in one transaction: if one line is invalid, nothing is stored.
    Loading a file twice changes nothing.
    """
    try:
        summary = _load(files, dry_run=dry_run)
    except BundleError as error:
        raise CommandError(_bad_lines(error)) from None
    except PackedError as error:
        raise CommandError(f"Nothing was loaded: {error}") from None
    if as_json:
        print_json(summary)
    else:
        print_summary(summary)
        if dry_run:
            echo("Nothing was stored: this was a dry run.")


def _load(files: tuple[str, ...], *, dry_run: bool) -> Summary:
    from tqdm import tqdm

    url = Config.from_environment().admin_database_url
    total = sum(os.stat(file).st_size for file in files) if "-" not in files else None
    with (
        ExitStack() as stack,
        tqdm(total=total, unit="B", unit_scale=True, disable=None, leave=False) as bar,
    ):
        streams = [(_name(file), stack.enter_context(_open(file))) for file in files]
        return load_files(
            url,
            [(name, unpacked(stream, name, bar.update)) for name, stream in streams],
            dry_run=dry_run,
            finish=load_recorder([name for name, _ in streams]),
        )


def print_summary(summary: Summary) -> None:
    """Print a row for each record type."""
    columns = ("read", *COUNTS)
    rows = ((name, *(counts[column] for column in columns)) for name, counts in summary.items())
    print_table(("type", *columns), rows)


def _bad_lines(error: BundleError) -> str:
    lines = f"the first {len(error.errors)} bad lines" if error.more else "these lines"
    heading = f"Nothing was loaded. Correct {lines} and load again:"
    return "\n  ".join([heading, *error.errors])


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def _open(file: str) -> IO[bytes]:
    if file == "-":
        return sys.stdin.buffer
    return open(file, "rb")
