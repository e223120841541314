"""orgctx usage: list how many requests each key made on each day."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from typing import Any

import click

from orgctx.cli import admin
from orgctx.cli.options import example, organization_option
from orgctx.cli.output import json_option, print_result
from orgctx.config.settings import Config
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import Quota, today

MAX_DAYS = 35
COLUMNS = {"day": "day", "hint": "key", "name": "name", "requests": "requests"}


@click.command(epilog=example("orgctx usage --organization acme --days 7"))
@organization_option
@click.option(
    "--days",
    type=click.IntRange(1, MAX_DAYS),
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
        keys = admin.run(
            connection, "list_keys", organization_id=organization_id, expiring_days=None
        )
    config = Config.from_environment()
    seconds = config.request_timeout_seconds
    rows: list[dict[str, Any]] = []
    with closing(Quota(config.redis_url, timeout_seconds=seconds)) as quota:
        for age in range(days):
            day = today() - timedelta(days=age)
            counts = quota.usage(organization_id, day, Deadline(seconds))
            rows += [
                {
                    "day": str(day),
                    "key_id": key["id"],
                    "hint": key["hint"],
                    "name": key["name"],
                    "requests": counts[key["id"]],
                }
                for key in keys
                if key["id"] in counts
            ]
    print_result(COLUMNS, rows, as_json=as_json)
