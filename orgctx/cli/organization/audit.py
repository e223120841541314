"""orgctx audit: list and follow decisions, loads and imports, and repeat them after a restore."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from time import sleep
from typing import Any
from uuid import UUID

import click
import orjson

from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.options import ORGANIZATION, example
from orgctx.cli.organization.replay import replay
from orgctx.cli.output import camel, echo, json_option, print_json, print_table, to_json
from orgctx.decisions import audit_log
from orgctx.decisions.audit_log import Filters
from orgctx.schemas.formats import UUID_PATTERN

POLL_SECONDS = 1.0


@click.group(
    invoke_without_command=True,
    epilog=example("orgctx audit --organization acme --since 2026-01-31 --json-lines"),
)
@click.option(
    "--organization",
    metavar="ORG",
    type=ORGANIZATION,
    help="Id, slug or name; of a deleted organization, the id.",
)
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ"]),
    help="Only records since this time, in UTC.",
)
@click.option(
    "--until",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ"]),
    help="Only records before this time, in UTC.",
)
@click.option("--member", metavar="USER", help="Only what this member decided: an id or a name.")
@click.option(
    "--command", metavar="WORDS", help='Only records of this command, such as "keys issue".'
)
@click.option(
    "--object", metavar="ID", help="Only changes of this source, key, knowledge item or member."
)
@click.option(
    "--limit", type=click.IntRange(1), help="Only the newest LIMIT records.", metavar="LIMIT"
)
@click.option(
    "--after", type=click.IntRange(0), metavar="SEQUENCE", help="Only records after this one."
)
@click.option("--follow", is_flag=True, help="Print new records as they appear, until interrupted.")
@click.option("--json-lines", "as_lines", is_flag=True, help="Print one JSON object per line.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV, newest first.")
@json_option
@click.pass_context
def audit(
    context: click.Context,
    /,
    organization: str | None,
    limit: int | None,
    after: int | None,
    follow: bool,
    as_lines: bool,
    as_csv: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """List every decision, load and import with its author, time and changes, oldest first.

    Each record is written in the transaction that it describes. No command changes or deletes it.
    --follow prints each record once, in the order of `sequence`; continue with --after.
    """
    if context.invoked_subcommand:
        return
    if follow and not as_lines:
        raise click.UsageError("Pass --json-lines with --follow.")
    if after:
        _check_sequence(after)
    filters = Filters(**{name: _utc(value) for name, value in options.items()})
    if as_csv:
        _print_csv(organization, filters, is_bounded=bool(after or limit))
        return
    rows = _list(organization, filters, after, limit)
    if as_lines:
        _print_lines(rows)
        if follow:
            _follow(organization, filters, after, rows)
    elif as_json:
        print_json([camel(row) for row in rows])
    else:
        headers = ("time", "by", "command", "change")
        print_table(
            headers, ([row["at"], _author(row), row["command"], _changes(row)] for row in rows)
        )


audit.add_command(replay)


def _check_sequence(after: int) -> None:
    """Raise CommandError if a restored database has not reached this sequence again."""
    if not _list(None, Filters(), after - 1, 1):
        raise CommandError(
            f"The audit has no sequence {after} yet, because the database was restored. "
            "Pass a lower one, so that you miss no record."
        )


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
            if not rows or _identity(rows[0]) != _identity(last):
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
        organization_id = _organization_id(connection, organization) if organization else None
        return audit_log.records(connection, organization_id, filters, after=after, limit=limit)


def _utc(value: Any) -> Any:
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) else value


def _print_csv(organization: str | None, filters: Filters, *, is_bounded: bool) -> None:
    if not organization or is_bounded:
        raise click.UsageError("Pass --organization with --csv, and neither --after nor --limit.")
    with admin.reading() as connection:
        organization_id = _organization_id(connection, organization)
        for line in audit_log.csv_lines(connection, organization_id, filters):
            # Not `echo`: a cell may have several lines.
            click.echo(line, nl=False)


def _identity(row: Mapping[str, Any]) -> tuple[Any, Any]:
    return row["sequence"], row["at"]


def _print_lines(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        echo(to_json(camel(row)))


def _organization_id(connection: admin.Connection, organization: str) -> UUID:
    """Resolve a slug. An id is not looked up, because records outlive their organization."""
    if UUID_PATTERN.fullmatch(organization):
        return UUID(organization)
    return admin.find_organization(connection, organization)


def _author(row: Mapping[str, Any]) -> str:
    return str(row["name"] or row["decided_by"] or row["login"])


def _changes(row: Mapping[str, Any]) -> str:
    """Format the values of each changed object before and after."""
    before, after = row["before"], row["after"]
    return "; ".join(
        _difference(name, before.get(name), after.get(name)) for name in before | after
    )


def _difference(name: str, old: Any, new: Any) -> str:
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return f"{name}: {_text(old)} -> {_text(new)}"
    members = [
        f"{member} {_text(old.get(member))} -> {_text(new.get(member))}"
        for member in old | new
        if old.get(member) != new.get(member)
    ]
    return f"{name}: {', '.join(members)}"


def _text(value: Any) -> str:
    return "-" if value is None else orjson.dumps(value).decode()
