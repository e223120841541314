"""Output of commands: a table, or one JSON value with --json."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from shutil import get_terminal_size
from typing import Any
from unicodedata import category, east_asian_width

import click
import orjson

from orgctx.schemas.formats import instant_text
from orgctx.schemas.payload import camel_case

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


def columns(*names: str, **titles: str) -> dict[str, str]:
    """Return the headings of a table by column name; `names` are their own headings."""
    return {name: name for name in names} | titles


def print_object(members: dict[str, Any], text: str, *, as_json: bool) -> None:
    """Print an object as JSON with all its members, or as a sentence."""
    if as_json:
        print_json(camel(members))
    else:
        echo(text)


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
    """Print aligned columns; on a terminal that is too narrow, each row as lines of its own.

    No value is broken, so that ids can be copied.
    """

    def padded(text: str, width: int) -> str:
        return text + " " * (width - _width(text))

    titles = [header.upper() for header in headers]
    lines = [titles, *([_cell(value) for value in row] for row in rows)]
    widths = [max(_width(line[column]) for line in lines) for column in range(len(titles))]
    if sys.stdout.isatty() and sum(widths) + 2 * len(widths) - 2 > get_terminal_size().columns:
        title_width = max(map(_width, titles))
        for line in lines[1:]:
            for title, text in zip(titles, line, strict=True):
                echo(f"{padded(title, title_width)}  {text}")
            echo("")
        return
    for line in lines:
        echo("  ".join(map(padded, line, widths)).rstrip())


def echo(text: str) -> None:
    """Print lines of text, which may quote untrusted names."""
    click.echo(printable_lines(text))


def progress_bar(*arguments: Any, **options: Any) -> Any:
    """Return tqdm's bar, which only a terminal shows."""
    from tqdm import tqdm

    return tqdm(*arguments, leave=False, disable=None, **options)


def say(text: str) -> None:
    """Print progress or a warning on standard error."""
    click.echo(printable_lines(text), err=True)


def _width(text: str) -> int:
    """Return how many columns of a terminal a printable text takes."""
    marks = sum(category(c) in ("Mn", "Me") for c in text)
    return len(text) - marks + sum(east_asian_width(c) in "WF" for c in text)


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
