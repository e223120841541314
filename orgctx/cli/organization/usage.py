"""orgctx usage: list how many requests each key made on each day."""

from __future__ import annotations

import click

from orgctx.cli import admin
from orgctx.cli.options import example, organization_option
from orgctx.cli.organization.key_usage import daily_requests
from orgctx.cli.output import json_option, print_result
from orgctx.decisions.key_usage import MOST_DAYS
from orgctx.decisions.keys import listed

COLUMNS = {"day": "day", "hint": "key", "name": "name", "requests": "requests"}


@click.command(epilog=example("orgctx usage --organization acme --days 7"))
@organization_option
@click.option(
    "--days",
    type=click.IntRange(1, MOST_DAYS),
    default=7,
    show_default=True,
    help="Number of days, including today (UTC).",
)
@json_option
def usage(organization: str, days: int, as_json: bool) -> None:
    """List how many requests each key made on each day, newest day first.

    Counts requests within the rate limits. Redis keeps the counts for 35 days, unless it is
    emptied.
    """
    with admin.reading() as connection:
        organization_id = admin.find_organization(connection, organization)
        keys = listed(connection, organization_id)
    rows = [
        {
            "day": str(day),
            "key_id": key["id"],
            "hint": key["hint"],
            "name": key["name"],
            "requests": counts[key["id"]],
        }
        for day, counts in daily_requests(organization_id, days).items()
        for key in keys
        if key["id"] in counts
    ]
    print_result(COLUMNS, rows, as_json=as_json)
