"""orgctx load."""

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
from orgctx.cli.output import json_option, print_json, print_table
from orgctx.cli.recording import of_load
from orgctx.config.settings import Config


@click.command(epilog="Example: orgctx load bundle.jsonl --dry-run")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--dry-run", is_flag=True, help="Check everything, store nothing.")
@json_option
def load(files: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Load bundles: files of JSON Lines, one record a line; `-` is standard input.

    What is packed with gzip or zstd is unpacked as it is read.

    All files are one stream and one transaction: after a bad line nothing of
    them is stored. Loading a file twice changes nothing.
    """
    from tqdm import tqdm

    url = Config.from_environment().admin_database_url
    with ExitStack() as stack:
        total = sum(os.stat(file).st_size for file in files) if "-" not in files else None
        bar = stack.enter_context(
            tqdm(total=total, unit="B", unit_scale=True, disable=None, leave=False)
        )
        opened = [(_name(file), stack.enter_context(_open(file))) for file in files]
        try:
            summary = load_files(
                url,
                [(name, unpacked(file, name, bar.update)) for name, file in opened],
                dry_run=dry_run,
                finish=of_load([name for name, _ in opened]),
            )
        except BundleError as error:
            raise CommandError(refusal(error)) from None
        except PackedError as error:
            raise CommandError(f"nothing was loaded: {error}") from None
    if as_json:
        print_json(summary)
    else:
        print_summary(summary)
        if dry_run:
            click.echo("Nothing was stored: this was a dry run.")


def refusal(error: BundleError) -> str:
    """One line that says what to do, then a line for each bad line."""
    head = "nothing was loaded; correct these lines and load again:"
    if error.more:
        head = f"nothing was loaded; correct these lines, the first {len(error.errors)}, and more:"
    return "\n  ".join([head, *error.errors])


def print_summary(summary: Summary) -> None:
    """A row for each record type."""
    columns = ("read", *COUNTS)
    rows = ((name, *(counts[column] for column in columns)) for name, counts in summary.items())
    print_table(("type", *columns), rows)


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def _open(file: str) -> IO[bytes]:
    if file == "-":
        return sys.stdin.buffer
    return open(file, "rb")
