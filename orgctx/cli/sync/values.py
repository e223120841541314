"""Check the values of one import in the file of a sync, as the import's command does."""

from __future__ import annotations

from pathlib import Path

import click

from orgctx.cli.importing.command import OUTPUT_OPTIONS
from orgctx.cli.options import interval_seconds
from orgctx.schemas.spelling import did_you_mean

PATH = "path"
# The names of the parameters for the output of one run, which a file may not set.
OUTPUT = {
    parameter.name for option in OUTPUT_OPTIONS for parameter in option(click.Command(None)).params
}
# A source is stale after this many intervals.
STALE_INTERVALS = 3
# So that the number of seconds after which it is stale fits into an integer of PostgreSQL.
LONGEST_SECONDS = (2**31 - 1) // STALE_INTERVALS


class Invalid(Exception):
    """A value is invalid; the message names its key and what is accepted."""


def keys(command: click.Command) -> dict[str, click.Parameter]:
    """Return the parameters of an import by their keys in the file."""
    named = {}
    for parameter in command.params:
        key = PATH if isinstance(parameter, click.Argument) else parameter.opts[0].strip("-")
        if parameter.name not in OUTPUT:
            named[key] = parameter
    return named


def unknown_key(key: str, accepted: list[str]) -> Invalid:
    hint = did_you_mean(key, accepted) or "."
    return Invalid(f"unknown key {key!r}{hint} Accepted: {', '.join(sorted(accepted))}")


def interval(value: object) -> int:
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


def texts(
    command: click.Command, key: str, parameter: click.Parameter, value: object, folder: Path
) -> list[str]:
    """Return a value as strings. Raises Invalid.

    A flag becomes one empty string if it is set, and no string otherwise. Paths need not exist.

    Args:
        folder: the folder of relative paths.
    """
    if isinstance(parameter, click.Option) and parameter.is_flag:
        if not isinstance(value, bool):
            raise Invalid(f"{key}: use true or false")
        return [""] if value else []
    is_list = parameter.nargs != 1 or parameter.multiple
    items = value if is_list and isinstance(value, list) else [value]
    if parameter.required and not items:
        raise Invalid(f"{key}: use at least one string")
    checked = [text(item, key, is_list=is_list) for item in items]
    if isinstance(parameter.type, click.Path):
        return [str(folder / item) for item in checked]
    try:
        parameter.process_value(click.Context(command), checked if is_list else checked[0])
    except click.BadParameter as error:
        raise Invalid(f"{key}: {error.message}") from None
    return checked


def text(value: object, key: str, *, is_list: bool = False) -> str:
    """Return a string or an integer as a string. Raises Invalid."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    # The arguments of a process cannot contain NUL.
    if not isinstance(value, str) or not value or "\0" in value:
        raise Invalid(f"{key}: use a string{' or a list of strings' if is_list else ''}")
    return value
