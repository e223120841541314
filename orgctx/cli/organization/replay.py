"""orgctx audit replay: repeat decisions that a restored database lacks, if they only take away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Any, NamedTuple
from uuid import UUID

import click
import orjson

from orgctx.bundle import count_records
from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.options import example
from orgctx.cli.output import echo, json_option, print_result
from orgctx.cli.recording import record
from orgctx.config.settings import Config
from orgctx.operations.source_kinds import KINDS
from orgctx.schemas.formats import instant_text

COLUMNS = {
    "at": "time",
    "organization_id": "organization",
    "id": "id",
    "decision": "decision",
    "result": "result",
}
MEMBERS = ("at", "organizationId", "decidedBy", "command", "before", "after")
# The member who decided what no member decided, such as an import that renamed a suppressed item.
NOBODY = UUID(int=0)

Record = dict[str, Any]


class Flag(NamedTuple):
    """A member of an object in the audit that restricts it.

    name: of the member in the audit. column: that of the statement `find`. statement: sets it.
    """

    name: str
    restricting: bool
    decision: str
    find: str
    column: str
    statement: str


FLAGS = (
    Flag("external", False, "withdraw", "list_sources", "external", "approve_sources"),
    Flag("included", False, "exclude", "list_sources", "included", "include_sources"),
    Flag(
        "suppressed", True, "suppress", "find_knowledge", "is_suppressed", "suppress_knowledge"
    ),
)  # fmt: skip
# The audit has no member for it: the key is missing in `after`.
REVOKED = Flag("revoked", True, "revoke", "read_key", "is_revoked", "revoke_key")


class Change(NamedTuple):
    """A decision about one object. restricts: False if it gives back, which is never repeated."""

    record: Record
    id: str  # of a key, source or knowledge item
    flag: Flag
    restricts: bool


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
        lost = _lost([each for each in records if each["organizationId"] in known], connection)
        rows = [
            {
                "at": change.record["at"],
                "organization_id": change.record["organizationId"],
                "id": change.id,
                "decision": change.flag.decision,
                "result": result,
            }
            for change, result in _apply(connection, [*_changes(lost)])
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


def _lost(records: list[Record], connection: admin.Connection) -> list[Record]:
    """Return the records that the audit of this database does not have."""
    if not records:
        return []
    since = min(each["at"] for each in records)
    rows = admin.run(
        connection, "list_audit", organization_id=None, since=since, after=None, row_limit=None
    )
    kept = {(str(r["organization_id"]), instant_text(r["at"]), r["command"]) for r in rows}
    return [
        each
        for each in records
        if (each["organizationId"], each["at"], each["command"]) not in kept
    ]


def _changes(records: Iterable[Record]) -> Iterator[Change]:
    """Yield the decisions of records, told by what changed and not by the command."""
    for each in records:
        before, after = each["before"], each["after"]
        for id_ in before | after:
            old, new = before.get(id_) or {}, after.get(id_) or {}
            if not isinstance(old, dict) or not isinstance(new, dict):
                continue
            if "hint" in old and not new:
                yield Change(each, id_, REVOKED, restricts=True)
            for flag in FLAGS:
                if flag.name in new and old.get(flag.name) != new[flag.name]:
                    yield Change(each, id_, flag, new[flag.name] is flag.restricting)


def _apply(connection: admin.Connection, changes: list[Change]) -> Iterator[tuple[Change, str]]:
    """Apply the last decision about each object if it restricts. Yields what became of each."""
    last = {_subject(change): change for change in changes}
    for change in changes:
        newest = last[_subject(change)]
        if newest is change and change.restricts:
            yield change, _apply_one(connection, change)
        elif change.restricts:
            yield change, "skipped: decided again later"


def _subject(change: Change) -> tuple[str, str, str]:
    return change.record["organizationId"], change.id, change.flag.name


def _apply_one(connection: admin.Connection, change: Change) -> str:
    flag, by = change.flag, change.record["decidedBy"] or NOBODY
    organization_id = UUID(change.record["organizationId"])
    identity = {"organization_id": organization_id, "id": change.id, "ids": [change.id]}
    if flag.name == "suppressed":
        admin.run(connection, "lock_organization", **identity)
    rows = admin.run(connection, flag.find, **identity, kinds=[*KINDS])
    if rows and rows[0][flag.column] is flag.restricting:
        return "skipped: is so already"
    # An item may be suppressed before it is loaded.
    if not rows and flag.name != "suppressed":
        return "skipped: does not exist here"
    authors = dict.fromkeys(("decided_by", "revoked_by", "user_id"), by)
    admin.run(connection, flag.statement, **identity, **authors, value=flag.restricting)
    if flag.name == "suppressed":
        source_ids = [row["source_id"] for row in rows if row["source_id"]]
        count_records(connection, organization_id, source_ids)
    after = {change.id: {flag.name: flag.restricting, "decided_at": change.record["at"]}}
    before = {change.id: {flag.name: not flag.restricting}}
    record(connection, organization_id, before=before, after=after, decided_by=by)
    return "applied"
