"""Output of commands: a table, or one JSON value with --json."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from datetime import UTC, datetime
from io import BytesIO, TextIOWrapper
from typing import Any

import click
import orjson

from orgctx.cli import main
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
    """Print an object as JSON with all its members, or a text about it."""
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
    """Print aligned columns."""
    lines = [[header.upper() for header in headers], *([*map(_cell, row)] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        echo("  ".join(map(str.ljust, line, widths)).rstrip())


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


def say_stage(stage: str) -> None:
    """Print a stage of a load, which only a terminal shows."""
    if sys.stderr.isatty():
        say(f"{stage} …")


def _cell(value: Any) -> str:
    """Format a value on one line."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return minute_text(value)
    if isinstance(value, list | tuple):
        return ",".join(str(item) for item in value)
    return printable(value)


def minute_text(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M}Z"


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


def run_json(*arguments: str) -> Any:
    """Run `orgctx ARGUMENTS --json`, as an operator would, and return what it prints."""
    output = BytesIO()
    with redirect_stdout(TextIOWrapper(output, "utf-8", write_through=True)):
        main([*arguments, "--json"], prog_name="orgctx", standalone_mode=False)
    return orjson.loads(output.getvalue())
