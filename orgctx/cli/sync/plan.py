"""Read the file of a sync: a TOML table `[[import]]` for each import.

Its keys are kind, path, every, and the options of the importer under their names in commands.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from orgctx.bundle.schemas import MAX_INTEGER
from orgctx.cli.errors import CommandError
from orgctx.cli.importing import OUTPUT_OPTIONS, command
from orgctx.cli.options import interval_seconds
from orgctx.imports import ImportFailed, catalog
from orgctx.imports.catalog import Importer
from orgctx.schemas.text import did_you_mean

TABLE = "import"
HEADER = re.compile(rf"[ \t]*\[\[[ \t]*[\"']?{TABLE}[\"']?[ \t]*\]\]")
PATH = "path"
OWN_KEYS = ("kind", "every")
STALE_AFTER = "stale-after"
# The names of the parameters for the output of one run, which a file may not set.
OUTPUT = {
    parameter.name for option in OUTPUT_OPTIONS for parameter in option(click.Command(None)).params
}
# A source is stale after this many intervals.
STALE_INTERVALS = 3
# `stale_after_seconds` of this many intervals must fit into its column.
LONGEST_SECONDS = MAX_INTEGER // STALE_INTERVALS


class Invalid(Exception):
    """Values are invalid; each argument names a key and what is accepted."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One import of the file."""

    importer: Importer
    organization: str
    source_id: str
    every_seconds: int
    options: tuple[str, ...]
    paths: tuple[Path, ...]
    folders: tuple[Path, ...]  # the paths in options
    is_stale_after_set: bool

    def __str__(self) -> str:
        return f"{self.source_id} ({self.organization})"

    @property
    def is_folder(self) -> bool:
        """Whether the import reads a folder, and not a file or an export of another program."""
        return self.importer.is_folder and not self.paths[0].is_file()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of `orgctx import`."""
        stale_after = f"--{STALE_AFTER}={STALE_INTERVALS * self.every_seconds}"
        more = [stale_after] if self.is_folder and not self.is_stale_after_set else []
        return (self.importer.name, *self.options, *more, "--", *map(str, self.paths))


def read(file: Path) -> list[Entry]:
    """Read the file. Raises CommandError with every error, or OSError."""
    try:
        content = file.read_bytes().decode()
        tables = _tables(tomllib.loads(content))
    except (ValueError, RecursionError) as error:
        raise _invalid(file, [f"not TOML: {error}"]) from None
    except Invalid as error:
        raise _invalid(file, error.args) from None
    lines = [number for number, line in enumerate(content.split("\n"), 1) if HEADER.match(line)]
    errors: list[str] = []
    entries: dict[tuple[str, str], Entry] = {}
    for index, table in enumerate(tables):
        try:
            entry = _entry(table, file.resolve().parent)
            if entries.setdefault((entry.organization, entry.source_id), entry) is not entry:
                raise Invalid(f"{entry} has another import; a source has only one")
        except Invalid as error:
            place = f"line {lines[index]}" if len(lines) == len(tables) else f"import {index + 1}"
            errors += [f"{place}: {message}" for message in error.args]
    if errors:
        raise _invalid(file, errors)
    return [*entries.values()]


def keys(built: click.Command) -> dict[str, click.Parameter]:
    """Return the parameters of the command of an importer by their keys in the file."""
    parameters = (one for one in built.params if one.name not in OUTPUT)
    return {
        PATH if isinstance(one, click.Argument) else one.opts[0].strip("-"): one
        for one in parameters
    }


def _invalid(file: Path, errors: Sequence[str]) -> CommandError:
    lines = "".join(f"\n  {error}" for error in errors)
    return CommandError(f"{file} is not valid. Correct these places:{lines}")


def _tables(content: dict[str, Any]) -> list[Mapping[str, Any]]:
    tables = content.pop(TABLE, [])
    if unknown := [*_unknown(content, [TABLE])]:
        raise Invalid(*unknown)
    if not (isinstance(tables, list) and all(isinstance(table, dict) for table in tables)):
        raise Invalid(f"{TABLE}: write [[{TABLE}]] above the keys of each import")
    if not tables:
        raise Invalid(f"no imports; write [[{TABLE}]] above the keys of each")
    return tables


def _unknown(given: Iterable[str], accepted: list[str]) -> Iterator[str]:
    for key in given:
        if key not in accepted:
            hint = did_you_mean(key, accepted) or "."
            yield f"unknown key {key!r}{hint} Accepted: {', '.join(sorted(accepted))}"


def _entry(table: Mapping[str, Any], folder: Path) -> Entry:
    """Build an import. Raises Invalid. folder: the folder of relative paths."""
    try:
        importer = catalog.find(_text(table.get("kind"), "kind"))
        built = command(importer)
    except KeyError:
        raise Invalid(f"kind: use one of {', '.join(sorted(catalog.names()))}") from None
    except ImportFailed as error:
        raise Invalid(f"kind: {error}") from None
    parameters = keys(built)
    errors = [*_unknown(table, [*OWN_KEYS, *parameters])]
    required = [*OWN_KEYS, *(key for key, parameter in parameters.items() if parameter.required)]
    if missing := [key for key in required if key not in table]:
        errors.append(f"add the missing {', '.join(missing)}")
    values, every_seconds = {}, 0
    for key in table:
        try:
            if key == "every":
                every_seconds = _interval(table[key])
            elif key in parameters:
                values[key] = _texts(built, key, parameters[key], table[key], folder)
        except Invalid as error:
            errors += error.args
    if errors:
        raise Invalid(*errors)
    paths = values.pop(PATH)
    options = [(key, value) for key, items in values.items() for value in items]
    return Entry(
        importer=importer,
        organization=values["organization"][0],
        source_id=values["source"][0],
        every_seconds=every_seconds,
        options=tuple(f"--{key}={value}" if value else f"--{key}" for key, value in options),
        paths=tuple(map(Path, paths)),
        folders=tuple(
            Path(v) for key, v in options if isinstance(parameters[key].type, click.Path)
        ),
        is_stale_after_set=STALE_AFTER in values,
    )


def _interval(value: object) -> int:
    """Return the seconds of `every`. Raises Invalid."""
    seconds = value if isinstance(value, int) and not isinstance(value, bool) else 0
    if isinstance(value, str):
        seconds = interval_seconds(value) or 0
    if not 1 <= seconds <= LONGEST_SECONDS:
        raise Invalid(
            "every: use a number of seconds, or a string such as '15m', '6h' or '1d'; at most "
            f"{LONGEST_SECONDS:,} seconds"
        )
    return seconds


def _texts(
    built: click.Command, key: str, parameter: click.Parameter, value: object, folder: Path
) -> list[str]:
    """Return a value as strings. Raises Invalid.

    A flag becomes one empty string if it is set, and no string otherwise. Paths need not exist.
    """
    if isinstance(parameter, click.Option) and parameter.is_flag:
        if not isinstance(value, bool):
            raise Invalid(f"{key}: use true or false")
        return [""] if value else []
    is_list = parameter.nargs != 1 or parameter.multiple
    items = value if is_list and isinstance(value, list) else [value]
    if parameter.required and not items:
        raise Invalid(f"{key}: use at least one string")
    checked = [_text(item, key, is_list=is_list) for item in items]
    if isinstance(parameter.type, click.Path):
        return [str(folder / item) for item in checked]
    try:
        parameter.process_value(click.Context(built), checked if is_list else checked[0])
    except click.BadParameter as error:
        raise Invalid(f"{key}: {error.message}") from None
    return checked


def _text(value: object, key: str, *, is_list: bool = False) -> str:
    """Return a string or an integer as a string. Raises Invalid."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    # The arguments of a process cannot contain NUL.
    if not isinstance(value, str) or not value or "\0" in value:
        raise Invalid(f"{key}: use a string{' or a list of strings' if is_list else ''}")
    return value
