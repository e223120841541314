"""What commands print: a table for people, or with --json one value for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import click
import orjson

from orgctx.shapes.fields import instant_text
from orgctx.shapes.payload import camel_case

json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON on standard output, and nothing else there."
)


def print_json(value: Any) -> None:
    """One JSON value; times and UUIDs as the API writes them."""
    options = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    click.echo(orjson.dumps(value, default=instant_text, option=options), nl=False)


def camel(row: dict[str, Any]) -> dict[str, Any]:
    """A row under the names that the API would use."""
    return {camel_case(name): value for name, value in row.items()}


def print_table(headers: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Columns, aligned. Nothing at all below the headers means that there is nothing."""
    cells = [[header.upper() for header in headers], *([_cell(v) for v in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(headers))]
    for row in cells:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo(line.rstrip())


def say(text: str) -> None:
    """Progress and warnings, on standard error."""
    click.echo(text, err=True)


def _cell(value: Any) -> str:
    """A value on one line; text from outside must not command the terminal."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%d %H:%M}Z"
    if isinstance(value, list | tuple):
        return ",".join(str(item) for item in value)
    return "".join(c if c.isprintable() else " " for c in str(value))
