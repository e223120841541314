"""Options and parameter types shared by several commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from orgctx.operations.source_kinds import SCOPES
from orgctx.schemas.spelling import did_you_mean

ACCESSES = ("api", "mcp", "both")
LONGEST_NAME = 100

Decorator = Callable[[Any], Any]

organization_option: Decorator = click.option(
    "--organization", required=True, metavar="ORG", help="Id or slug of the organization."
)
by_option: Decorator = click.option(
    "--by",
    required=True,
    metavar="USER",
    help="Id or name of the owner or admin who decides.",
)


def example(line: str) -> str:
    """Return the last line of a command's help."""
    return f"Example: {line}"


def one_line(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Validate a name."""
    if value is not None and not (0 < len(value) <= LONGEST_NAME and value.isprintable()):
        raise click.BadParameter(f"Use 1 to {LONGEST_NAME} printable characters.")
    return value


class Scopes(click.ParamType[list[str]]):
    """One scope, or several separated by commas."""

    name = "scope"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[str]:
        scopes = [scope.strip() for scope in value.split(",")]
        for scope in scopes:
            if scope not in SCOPES:
                hint = did_you_mean(scope, SCOPES) or f". Use one of {', '.join(SCOPES)}."
                self.fail(f"Unknown scope {scope!r}{hint}", param, ctx)
        return scopes


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


def access_option(*, required: bool) -> Decorator:
    """Return the option --access."""
    return click.option(
        "--access",
        type=click.Choice(ACCESSES),
        required=required,
        help="Interfaces that accept the key.",
    )
