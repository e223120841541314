"""orgctx audit replay: repeat decisions that a restored database lacks, if they only take away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Any
from uuid import UUID

import click
import orjson

from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.options import example
from orgctx.cli.output import echo, json_option, print_result
from orgctx.cli.recording import current_command
from orgctx.config.settings import Config
from orgctx.decisions import replay as decisions

COLUMNS = {
    "at": "time",
    "organization_id": "organization",
    "id": "id",
    "decision": "decision",
    "result": "result",
}
MEMBERS = ("at", "organizationId", "decidedBy", "command", "before", "after")
Record = dict[str, Any]


@click.command(epilog=example("orgctx audit replay audit.jsonl --dry-run"))
@click.argument("file", type=click.File("rb"))
@click.option("--dry-run", is_flag=True, help="Say what would be applied, store nothing.")
@click.option(
    "--skip-unknown", is_flag=True, help="Skip organizations that were created after the backup."
)
@json_option
def replay(file: IO[bytes], dry_run: bool, skip_unknown: bool, as_json: bool) -> None:
    """Repeat revocations, withdrawals, exclusions and suppressions after a restore.

    FILE has the lines of `orgctx audit --follow --json-lines`; `-` is standard input. Records that
    this database has are skipped. Nothing is granted: what was decided back later stays as the
    database has it. Running the command twice changes nothing.
    """
    records = [*_read(file)]
    url = Config.from_environment().admin_database_url
    with admin.connect(url) as connection, connection.transaction(force_rollback=dry_run):
        known = _known_organizations(connection, records, skip_unknown=skip_unknown)
        lost = decisions.lost(
            connection, [each for each in records if each["organizationId"] in known]
        )
        rows = [
            {
                "at": change.record["at"],
                "organization_id": change.record["organizationId"],
                "id": change.id,
                "decision": change.flag.decision,
                "result": result,
            }
            for change, result in decisions.apply(connection, lost, command=current_command())
        ]
    print_result(COLUMNS, rows, as_json=as_json)
    if dry_run and not as_json:
        echo("Nothing was stored: this was a dry run.")


def _read(file: IO[bytes]) -> Iterator[Record]:
    for number, line in enumerate(file, 1):
        try:
            parsed = orjson.loads(line)
            values = {name: parsed[name] for name in MEMBERS}
            values["organizationId"] = str(UUID(values["organizationId"]))
            values["decidedBy"] = UUID(values["decidedBy"]) if values["decidedBy"] else None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise CommandError(
                f"Line {number} is no record of `orgctx audit --json-lines`. Nothing was changed."
            ) from None
        yield values


def _known_organizations(
    connection: admin.Connection, records: Iterable[Record], *, skip_unknown: bool
) -> set[str]:
    """Return the ids of all organizations. Raises CommandError if a record has another one."""
    known = {str(row["id"]) for row in admin.run(connection, "list_organizations")}
    unknown = {each["organizationId"] for each in records} - known
    if unknown and not skip_unknown:
        raise CommandError(
            f"Unknown organizations: {', '.join(sorted(unknown))}. Nothing was changed. Check that "
            "the file is of this database, and pass --skip-unknown if they were created after the "
            "backup."
        )
    return known
