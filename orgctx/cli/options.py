"""Options and parameter types shared by several commands."""

import re
from collections.abc import Callable
from typing import Any

import click

from orgctx.decisions.keys import ACCESSES, LIFETIMES, NAME_RULE, is_name
from orgctx.operations.source_kinds import SCOPES, SOURCE_KINDS
from orgctx.schemas.text import did_you_mean

INTERVAL = re.compile(r"([0-9]{1,10})([smhd])")
SECONDS = {"s": 1, "m": 60, "h": 60 * 60, "d": 24 * 60 * 60}
LONGEST_INTERVAL = 90 * SECONDS["d"]

Decorator = Callable[[Any], Any]


organization_option: Decorator = click.option(
    "--organization",
    required=True,
    metavar="ORG",
    help="Id or slug of the organization; see `orgctx organizations list`.",
)
by_option: Decorator = click.option(
    "--by",
    required=True,
    metavar="USER",
    help="Id or name of the owner or admin who decides; see `orgctx members list`.",
)


def source_argument(name: str, *, many: bool = False, required: bool | None = None) -> Decorator:
    return click.argument(
        name,
        nargs=-1 if many else 1,
        metavar="SOURCE..." if many else "SOURCE",
        required=required,
    )


def key_parameters(command: Any) -> Any:
    """Add the argument KEY and the options --organization and --by."""
    for parameter in (
        by_option,
        click.argument("key", metavar="KEY"),
        click.option(
            "--organization",
            metavar="ORG",
            help="Id or slug of the organization; needed unless KEY is an id.",
        ),
    ):
        command = parameter(command)
    return command


def example(line: str) -> str:
    """Return the last line of a command's help."""
    return f"Example: {line}"


class Name(click.ParamType[str]):
    """A name that neither commands nor people can mistake for an id or a key."""

    name = "name"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        if not is_name(value):
            self.fail(NAME_RULE, param, ctx)
        return str(value)


NAME = Name()


class Scopes(click.ParamType[list[str]]):
    """One scope, or several separated by commas."""

    name = "scope"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[str]:
        scopes = [scope.strip() for scope in value.split(",")]
        for scope in scopes:
            if scope not in SCOPES:
                kind = SOURCE_KINDS.get(scope.partition(":")[0])
                of_kind = f"; use {kind.scope} ({kind.records})." if kind and kind.records else ""
                hint = (
                    of_kind or did_you_mean(scope, SCOPES) or f". Use one of {', '.join(SCOPES)}."
                )
                self.fail(f"Unknown scope {scope!r}{hint}", param, ctx)
        return scopes


class Interval(click.ParamType[int]):
    """A time such as `12h`, in seconds; at most the longest lifetime of a key."""

    name = "interval"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        match = INTERVAL.fullmatch(value)
        seconds = int(match[1]) * SECONDS[match[2]] if match else None
        if seconds is None or seconds > LONGEST_INTERVAL:
            self.fail(f"{value!r} is not a time such as 0s, 12h or 7d, up to 90d.", param, ctx)
        return seconds


yes_option: Decorator = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")


def scope_option(*, required: bool) -> Decorator:
    """Return the option --scope. The command gets every scope once, in the order of SCOPES."""
    return click.option(
        "--scope",
        "scopes",
        type=Scopes(),
        multiple=True,
        required=required,
        callback=lambda ctx, param, lists: [  # noqa: ARG005
            scope for scope in SCOPES if any(scope in scopes for scopes in lists)
        ],
        help=f"What the key may read. Repeat it or separate by commas: {', '.join(SCOPES)}.",
    )


source_limit_option: Decorator = click.option(
    "--source",
    "source_ids",
    multiple=True,
    metavar="SOURCE",
    help="Limit the key to the source with this id. Repeat it for several.",
)


def access_option(*, required: bool) -> Decorator:
    return click.option(
        "--access",
        type=click.Choice(ACCESSES),
        required=required,
        help="Interfaces that accept the key.",
    )


def lifetime_option(*, required: bool, help_: str = "Lifetime of the key.") -> Decorator:
    """Return the option --expires-in-days."""
    return click.option(
        "--expires-in-days",
        "days",
        required=required,
        type=click.Choice([str(days) for days in LIFETIMES]),
        help=help_,
    )
