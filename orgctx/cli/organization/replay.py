"""orgctx audit replay: repeat decisions that a restored database lacks, if they restrict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO
from uuid import UUID

import click

from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.options import example
from orgctx.cli.organization.audit_records import parse
from orgctx.cli.output import echo, json_option, print_result
from orgctx.cli.recording import current_command
from orgctx.config.settings import Config
from orgctx.decisions import replay as decisions
from orgctx.decisions.replay import Record

COLUMNS = {
    "at": "time",
    "organization_id": "organization",
    "id": "id",
    "decision": "decision",
    "result": "result",
}


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
    this database has are skipped, and so are restrictions that were lifted later. Nothing is
    granted. Running the command twice changes nothing.
    """
    records = [*parse(file)]
    url = Config.from_environment().admin_database_url
    with admin.connect(url) as connection, connection.transaction(force_rollback=dry_run):
        known = _known_organizations(connection, records, skip_unknown=skip_unknown)
        records = [record for record in records if record.organization_id in known]
        rows = decisions.repeat(connection, records, command=current_command())
    print_result(COLUMNS, rows, as_json=as_json)
    if dry_run and not as_json:
        echo("Nothing was stored: this was a dry run.")


def _known_organizations(
    connection: admin.Connection, records: Sequence[Record], *, skip_unknown: bool
) -> set[UUID]:
    """Return the ids of all organizations. Raises CommandError if a record has another one."""
    known = {row["id"] for row in admin.run(connection, "list_organizations")}
    unknown = {record.organization_id for record in records} - known
    if unknown and not skip_unknown:
        raise CommandError(
            f"Unknown organizations: {', '.join(sorted(map(str, unknown)))}. Nothing was changed. "
            "Check that the file belongs to this database, and pass --skip-unknown if they were "
            "created after the backup."
        )
    return known
