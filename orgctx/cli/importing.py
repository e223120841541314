"""orgctx import: a command for each importer of the catalog."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from shlex import join, quote
from typing import Any

import click

from orgctx.cli import admin
from orgctx.cli.errors import CommandError, confirm
from orgctx.cli.load import print_summary
from orgctx.cli.options import example, organization_option
from orgctx.cli.output import echo, json_option, print_json, progress_bar, say, say_stage, to_json
from orgctx.config.settings import Config
from orgctx.decisions import sources
from orgctx.imports import catalog, run
from orgctx.imports.catalog import Importer
from orgctx.schemas.fields import MAX_DESCRIPTION, MAX_NAME
from orgctx.stores.db import Row

INTERRUPTED = "Interrupted. Nothing was stored."
NOT_CONFIRMED = (
    "Nothing was imported: it would {}. Check the path and --source, then pass --yes to import it."
)


class Line(click.ParamType[str]):
    """A line of text."""

    name = "text"

    def __init__(self, longest: int) -> None:
        self._longest = longest

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        if not (0 < len(value) <= self._longest and value.isprintable()):
            self.fail(f"Use 1 to {self._longest} printable characters.", param, ctx)
        return str(value)


# What every import takes: fields of `imports.run.Import`.
TARGET_OPTIONS = (
    organization_option,
    click.option(
        "--source",
        "source_id",
        required=True,
        metavar="ID",
        help="Source to import into; a new id, such as docs:handbook, creates one.",
    ),
    click.option(
        "--stale-after",
        "stale_after_seconds",
        metavar="SECONDS",
        type=click.IntRange(1, 2**31 - 1),
        help="Seconds from collection until the source is stale. Default of chats and posts: a "
        "week.",
    ),
    click.option("--label", metavar="TEXT", type=Line(MAX_NAME), help="Name of the source."),
    click.option(
        "--description",
        metavar="TEXT",
        type=Line(MAX_DESCRIPTION),
        help="Description of the source.",
    ),
    click.option("--older", is_flag=True, help="Import what is older than the source, too."),
    click.option(
        "--yes",
        is_flag=True,
        help="Do without asking what an import asks for, such as replacing much that is approved.",
    ),
)
# Options of one run, which say nothing about what is imported.
OUTPUT_OPTIONS = (
    click.option("--dry-run", is_flag=True, help="Check everything, store nothing."),
    click.option("--as-bundle", is_flag=True, help="Print the records instead of loading them."),
    json_option,
)
OUTPUT = {
    parameter.name for option in OUTPUT_OPTIONS for parameter in option(click.Command(None)).params
}


@click.group()
def import_() -> None:
    """Load real exports and folders.

    Each import is one transaction: an interrupted import stores nothing. Importing the same
    input again changes nothing. Input that cannot be read is reported with its place; the
    rest is loaded, and the exit status is 1.
    """


def command(row: Importer) -> click.Command:
    """Return the command of an importer."""
    formats = f"\n\nFormats: {', '.join(row.formats)}." if row.formats else ""
    line = "orgctx import {} {} --organization acme --source {}".format(row.name, *row.example)
    kind = click.Path(exists=True, dir_okay=not row.takes_several, path_type=Path)
    count = -1 if row.takes_several else 1
    path = click.Argument(["path"], nargs=count, required=True, metavar=row.path, type=kind)
    built = click.Command(
        row.name, None, partial(_import, row), [path], row.help + formats, example(line)
    )
    built.hidden = row.name in catalog.ALIASES
    for add in (*TARGET_OPTIONS, *OUTPUT_OPTIONS):
        add(built)
    built.params += row.options
    return built


def parse(row: Importer, arguments: Sequence[str]) -> dict[str, Any]:
    """Return the values of what a command imports, for `run_import`.

    Raises click.UsageError.
    """
    values = command(row).make_context(f"orgctx import {row.name}", [*arguments]).params
    return {name: values[name] for name in values if name not in OUTPUT}


def _import(row: Importer, as_bundle: bool, as_json: bool, **values: Any) -> None:
    try:
        result = run_import(row, values, write=_write if as_bundle else None)
    except KeyboardInterrupt:
        raise CommandError(INTERRUPTED) from None
    sys.stdout.flush()
    if as_json and not as_bundle:
        print_json(result.as_json())
    else:
        # Standard output is the bundle.
        print_report(result, say if as_bundle else echo)
    if not (as_bundle or values["dry_run"]):
        _say_next(values["organization"], values["source_id"])
    if result.report.refused_count:
        raise CommandError(result.rejections())


def print_report(result: run.Result, say: Callable[[str], object]) -> None:
    """Print what an import read and stored. say: prints a line."""
    if result.summary:
        print_summary(result.summary)
    for line in result.lines():
        say(line)


def _write(record: dict[str, Any]) -> None:
    sys.stdout.buffer.write(f"{to_json(record)}\n".encode())


def _say_next(organization: str, source_id: str) -> None:
    """Say how to approve the sources of an import, or that they are readable, if there are any."""
    of_import = sources_of_import(organization, source_id)
    if not of_import:
        return
    if ids := [row["id"] for row in of_import if not row["external"]]:
        say(
            "Next: no key reads it until an owner approves it, in the desk or with `orgctx sources "
            f"approve --organization {quote(organization)} --by NAME {join(ids)}`."
        )
    else:
        say(f"Next: `orgctx keys list --organization {quote(organization)}` shows who may read it.")


def sources_of_import(organization: str, source_id: str) -> list[Row]:
    """Return the stored sources of an import into a source; an export of an account has several."""
    rows = admin.read(organization, sources.stored)
    return [row for row in rows if f"{row['id']}:".startswith(f"{source_id}:")]


def _ask(what: str) -> None:
    confirm(f"This would {what}. Continue?", NOT_CONFIRMED.format(what))


def run_import(
    row: Importer,
    values: Mapping[str, Any],
    *,
    ask: Callable[[str], object] = _ask,
    write: Callable[[dict[str, Any]], object] | None = None,
) -> run.Result:
    """Run an import, with a progress bar on a terminal.

    Args:
        values: the parameters of its command, as `parse` returns them.
        ask: called with what the import would do; raises to stop.
        write: takes each record, instead of loading it.
    """
    fields = dict(values)
    path, organization = fields.pop("path"), fields.pop("organization")
    options = {option.name: fields.pop(option.name) for option in row.options}
    paths = path if row.takes_several else [path]
    row.load()  # a missing library is reported before the database is asked
    with admin.reading_of(organization) as tenant:
        task = run.Import(row, paths, options, organization, tenant.organization_id, **fields)
    url = Config.from_environment().admin_database_url
    host = run.Host(url, admin.reading, say, ask, progress_bar, say_stage)
    return run.run(task, host, write=write)


for importer in catalog.BY_NAME.values():
    import_.add_command(command(importer))
