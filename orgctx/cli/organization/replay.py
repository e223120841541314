"""orgctx audit replay: repeat decisions that a restored database lacks, if they restrict."""

from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any
from uuid import UUID

import click
import orjson
from marshmallow import ValidationError

from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.options import example
from orgctx.cli.output import columns, echo, json_option, print_result
from orgctx.config.settings import Config
from orgctx.decisions import replay as decisions
from orgctx.decisions.members import REMOVED, ROLES
from orgctx.decisions.replay import Change, Record
from orgctx.schemas.formats import DateTime
from orgctx.stores.db import Connection, run

COLUMNS = columns(
    at="time", organization_id="organization", id="id", decision="decision", result="result"
)


@click.command(epilog=example("orgctx audit replay audit.jsonl --dry-run"))
@click.argument("file", type=click.File("rb"))
@click.option("--dry-run", is_flag=True, help="Say what would be applied, store nothing.")
@click.option(
    "--skip-unknown", is_flag=True, help="Skip organizations that were created after the backup."
)
@json_option
def replay(file: IO[bytes], dry_run: bool, skip_unknown: bool, as_json: bool) -> None:
    """Repeat after a restore what took access away.

    Repeats revocations, withdrawals, exclusions and suppressions. FILE has the lines of `orgctx
    audit --follow --json-lines`; `-` is standard input. Records that this database has are
    skipped, and so are restrictions that were lifted later. Nothing is granted. Running the
    command twice changes nothing.
    """
    records = [*parse(file)]
    url = Config.from_environment().admin_database_url
    with admin.connect(url) as connection, connection.transaction(force_rollback=dry_run):
        known = _known_organizations(connection, records, skip_unknown=skip_unknown)
        records = [record for record in records if record.organization_id in known]
        rows = decisions.repeat(connection, records, command=admin.current_command())
    print_result(COLUMNS, rows, as_json=as_json)
    if dry_run and not as_json:
        echo("Nothing was stored: this was a dry run.")


def _known_organizations(
    connection: Connection, records: Sequence[Record], *, skip_unknown: bool
) -> set[UUID]:
    """Return the ids of all organizations. Raises CommandError if a record has another one."""
    known = {row["id"] for row in run(connection, "cli/list_organizations")}
    unknown = {record.organization_id for record in records} - known
    if unknown and not skip_unknown:
        raise CommandError(
            f"Unknown organizations: {', '.join(sorted(map(str, unknown)))}. Nothing was changed. "
            "Check that the file belongs to this database, and pass --skip-unknown if they were "
            "created after the backup."
        )
    return known


TIMES = DateTime()
NO_RECORD = (
    "Line {} is not a record of `orgctx audit --json-lines`. Nothing was changed. Remove the line "
    "if it is incomplete, like the last one of a collector that was stopped."
)
BROADEST_ACCESS = "both"
RANKS = (*ROLES, REMOVED)


# Boolean members of an object in the audit: the value that restricts, and how that is decided.
FLAGS = {
    "external": (False, "withdraw"),
    "included": (False, "exclude"),
    "suppressed": (True, "suppress"),
}


def parse(lines: Iterable[bytes]) -> Iterator[Record]:
    """Yield the records that change what may be read. Raises CommandError with a line number."""
    for number, line in enumerate(lines, 1):
        try:
            record = _record(orjson.loads(line), number)
        except (ValueError, KeyError, TypeError, AttributeError, ValidationError):
            raise CommandError(NO_RECORD.format(number)) from None
        if record.changes:
            yield record


def _record(parsed: Any, number: int) -> Record:
    before, after = parsed["before"], parsed["after"]
    sequence = parsed.get("sequence", number)
    texts = [parsed["command"], *before.keys(), *after.keys()]
    # PostgreSQL's text has no null character.
    if not isinstance(sequence, int) or any("\0" in text for text in texts):
        raise ValueError
    return Record(
        TIMES.deserialize(parsed["at"]),
        sequence,
        UUID(parsed["organizationId"]),
        UUID(parsed["decidedBy"]) if parsed["decidedBy"] else None,
        parsed["command"],
        tuple(_changes(before, after)),
    )


def _changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[Change]:
    """Yield the changes, which follow from the values and not from the command."""
    for id_ in before | after:
        old, new = before.get(id_) or {}, after.get(id_) or {}
        if not isinstance(old, dict) or not isinstance(new, dict):
            continue
        if old and not new:
            yield Change(id_, "revoke" if "hint" in old else "delete", True, old)
        elif "hint" in old:
            yield from _changes_of_key(id_, old, new)
        if "role" in old and "role" in new:
            yield Change(id_, "role", RANKS.index(new["role"]) > RANKS.index(old["role"]), new)
        for name, (restricting, decision) in FLAGS.items():
            if name in new and old.get(name) != new[name]:
                yield Change(id_, decision, new[name] is restricting, new)


def _changes_of_key(id_: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    if new["expires_at"] != old["expires_at"]:
        # No command lets a key expire later.
        yield Change(id_, "end", True, new | {"expires_at": TIMES.deserialize(new["expires_at"])})
    loses_access = new["access"] not in (old["access"], BROADEST_ACCESS)
    # Records of older versions have no `sources`.
    before, after = old.get("sources"), new.get("sources")
    loses_sources = after is not None and (before is None or not set(before) <= set(after))
    if loses_access or loses_sources or not set(old["scopes"]) <= set(new["scopes"]):
        yield Change(id_, "change", True, new)
