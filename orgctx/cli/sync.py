"""orgctx sync: run the imports that a TOML file lists, one after the other."""

import os
import re
import signal
import tomllib
from collections.abc import Mapping
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import click

from orgctx.bundle.counts import COUNTS
from orgctx.bundle.holds import held_lines
from orgctx.cli import admin, importing
from orgctx.cli.errors import CommandError, explain
from orgctx.cli.names import find_organization
from orgctx.cli.options import example
from orgctx.cli.output import echo, json_option, to_json
from orgctx.config.settings import Config
from orgctx.imports import catalog, run
from orgctx.imports.catalog import Importer
from orgctx.schemas.text import did_you_mean

TABLE = "import"
# How a message names a flag.
OPTION = re.compile(r"\b[Pp]ass --([a-z-]+)")


class Entry(NamedTuple):
    """One import of the file. arguments: of the command of its importer."""

    organization: str
    source_id: str
    importer: Importer
    arguments: tuple[str, ...]
    is_folder: bool  # whether it reads a folder, and not an export of another program

    def __str__(self) -> str:
        return f"{self.source_id} ({self.organization})"


class Result(NamedTuple):
    """What became of one import.

    message: why it failed, or what was refused.
    stored: what was read and stored; None if nothing was stored.
    """

    message: str | None
    stored: run.Result | None

    @property
    def state(self) -> str:
        return "imported" if self.stored else "failed"

    @property
    def refused_count(self) -> int:
        return self.stored.report.refused_count if self.stored else 0

    def text(self, entry: Entry) -> str:
        parts = [f"{entry}: {self.state}"]
        if self.stored:
            report = self.stored.as_json()
            parts += [f"{report[name]:,} {name}" for name in COUNTS if report[name]]
            parts += ["visible now"] if self.stored.approved else []
        text = ", ".join(parts) + (f": {self.message}" if self.message else "")
        lines = [*held_lines(self.stored.summary, entry.organization)] if self.stored else []
        return " ".join([f"{text.rstrip('.')}.", *lines]) if lines else text

    def as_json(self, entry: Entry) -> dict[str, Any]:
        return {
            "organization": entry.organization,
            "source": entry.source_id,
            "state": self.state,
            "refusedCount": self.refused_count,
            "message": self.message,
            "report": self.stored.as_json() if self.stored else None,
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
        if result.message == importing.INTERRUPTED:
            raise CommandError("A signal stopped the sync. Imports without a line did not run.")
    if incomplete_count:
        raise CommandError(f"{incomplete_count:,} of {len(entries):,} imports are incomplete.")


def run_import(entry: Entry) -> Result:
    """Run an import, and store its result beside its source. A failure is a result, too."""
    started_at = monotonic()
    result = _run(entry)
    try:
        with admin.writing() as connection, connection.transaction():
            tenant = find_organization(connection, entry.organization)
            tenant.run(
                "cli/store_sync",
                source_id=entry.source_id,
                state=result.state,
                refused_count=result.refused_count,
                message=result.message,
            )
            if result.stored and entry.is_folder:
                seconds = monotonic() - started_at
                tenant.run("cli/update_collection", source_id=entry.source_id, seconds=seconds)
                tenant.set_version()
    except CommandError as error:
        return Result(result.message or error.message, result.stored)
    return result


def _run(entry: Entry) -> Result:
    stored = message = None
    try:
        values = importing.parse(entry.importer, entry.arguments)
        # Progress and warnings of one import would hide which import they are about.
        with redirect_stderr(StringIO()):
            stored = importing.run_import(entry.importer, values, ask=_reject)
        if stored.report.refused_count:
            message = stored.rejections()
    except KeyboardInterrupt:
        message = importing.INTERRUPTED
    except Exception as error:  # noqa: BLE001, one import stops no other
        message = explain(error).format_message()
    # A flag of the command is a key of the file.
    return Result(message and OPTION.sub(r"set \1 = true", " ".join(message.split())), stored)


def _reject(what: str) -> None:
    """Import nothing where a command would ask, because nobody may be there to answer."""
    raise CommandError(importing.NOT_CONFIRMED.format(what))


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
        except ValueError as error:
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
        if one.name not in importing.OUTPUT
    }


def _entry(table: Mapping[str, Any], folder: Path) -> Entry:
    """Build an import. folder: the folder of relative paths.

    Raises ValueError or click.UsageError. Paths need not exist: this fails later, and only this
    import.
    """
    kinds = [row.name for row in catalog.IMPORTERS]
    if table.get("kind") not in kinds:
        raise ValueError(f"kind: use one of {', '.join(sorted(kinds))}")
    importer = catalog.BY_NAME[table["kind"]]
    built = importing.command(importer)
    parameters = keys(built)
    for key in table:
        if key not in ("kind", *parameters):
            hint = did_you_mean(key, [*parameters])
            raise ValueError(f"unknown key {key!r}{hint or '.'}")
    values = {
        key: _texts(key, table[key], parameters[key], folder) for key in table if key in parameters
    }
    paths = values.pop("path", [])
    options = [f"--{key}{text}" for key, texts in values.items() for text in texts]
    is_folder = importer.is_folder and not all(map(os.path.isfile, paths))
    arguments = (*options, "--", *paths)
    for parameter in built.params:
        if isinstance(parameter.type, click.Path):
            parameter.type = click.STRING  # whether it exists is checked when it is read
    names = built.make_context(importer.name, [*arguments]).params
    return Entry(names["organization"], names["source_id"], importer, arguments, is_folder)


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
