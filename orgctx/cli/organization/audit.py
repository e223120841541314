"""orgctx audit: list, follow and undo decisions, and list loads and imports."""

from datetime import UTC, datetime
from time import sleep
from typing import Any

import click

from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.names import find_organization, parse_id
from orgctx.cli.options import by_option, example, organization_option
from orgctx.cli.output import (
    camel,
    echo,
    json_option,
    print_json,
    print_object,
    print_table,
    to_json,
)
from orgctx.decisions import audit_log
from orgctx.decisions.audit_log import Filters
from orgctx.decisions.sentences import author, names_of, sentence
from orgctx.decisions.undo import undo as undo_decision
from orgctx.stores.db import Connection, Tenant

POLL_SECONDS = 1.0
TIMES = "a time in UTC such as 2026-01-31 or 2026-01-31T08:00:00Z"


class Time(click.DateTime):
    def __init__(self) -> None:
        super().__init__(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ"])

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            return super().convert(value, param, ctx).replace(tzinfo=UTC)
        except click.BadParameter:
            self.fail(f"{value!r} is not {TIMES}.", param, ctx)


@click.group(
    invoke_without_command=True,
    epilog=example("orgctx audit --organization acme --since 2026-01-31 --json-lines"),
)
@click.option(
    "--organization",
    metavar="ORG",
    help="Id or slug; of a deleted organization, the id.",
)
@click.option("--since", metavar="TIME", type=Time(), help=f"Only records since {TIMES}.")
@click.option(
    "--limit", type=click.IntRange(1), help="Only the newest LIMIT records.", metavar="LIMIT"
)
@click.option(
    "--after", type=click.IntRange(0), metavar="SEQUENCE", help="Only records after this one."
)
@click.option("--follow", is_flag=True, help="Print new records as they appear, until interrupted.")
@click.option("--json-lines", "as_lines", is_flag=True, help="Print one JSON object per line.")
@json_option
@click.pass_context
def audit(
    context: click.Context,
    /,
    organization: str | None,
    since: datetime | None,
    limit: int | None,
    after: int | None,
    follow: bool,
    as_lines: bool,
    as_json: bool,
) -> None:
    """List every decision, load and import with its author, time and changes, oldest first.

    Each record is written in the transaction that it describes. No command changes or deletes it.
    --follow prints each record once, in the order of `sequence`; continue with --after.
    """
    if context.invoked_subcommand:
        return
    if follow and not as_lines:
        raise click.UsageError("Pass --json-lines with --follow.")
    if after and not _list(None, Filters(), after - 1, 1):
        raise CommandError(
            f"The audit has no sequence {after} yet, because the database was restored. "
            "Pass a lower one, so that you miss no record."
        )
    filters = Filters(since=since)
    rows = _list(organization, filters, after, limit)
    if as_lines:
        _print_lines(rows)
        if follow:
            _follow(organization, filters, after, rows)
    elif as_json:
        print_json([camel(row) for row in rows])
    else:
        names: dict[str, str] = {}
        if organization:
            with admin.reading() as connection:
                names = names_of(_find(connection, organization), rows)
        sentences = (
            [row["sequence"], row["at"], author(row), sentence(row, names)] for row in rows
        )
        print_table(("no.", "time", "by", "what"), sentences)


@audit.command(epilog=example("orgctx audit undo 12 --organization acme --by Ada"))
@organization_option
@by_option
@click.argument("sequence", metavar="SEQUENCE", type=click.IntRange(1, 2**63 - 1))
@json_option
def undo(organization: str, by: str, sequence: int, as_json: bool) -> None:
    """Undo a decision that nothing has changed since.

    SEQUENCE is the number in the first column of `orgctx audit`. Decisions about sources, documents
    and the rights of a key can be undone; a revocation, rotation, erasure or deletion cannot. The
    undo is a decision of its own.
    """
    with admin.deciding(by, organization) as decision:
        undo_decision(decision, sequence)
    text = f"undid no. {sequence} with no. {decision.sequence}"
    print_object({"undone": sequence, "sequence": decision.sequence}, text, as_json=as_json)


def _follow(
    organization: str | None,
    filters: Filters,
    after: int | None,
    rows: list[dict[str, Any]],
) -> None:
    """Print new records. Raises CommandError if the last printed one disappears."""
    last = rows[-1] if rows else None
    while True:
        sleep(POLL_SECONDS)
        rows = _list(organization, filters, last["sequence"] - 1 if last else after, None)
        if last:
            if not rows or any(rows[0][name] != last[name] for name in ("sequence", "at")):
                raise CommandError(
                    f"The database was restored: the record of sequence {last['sequence']} is "
                    "another one or none. Follow from the last record of the backup."
                )
            del rows[0]
        _print_lines(rows)
        last = rows[-1] if rows else last


def _list(
    organization: str | None, filters: Filters, after: int | None, limit: int | None
) -> list[dict[str, Any]]:
    with admin.reading() as connection:
        organization_id = _find(connection, organization).organization_id if organization else None
        return audit_log.records(connection, organization_id, filters, after=after, limit=limit)


def _print_lines(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        echo(to_json(camel(row)))


def _find(connection: Connection, organization: str) -> Tenant:
    """Find an organization. An id is not looked up, because records outlive their organization."""
    id_ = parse_id(organization)
    return Tenant(connection, id_) if id_ else find_organization(connection, organization)
