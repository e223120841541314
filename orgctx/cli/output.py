"""Output of commands: a table, or one JSON value with --json."""

from __future__ import annotations

import json
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

# Width of a table in characters if the output is not a terminal, so that no row is folded.
MAX_WIDTH = 100_000

json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print only JSON on standard output."
)


def print_json(value: Any) -> None:
    """Print a JSON value. Times and UUIDs are formatted as in the API."""
    click.echo(to_json(value, orjson.OPT_INDENT_2))


def to_json(value: Any, option: int = 0) -> str:
    """Serialize a value, on one line by default. option: flags of orjson.

    Characters that command a terminal or reorder its text are escaped.
    """
    option |= orjson.OPT_PASSTHROUGH_DATETIME
    text = orjson.dumps(value, default=instant_text, option=option).decode()
    return "\n".join(map(_escaped, text.split("\n")))


def camel(row: dict[str, Any]) -> dict[str, Any]:
    """Rename the columns of a row to camel case, as in the API."""
    return {camel_case(name): value for name, value in row.items()}


def print_result(
    columns: Mapping[str, str], rows: Iterable[dict[str, Any]], *, as_json: bool
) -> None:
    """Print rows as JSON with all columns, or as a table. columns: headings by column name."""
    if as_json:
        print_json([camel(row) for row in rows])
    else:
        print_rows(columns, rows)


def print_rows(columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Print a table. columns: headings by column name."""
    print_table(tuple(columns.values()), ([row[name] for name in columns] for row in rows))


def print_table(headers: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print aligned columns that fit the terminal; in a pipe, each row is one line."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    is_terminal = sys.stdout.isatty()
    table = Table(box=None, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))
    for header in headers:
        table.add_column(header.upper(), no_wrap=not is_terminal, overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    width = None if is_terminal else MAX_WIDTH
    output = StringIO()
    Console(file=output, width=width or get_terminal_size().columns).print(table)
    echo("\n".join(line.rstrip() for line in output.getvalue().split("\n")[:-1]))


def echo(text: str) -> None:
    """Print lines of text, which may quote untrusted names."""
    click.echo(printable_lines(text))


def say(text: str) -> None:
    """Print progress or a warning on standard error."""
    click.echo(printable_lines(text), err=True)


def _cell(value: Any) -> str:
    """Format a value on one line."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%d %H:%M}Z"
    if isinstance(value, list | tuple):
        return ",".join(str(item) for item in value)
    return printable(value)


def printable_lines(text: str) -> str:
    """Replace control characters with spaces, except the ends of lines."""
    return "\n".join(map(printable, text.split("\n")))


def _escaped(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


def printable(value: Any) -> str:
    """Replace control characters with spaces: values may be untrusted text."""
    return "".join(c if c.isprintable() else " " for c in str(value))
