"""orgctx usage: list how many requests each key made on each day. Usage for other commands."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from uuid import UUID

import click

from orgctx.cli import admin
from orgctx.cli.options import example, organization_option
from orgctx.cli.output import columns, json_option, print_result, say
from orgctx.config.settings import Config
from orgctx.decisions.keys import listed
from orgctx.errors import ApiError
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import USAGE_DAYS, Quota


@contextmanager
def open_quota() -> Iterator[tuple[Quota, Deadline]]:
    """Open the counters of requests, with the deadline of one request."""
    config = Config.from_environment()
    seconds = config.request_timeout_seconds
    with closing(Quota(config.redis_url, timeout_seconds=seconds)) as quota:
        yield quota, Deadline(seconds)


def last_uses(organization_id: UUID, key_ids: Sequence[UUID]) -> list[datetime | None]:
    """Return the last use of each key; all None if Redis is unavailable."""
    with open_quota() as (quota, deadline):
        try:
            return quota.last_used(organization_id, key_ids, deadline)
        except ApiError:
            say("Warning: Redis is unavailable, so the last use of keys is unknown.")
            return [None] * len(key_ids)


@click.command(epilog=example("orgctx usage --organization acme --days 7"))
@organization_option
@click.option(
    "--days",
    type=click.IntRange(1, USAGE_DAYS),
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
    with admin.reading_of(organization) as tenant:
        keys = listed(tenant)
    with open_quota() as (quota, deadline):
        requests = quota.usage(tenant.organization_id, days, deadline)
    names = {key["id"]: {name: key[name] for name in ("hint", "name")} for key in keys}
    rows = [
        {"day": str(day), "key_id": id_, **names[id_], "requests": counts[id_]}
        for day, counts in requests.items()
        for id_ in names
        if id_ in counts
    ]
    titles = columns(day="day", hint="key", name="name", requests="requests")
    print_result(titles, rows, as_json=as_json)
