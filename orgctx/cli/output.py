"""Output of commands: a table for people, or with --json one value for programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from io import StringIO
from shutil import get_terminal_size
from typing import Any

import click
import orjson

from orgctx.schemas.formats import instant_text
from orgctx.schemas.payload import camel_case

# Width in columns of a table that is not shown on a terminal.
WIDEST = 100_000

json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON on standard output, and nothing else there."
)


def print_json(value: Any) -> None:
    """One JSON value; times and UUIDs as the API writes them."""
    click.echo(to_json(value, orjson.OPT_INDENT_2))


def to_json(value: Any, option: int = 0) -> str:
    """A JSON value as text, on one line unless `option` says otherwise."""
    option |= orjson.OPT_PASSTHROUGH_DATETIME
    return orjson.dumps(value, default=instant_text, option=option).decode()


def camel(row: dict[str, Any]) -> dict[str, Any]:
    """A row with the API's names."""
    return {camel_case(name): value for name, value in row.items()}


def print_rows(columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> None:
    """A table of some members of each row. columns: the headings, by the members' names."""
    print_table(tuple(columns.values()), ([row[name] for name in columns] for row in rows))


def print_table(headers: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print aligned columns as wide as the terminal; in a pipe, whole cells on one line per row."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    is_terminal = sys.stdout.isatty()
    table = Table(box=None, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))
    for header in headers:
        table.add_column(header.upper(), no_wrap=not is_terminal, overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    width = None if is_terminal else WIDEST
    output = StringIO()
    Console(file=output, width=width or get_terminal_size().columns).print(table)
    click.echo("\n".join(line.rstrip() for line in output.getvalue().splitlines()))


def say(text: str) -> None:
    """Print progress or a warning on standard error."""
    click.echo(text, err=True)


def _cell(value: Any) -> str:
    """A value on one line, without control characters that a terminal would obey."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%d %H:%M}Z"
    if isinstance(value, list | tuple):
        return ",".join(str(item) for item in value)
    return printable(value)


def printable(value: Any) -> str:
    """Text from outside without what would command the terminal."""
    return "".join(c if c.isprintable() else " " for c in str(value))
