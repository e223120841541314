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
from orgctx.cli.options import Decorator, Named, example, organization_option
from orgctx.cli.output import echo, json_option, print_json, progress_bar, say, to_json
from orgctx.config.settings import Config
from orgctx.decisions import sources
from orgctx.imports import ImportFailed, catalog, run
from orgctx.imports.catalog import Importer, Option
from orgctx.stores.db import Row

INTERRUPTED = "Interrupted. Nothing was stored."
UNASKED = (
    "Nothing was imported: it would add, replace or delete more than a fifth of an approved "
    "source. Check the path and --source, then pass --yes to import it."
)


def option_of(option: Option) -> Decorator:
    kind, more = option.type, {"default": option.default}
    if kind is bool:
        more = {"is_flag": True, "flag_value": not option.default, "default": bool(option.default)}
    elif kind is Path:
        kind = click.Path(exists=True, file_okay=False, path_type=Path)
    elif isinstance(kind, range):
        kind, more["show_default"] = click.IntRange(kind[0], kind[-1]), True
    elif isinstance(kind, tuple):
        kind, more["show_default"] = click.Choice(kind), True
    elif kind is not str:
        kind, more["callback"] = str, partial(_convert, kind)
    return click.option(
        f"--{option.key}",
        option.name,
        type=kind,
        multiple=option.is_list,
        metavar=option.metavar,
        help=option.help,
        **more,
    )


def _convert(
    convert: Callable[[str], Any], _: click.Context, __: click.Parameter, value: Any
) -> Any:
    try:
        if isinstance(value, tuple):
            return [convert(text) for text in value]
        return None if value is None else convert(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


source_option = click.option(
    "--source",
    "source_id",
    required=True,
    metavar="ID",
    type=Named("source", "Pass an id such as docs:handbook; a new one creates a source."),
    help="Source to import into; a new id, such as docs:handbook, creates one.",
)
# Options of one run, which say nothing about what is imported.
OUTPUT_OPTIONS = (
    option_of(Option("dry-run", "Check everything, store nothing.")),
    option_of(Option("as-bundle", "Print the records instead of loading them.")),
    json_option,
)
OUTPUT = {
    parameter.name for option in OUTPUT_OPTIONS for parameter in option(click.Command(None)).params
}


class Importers(click.Group):
    """A command for each importer, made when it is used, because distributions add importers."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(catalog.names())

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        try:
            return command(catalog.find(name))
        except KeyError:
            if ctx.resilient_parsing:
                return None
            raise click.NoSuchCommand(name, possibilities=catalog.names(), ctx=ctx) from None
        except ImportFailed as error:
            settings = {"ignore_unknown_options": True, "allow_extra_args": True}
            return click.Command(name, settings, partial(_fail, error), help=str(error))


@click.group(cls=Importers)
def import_() -> None:
    """Load real exports and folders.

    Each import is one transaction: an interrupted import stores nothing. Importing the same
    input again changes nothing. Input that cannot be read is reported with its place; the
    rest is loaded, and the exit status is 1.
    """


def command(row: Importer) -> click.Command:
    """Return the command of an importer. Raises ImportFailed if its row is invalid."""
    try:
        formats = f"\n\nFormats: {', '.join(row.formats)}." if row.formats else ""
        line = "orgctx import {} {} --organization acme --source {}".format(row.name, *row.example)
        kind = click.Path(exists=True, dir_okay=row.takes_folders, path_type=Path)
        count = -1 if row.takes_several else 1
        path = click.Argument(["path"], nargs=count, required=True, metavar=row.path, type=kind)
        run_row = partial(_import, row)
        built = click.Command(row.name, None, run_row, [path], row.help + formats, example(line))
        common = (organization_option, source_option, *map(option_of, catalog.OPTIONS))
        for add in (*common, *OUTPUT_OPTIONS, *map(option_of, row.options)):
            add(built)
    except Exception as error:  # a row of another distribution may hold anything
        raise catalog.unusable(row.name, error) from error
    return built


def parse(row: Importer, arguments: Sequence[str]) -> dict[str, Any]:
    """Return the values of what a command imports, for `run_import`.

    Raises ImportFailed or click.UsageError.
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
    of_import = stored_sources(organization, source_id)
    if not of_import:
        return
    if ids := [row["id"] for row in of_import if not row["external"]]:
        say(
            "Next: no key reads it until an owner approves it, in the desk or with `orgctx sources "
            f"approve --organization {quote(organization)} --by NAME {join(ids)}`."
        )
    else:
        say(f"Next: `orgctx keys list --organization {quote(organization)}` shows who may read it.")


def stored_sources(organization: str, source_id: str) -> list[Row]:
    """Return the stored sources of an import into a source; an export of an account has several."""
    rows = admin.read(organization, sources.stored)
    return [row for row in rows if f"{row['id']}:".startswith(f"{source_id}:")]


def _ask() -> None:
    confirm("Continue?", UNASKED)


def run_import(
    row: Importer,
    values: Mapping[str, Any],
    *,
    ask: Callable[[], object] = _ask,
    write: Callable[[dict[str, Any]], object] | None = None,
) -> run.Result:
    """Run an import, with a progress bar on a terminal.

    Args:
        values: the parameters of its command, as `parse` returns them.
        ask: whether to change many records of an approved source; raises to stop.
        write: takes each record, instead of loading it.
    """
    fields = dict(values)
    path, organization = fields.pop("path"), fields.pop("organization")
    options = {option.name: fields.pop(option.name) for option in row.options}
    for option in row.options:
        folder = options[option.name]
        if option.type is Path and folder and not path.resolve().is_relative_to(folder.resolve()):
            raise click.UsageError(f"--{option.key} must name the folder or one above it")
    paths = path if row.takes_several else [path]
    row.load()  # a missing library is reported before the database is asked
    with admin.reading_of(organization) as tenant:
        task = run.Import(row, paths, options, organization, tenant.organization_id, **fields)
    url = Config.from_environment().admin_database_url
    host = run.Host(url, admin.reading, say, ask, progress_bar)
    # The size of a folder is unknown before the walk.
    total = sum(path.stat().st_size for path in paths if not path.is_dir()) or None
    with progress_bar(total=total, unit="B", unit_scale=True) as bar:
        return run.run(task, host, progress=bar.update, write=write)


def _fail(error: ImportFailed) -> None:
    raise error
