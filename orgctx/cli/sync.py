"""orgctx sync: run the imports that a TOML file lists, one after the other."""

import os
import re
import signal
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import click
import orjson

from orgctx.bundle.counts import COUNTS
from orgctx.bundle.holds import held_line, secrets_line
from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.importing import INTERRUPTED, OUTPUT_OPTIONS, command
from orgctx.cli.options import example
from orgctx.cli.output import echo, json_option, to_json
from orgctx.config.settings import Config
from orgctx.imports import ImportFailed, catalog
from orgctx.schemas.text import did_you_mean

TABLE = "import"
# Keys of earlier versions: what replaces them.
REMOVED = {"every": "; use stale-after, and let a timer repeat the sync."}
# The names of the parameters for the output of one run, which a file may not set.
OUTPUT = {
    parameter.name for option in OUTPUT_OPTIONS for parameter in option(click.Command(None)).params
}
# How a message names a flag, which is a key in the file.
OPTION = re.compile(r"\b[Pp]ass --([a-z-]+)")


class Entry(NamedTuple):
    """One import of the file. arguments: of `orgctx import`."""

    organization: str
    source_id: str
    arguments: tuple[str, ...]
    is_folder: bool  # whether it reads a folder, and not an export of another program

    def __str__(self) -> str:
        return f"{self.source_id} ({self.organization})"


class Result(NamedTuple):
    """What became of one import.

    message: why it failed, or what was refused.
    report: what `orgctx import --json` printed; None if nothing was stored.
    """

    message: str | None
    report: dict[str, Any] | None

    @property
    def state(self) -> str:
        return "imported" if self.report else "failed"

    @property
    def refused_count(self) -> int:
        return self.report["refused"]["count"] if self.report else 0

    def text(self, entry: Entry) -> str:
        parts = [f"{entry}: {self.state}"]
        if self.report:
            parts += [f"{self.report[name]:,} {name}" for name in COUNTS if self.report[name]]
            parts += ["visible now"] if self.report["approved"] else []
        text = ", ".join(parts) + (f": {self.message}" if self.message else "")
        lines = [*self._lines(entry)]
        return " ".join([f"{text.rstrip('.')}.", *lines]) if lines else text

    def _lines(self, entry: Entry) -> Iterator[str]:
        """Yield what is said of documents that were held, and of what cannot be held."""
        if self.report and (count := self.report["held"]):
            reasons = self.report["types"]["knowledge"]["held"]
            yield held_line(count, reasons, entry.organization)
        if self.report and (count := self.report["secrets"]):
            yield secrets_line(count, entry.source_id, entry.organization)

    def as_json(self, entry: Entry) -> dict[str, Any]:
        return {
            "organization": entry.organization,
            "source": entry.source_id,
            "state": self.state,
            "refusedCount": self.refused_count,
            "message": self.message,
            "report": self.report,
        }


@click.command(epilog=example("orgctx sync sync.toml"))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@json_option
def sync(file: Path, as_json: bool) -> None:
    """Run the imports that a TOML file lists, one after the other.

    A timer repeats it. If an import fails, its source becomes stale, the others go on, and the exit
    status is 1. Each import is a line of the output; with --json, a JSON object on a line.
    """
    entries = read(file)
    Config.from_environment()
    incomplete_count = 0
    # Both signals roll back the running import.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for entry in entries:
        result = run_import(entry)
        incomplete_count += bool(result.message)
        echo(to_json(result.as_json(entry)) if as_json else result.text(entry))
        if result.message == INTERRUPTED:
            raise CommandError("A signal stopped the sync. Imports without a line did not run.")
    if incomplete_count:
        raise CommandError(f"{incomplete_count:,} of {len(entries):,} imports are incomplete.")


def run_import(entry: Entry) -> Result:
    """Run an import, and store its result beside its source. A failure is a result, too."""
    started_at = monotonic()
    report, message = _output(entry.arguments)
    result = Result(message, report)
    try:
        with admin.writing() as connection, connection.transaction():
            tenant = admin.find_organization(connection, entry.organization)
            tenant.run(
                "cli/store_sync",
                source_id=entry.source_id,
                state=result.state,
                refused_count=result.refused_count,
                message=message,
            )
            if report and entry.is_folder:
                seconds = monotonic() - started_at
                tenant.run("cli/update_collection", source_id=entry.source_id, seconds=seconds)
                tenant.set_version()
    except CommandError as error:
        return Result(message or error.message, report)
    return result


def _output(arguments: tuple[str, ...]) -> tuple[dict[str, Any] | None, str | None]:
    """Run `orgctx import ARGUMENTS --json`, which cannot ask. Returns its report and its error."""
    from orgctx.cli import main

    output, error, terminal = StringIO(), None, sys.stdin
    with (
        open(os.devnull) as sys.stdin,  # nobody may be there to answer
        redirect_stderr(StringIO()),
        redirect_stdout(output),
    ):
        try:
            main(["import", *arguments], prog_name="orgctx", standalone_mode=False)
        except click.ClickException as exception:
            error = OPTION.sub(r"set \1 = true", " ".join(exception.format_message().split()))
        except click.Abort:
            error = INTERRUPTED
        finally:
            sys.stdin = terminal
    return orjson.loads(output.getvalue() or "null"), error


def read(file: Path) -> list[Entry]:
    """Read the file. Raises CommandError with every error, or OSError."""
    try:
        content = tomllib.loads(file.read_bytes().decode())
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{file} is not TOML: {error}") from None
    tables = content.pop(TABLE, None)
    if content or not tables or not isinstance(tables, list):
        raise CommandError(f"{file} must hold tables [[{TABLE}]] with the keys of an import each.")
    entries: dict[tuple[str, str], Entry] = {}
    errors: list[str] = []
    for number, table in enumerate(tables, 1):
        try:
            entry = _entry(table, file.resolve().parent)
            if entries.setdefault(entry[:2], entry) is not entry:
                raise ValueError(f"{entry} has another import; a source has only one")
        except (ValueError, ImportFailed) as error:
            errors.append(f"{TABLE} {number}: {error}")
        except click.ClickException as error:
            errors.append(f"{TABLE} {number}: {error.format_message()}")
    if errors:
        raise CommandError("\n  ".join([f"{file} is not valid. Correct these places:", *errors]))
    return [*entries.values()]


def keys(built: click.Command) -> dict[str, click.Parameter]:
    """Return the parameters of the command of an importer by their keys in the file."""
    return {
        "path" if isinstance(one, click.Argument) else one.opts[0].strip("-"): one
        for one in built.params
        if one.name not in OUTPUT
    }


def _entry(table: Mapping[str, Any], folder: Path) -> Entry:
    """Build an import. folder: the folder of relative paths.

    Raises ValueError, ImportFailed or click.UsageError. Paths need not exist: this fails later, and
    only this import.
    """
    kinds = catalog.names()
    if table.get("kind") not in kinds:
        raise ValueError(f"kind: use one of {', '.join(sorted(kinds))}")
    importer = catalog.find(table["kind"])
    built = command(importer)
    parameters = keys(built)
    for key in table:
        if key not in ("kind", *parameters):
            hint = REMOVED.get(key) or did_you_mean(key, [*parameters])
            raise ValueError(f"unknown key {key!r}{hint or '.'}")
    values = {
        key: _texts(key, table[key], parameters[key], folder) for key in table if key in parameters
    }
    paths = values.pop("path", [])
    options = [f"--{key}{text}" for key, texts in values.items() for text in texts]
    is_folder = importer.is_folder and not all(map(os.path.isfile, paths))
    arguments = (*options, "--json", "--", *paths)
    for parameter in built.params:
        if isinstance(parameter.type, click.Path):
            parameter.type = click.STRING  # whether it exists is checked when it is read
    context = built.make_context(importer.name, [*arguments])
    names = context.params
    return Entry(names["organization"], names["source_id"], (importer.name, *arguments), is_folder)


def _texts(key: str, value: object, parameter: click.Parameter, folder: Path) -> list[str]:
    """Return what follows `--key`, once for each value; of a path, the path. Raises ValueError."""
    if isinstance(parameter, click.Option) and parameter.is_flag:
        if not isinstance(value, bool):
            raise ValueError(f"{key}: use true or false")
        return [""] if value else []
    is_list = parameter.nargs != 1 or parameter.multiple
    items = value if is_list and isinstance(value, list) else [value]
    if not all(isinstance(item, str | int) and item and item is not True for item in items):
        raise ValueError(f"{key}: use a string{' or a list of strings' if is_list else ''}")
    texts = [str(item) for item in items]
    if isinstance(parameter.type, click.Path):
        texts = [str(folder / text) for text in texts]
    return texts if isinstance(parameter, click.Argument) else [f"={text}" for text in texts]
