"""orgctx keys narrow: take away the scopes that a key does not use."""

from __future__ import annotations

import sys

import click

from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.names import find_key
from orgctx.cli.options import by_option, example, key_argument, yes_option
from orgctx.cli.organization.key_usage import scope_use
from orgctx.cli.output import camel, echo, json_option, print_json, say
from orgctx.decisions import keys as decisions
from orgctx.decisions.key_usage import MOST_DAYS, NARROW_DAYS


@click.command(epilog=example("orgctx keys narrow laptop --organization acme --by ada"))
@key_argument
@by_option
@click.option(
    "--days",
    type=click.IntRange(1, MOST_DAYS),
    default=NARROW_DAYS,
    show_default=True,
    help="Keep the scopes that the key used in this number of days.",
)
@yes_option
@json_option
def narrow(
    key: str, organization: str | None, by: str, days: int, yes: bool, as_json: bool
) -> None:
    """Take away the scopes that a key did not use. The key itself stays the same.

    KEY is its id, or its name or hint in an organization. A scope counts as used if an answer
    needed it. On a terminal, shows what it would take away, and asks.
    """
    with admin.reading() as connection:
        organization_id, key_id = find_key(connection, organization, key)
        (row,) = decisions.listed(connection, organization_id, key_id=key_id)
    # Check `by` first, because others should not learn what the key used.
    with admin.deciding(by, organization or str(organization_id)):
        pass
    use = scope_use(organization_id, row, days)
    if not use.used:
        raise CommandError(
            f"Key {row['hint']} used no scope in {days} days. Nothing was changed. Run "
            "`orgctx keys revoke`, or pass more --days."
        )
    if use.unused:
        for scope, day in use.used.items():
            say(f"{scope} stays: last used on {day}.")
        say(f"{', '.join(use.unused)} would go: not used in {days} days.")
        if sys.stdin.isatty() and not yes:
            click.confirm("Take them away?", abort=True, err=True)
    with admin.deciding(by, organization or str(organization_id)) as decision:
        decision.expect({str(key_id): decisions.state(row)})
        changed = decisions.change(decision, key_id, access="", scopes=[*use.used])
    if as_json:
        print_json(camel({"id": key_id, "scopes": changed["scopes"], "removed": use.unused}))
    else:
        echo(f"key {key_id} has {', '.join(changed['scopes'])}")
