"""orgctx audit replay: repeat decisions that a restored database lacks, if they only take away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import IO, Any, NamedTuple
from uuid import UUID

import click

from orgctx.bundle import count_records
from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.options import example
from orgctx.cli.organization.audit_records import Change, Record, parse
from orgctx.cli.output import echo, json_option, print_result
from orgctx.cli.recording import record
from orgctx.config.settings import Config
from orgctx.operations.source_kinds import KINDS
from orgctx.schemas.formats import UUID_PATTERN

COLUMNS = {
    "at": "time",
    "organization_id": "organization",
    "id": "id",
    "decision": "decision",
    "result": "result",
}
# The member who decided what no member decided, such as an import that renamed a suppressed item.
NOBODY = UUID(int=0)

Row = dict[str, Any]


class Repeat(NamedTuple):
    """How to repeat a decision.

    find, apply: names of statements. is_done: tells by the row that `find` returned. member: of the
    object in the audit, with its value.
    """

    find: str
    is_done: Callable[[Row, Change], bool]
    apply: str
    member: tuple[str, Any]


# Other decisions are only named.
REPEATS = {
    "withdraw": Repeat(
        "list_sources", lambda row, _: not row["external"], "approve_sources", ("external", False)
    ),
    "exclude": Repeat(
        "list_sources", lambda row, _: not row["included"], "include_sources", ("included", False)
    ),
    "suppress": Repeat(
        "find_knowledge", lambda row, _: row["is_suppressed"], "suppress_knowledge",
        ("suppressed", True),
    ),
    "revoke": Repeat("read_key", lambda row, _: row["is_revoked"], "revoke_key", ("revoked", True)),
    "end": Repeat(
        "read_key",
        lambda row, change: row["expires_at"] <= change.values["expires_at"],
        "end_key",
        ("ended", True),
    ),
}  # fmt: skip
OF_KEYS = ("revoke", "end")


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
    records = [*parse(file)]
    url = Config.from_environment().admin_database_url
    with admin.connect(url) as connection, connection.transaction(force_rollback=dry_run):
        known = _known_organizations(connection, records, skip_unknown=skip_unknown)
        lost = _lost([each for each in records if each.organization_id in known], connection)
        rows = _apply(connection, lost)
    print_result(COLUMNS, rows, as_json=as_json)
    if dry_run and not as_json:
        echo("Nothing was stored: this was a dry run.")


def _known_organizations(
    connection: admin.Connection, records: Sequence[Record], *, skip_unknown: bool
) -> set[UUID]:
    """Return the ids of all organizations. Raises CommandError if a record has another one."""
    known = {row["id"] for row in admin.run(connection, "list_organizations")}
    unknown = {each.organization_id for each in records} - known
    if unknown and not skip_unknown:
        raise CommandError(
            f"Unknown organizations: {', '.join(sorted(map(str, unknown)))}. Nothing was changed. "
            "Check that the file is of this database, and pass --skip-unknown if they were created "
            "after the backup."
        )
    return known


def _lost(records: list[Record], connection: admin.Connection) -> list[Record]:
    """Return the records that the audit of this database does not have."""
    if not records:
        return []
    since = min(each.at for each in records)
    rows = admin.run(
        connection, "list_audit", organization_id=None, since=since, after=None, row_limit=None
    )
    kept = {(row["organization_id"], row["sequence"], row["at"]) for row in rows}
    return [each for each in records if (each.organization_id, each.sequence, each.at) not in kept]


def _apply(connection: admin.Connection, records: Sequence[Record]) -> list[Row]:
    """Apply the decisions that restrict. Returns what became of each.

    A lock of the audit is held until the end, so all records are written last: a load, which locks
    its organizations and then the audit, would wait for this transaction in a circle.
    """
    for organization_id in sorted({each.organization_id for each in records}):
        admin.run(connection, "lock_organization", organization_id=organization_id)
    given_back = _given_back(records)
    rows, applied = [], []
    for each in records:
        for change in each.changes:
            if not change.restricts:
                continue
            if any(_is_later(other, each) for other in given_back[_subject(each, change)]):
                result = "skipped: decided again later"
            else:
                result = _apply_one(connection, each, change)
            if result == "applied":
                applied.append((each, change))
            rows.append(
                {
                    "at": each.at,
                    "organization_id": each.organization_id,
                    "id": change.id,
                    "decision": change.decision,
                    "result": result,
                }
            )
    for each, change in applied:
        _record(connection, each, change)
    return rows


def _given_back(records: Sequence[Record]) -> dict[tuple[UUID, str, str], list[Record]]:
    """Return the records that give something back, by what they give."""
    given_back = defaultdict(list)
    for each in records:
        for change in each.changes:
            if not change.restricts:
                given_back[_subject(each, change)].append(each)
    return given_back


def _subject(record: Record, change: Change) -> tuple[UUID, str, str]:
    return record.organization_id, change.id, change.decision


def _is_later(record: Record, other: Record) -> bool:
    """Return whether a record is certainly the later one.

    The order of the lines says nothing: a collector may repeat them. Clocks may be set back, and
    sequences begin again after a restore.
    """
    return record.sequence > other.sequence and record.at >= other.at


def _apply_one(connection: admin.Connection, each: Record, change: Change) -> str:
    repeat = REPEATS.get(change.decision)
    if not repeat:
        return f"not repeated: run `orgctx {each.command}` again"
    if change.decision in OF_KEYS and not UUID_PATTERN.fullmatch(change.id):
        return "skipped: does not exist here"
    identity = {"organization_id": each.organization_id, "id": change.id, "ids": [change.id]}
    rows = admin.run(connection, repeat.find, **identity, kinds=[*KINDS])
    if rows and repeat.is_done(rows[0], change):
        return "skipped: is so already"
    # An item may be suppressed before it is loaded.
    if not rows and change.decision != "suppress":
        return "skipped: does not exist here"
    by = each.decided_by or NOBODY
    authors = dict.fromkeys(("decided_by", "revoked_by", "changed_by", "user_id"), by)
    admin.run(connection, repeat.apply, **identity, **authors, value=False, **_end_of_key(change))
    if change.decision == "suppress":
        source_ids = [row["source_id"] for row in rows if row["source_id"]]
        count_records(connection, each.organization_id, source_ids)
    return "applied"


def _end_of_key(change: Change) -> Row:
    ends_at = change.values.get("expires_at")
    if change.decision != "end" or not isinstance(ends_at, datetime):
        return {}
    left = (ends_at - datetime.now(UTC)).total_seconds()
    return {"name": change.values["name"], "seconds": max(0, int(left))}


def _record(connection: admin.Connection, each: Record, change: Change) -> None:
    name, value = REPEATS[change.decision].member
    before = {change.id: {name: not value}}
    after = {change.id: {name: value, "decided_at": each.at}}
    by = each.decided_by or NOBODY
    record(connection, each.organization_id, before=before, after=after, decided_by=by)
