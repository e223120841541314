"""Convert a table of the file of a sync to the arguments of `orgctx import`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from orgctx.cli.importing.command import FOLDER_NAMES, import_
from orgctx.cli.sync.values import (
    PATH,
    STALE_INTERVALS,
    Invalid,
    interval,
    keys,
    text,
    texts,
    unknown_key,
)

OWN_KEYS = ("kind", "every")
STALE_AFTER = "stale-after"


@dataclass(frozen=True, slots=True)
class Entry:
    """One import of the file."""

    kind: str
    organization: str
    source_id: str
    every_seconds: int
    options: tuple[str, ...]
    folder_options: tuple[str, ...]  # further options if the source is a folder
    paths: tuple[Path, ...]
    folders: tuple[Path, ...]  # the paths in options
    imports_folders: bool  # whether the command has the options of folders

    def __str__(self) -> str:
        return f"{self.source_id} ({self.organization})"

    @property
    def is_folder(self) -> bool:
        """Whether the import reads a folder, and not a file or an export of another program."""
        return self.imports_folders and not self.paths[0].is_file()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of `orgctx import`."""
        more = self.folder_options if self.is_folder else ()
        return (self.kind, *self.options, *more, "--", *map(str, self.paths))


def entry_of(table: Mapping[str, Any], folder: Path) -> Entry:
    """Build an import. Raises Invalid. folder: the folder of relative paths."""
    command = _command(table)
    parameters = keys(command)
    accepted = [*OWN_KEYS, *parameters]
    for key in table:
        if key not in accepted:
            raise unknown_key(key, accepted)
    required = [*OWN_KEYS, *(key for key, parameter in parameters.items() if parameter.required)]
    if missing := [key for key in required if key not in table]:
        raise Invalid(f"add the missing {', '.join(missing)}")
    values = {
        key: texts(command, key, parameter, table[key], folder)
        for key, parameter in parameters.items()
        if key in table
    }
    return _build(command, parameters, values, interval(table["every"]))


def _command(table: Mapping[str, Any]) -> click.Command:
    kind = text(table.get("kind"), "kind")
    if kind not in import_.commands:
        raise Invalid(f"kind: use one of {', '.join(sorted(import_.commands))}")
    return import_.commands[kind]


def _build(
    command: click.Command,
    parameters: Mapping[str, click.Parameter],
    values: dict[str, list[str]],
    every_seconds: int,
) -> Entry:
    paths = values.pop(PATH)
    folders = [
        value
        for key, items in values.items()
        if isinstance(parameters[key].type, click.Path)
        for value in items
    ]
    stale_after = f"--{STALE_AFTER}={STALE_INTERVALS * every_seconds}"
    return Entry(
        kind=str(command.name),
        organization=values["organization"][0],
        source_id=values["source"][0],
        every_seconds=every_seconds,
        options=tuple(
            f"--{key}={value}" if value else f"--{key}"
            for key, items in values.items()
            for value in items
        ),
        folder_options=() if STALE_AFTER in values else (stale_after,),
        paths=tuple(map(Path, paths)),
        folders=tuple(map(Path, folders)),
        imports_folders={*FOLDER_NAMES} <= {parameter.name for parameter in command.params},
    )
