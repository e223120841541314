"""Options and parameter types shared by several commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from orgctx.operations.exposure import SCOPES
from orgctx.schemas.spelling import did_you_mean

ACCESSES = ("api", "mcp", "both")
LONGEST_NAME = 100

Decorator = Callable[[Any], Any]

organization_option: Decorator = click.option(
    "--organization", required=True, metavar="ORG", help="Its id or slug."
)
by_option: Decorator = click.option(
    "--by",
    required=True,
    metavar="USER",
    help="The id or name of an owner or admin, on whose behalf this is done.",
)


def example(line: str) -> str:
    """An example for the end of a command's help."""
    return f"Example: {line}"


def one_line(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """A name: printable, at most 100 characters."""
    if value is not None and not (0 < len(value) <= LONGEST_NAME and value.isprintable()):
        raise click.BadParameter(f"must be 1 to {LONGEST_NAME} printable characters")
    return value


class Scopes(click.ParamType[list[str]]):
    """Scopes, one or a comma list."""

    name = "scope"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[str]:
        scopes = [scope.strip() for scope in value.split(",")]
        for scope in scopes:
            if scope not in SCOPES:
                hint = did_you_mean(scope, SCOPES) or f"; it must be one of {', '.join(SCOPES)}"
                self.fail(f"{scope!r} is not a scope{hint}", param, ctx)
        return scopes


yes_option: Decorator = click.option("--yes", is_flag=True, help="Do not ask.")


def scope_option(*, required: bool) -> Decorator:
    """--scope, repeatable; the command gets all scopes, in the order of the contract."""
    return click.option(
        "--scope",
        "scopes",
        type=Scopes(),
        multiple=True,
        required=required,
        callback=lambda ctx, param, lists: [  # noqa: ARG005
            scope for scope in SCOPES if any(scope in some for some in lists)
        ],
        help=f"What the key may read; repeat it or separate by commas: {', '.join(SCOPES)}.",
    )


def access_option(*, required: bool) -> Decorator:
    """--access: api, mcp or both."""
    return click.option(
        "--access", type=click.Choice(ACCESSES), required=required, help="How the key may be used."
    )
