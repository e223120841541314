"""orgctx knowledge: list, suppress and restore knowledge items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from marshmallow import ValidationError

from orgctx.bundle import count_records
from orgctx.cli import admin, names
from orgctx.cli.errors import CommandError
from orgctx.cli.options import SOURCE, by_option, example, organization_option
from orgctx.cli.output import echo, json_option, print_json, print_result, say
from orgctx.resources.knowledge.schemas import KnowledgeId

COLUMNS = {
    "id": "id",
    "title": "title",
    "source_id": "source",
    "visibility": "visibility",
    "is_archived": "archived",
    "is_suppressed": "suppressed",
    "updated_at": "updated",
}


class StoredId(click.ParamType[str]):
    """The id of a knowledge item, in the stored form."""

    name = "id"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        try:
            return str(KnowledgeId().parse(value))
        except ValidationError as error:
            self.fail(f"{value!r} {error.messages[0]}", param, ctx)


@click.group()
def knowledge() -> None:
    """List, suppress and restore knowledge items."""


@knowledge.command("list", epilog=example("orgctx knowledge list --organization acme -q harbor"))
@organization_option
@click.option(
    "--source", "source_id", metavar="SOURCE", type=SOURCE, help="Only items of this source."
)
@click.option(
    "-q", "term", metavar="TEXT", help="Only items whose title contains TEXT, ignoring case."
)
@click.option("--suppressed", is_flag=True, help="Only suppressed items.")
@click.option("--limit", type=click.IntRange(1), default=1_000, show_default=True)
@json_option
def list_items(
    organization: str,
    source_id: str | None,
    term: str | None,
    suppressed: bool,
    limit: int,
    as_json: bool,
) -> None:
    """List documents and notes, including archived and suppressed ones, newest first.

    A suppressed item is listed even after its content was deleted.
    """
    with admin.reading() as connection:
        organization_id = admin.find_organization(connection, organization)
        if source_id is not None:
            (source_id,) = names.find_sources(
                connection, organization, organization_id, [source_id]
            )
        rows = admin.run(
            connection,
            "list_knowledge",
            organization_id=organization_id,
            source_id=source_id,
            term=term,
            only_suppressed=suppressed,
            row_limit=limit + 1,
        )
    print_result(COLUMNS, rows[:limit], as_json=as_json)
    if len(rows) > limit:
        say(f"Only the newest {limit:,} items are listed. Pass --limit for more.")


@knowledge.command(epilog=example("orgctx knowledge suppress --organization acme --by ada ID"))
@organization_option
@by_option
@click.argument("ids", metavar="ID...", nargs=-1, required=True, type=StoredId())
@json_option
def suppress(organization: str, by: str, ids: Sequence[str], as_json: bool) -> None:
    """Hide items from every interface, even if they are loaded again."""
    _print("suppressed", _decide("suppress_knowledge", organization, by, ids), as_json)


@knowledge.command(epilog=example("orgctx knowledge restore --organization acme --by ada ID"))
@organization_option
@by_option
@click.argument("ids", metavar="ID...", nargs=-1, required=True, type=StoredId())
@json_option
def restore(organization: str, by: str, ids: Sequence[str], as_json: bool) -> None:
    """Make suppressed items readable again."""
    _print("restored", _decide("restore_knowledge", organization, by, ids), as_json)


def _print(verb: str, ids: list[str], as_json: bool) -> None:
    if as_json:
        print_json({verb: ids})
    else:
        echo(f"{verb} {', '.join(ids)}")


def _decide(statement: str, organization: str, by: str, ids: Sequence[str]) -> list[str]:
    """Run a statement on all items or none, and count the records of their sources again."""
    with admin.deciding(by, organization) as decision:
        decision.run("lock_organization")
        unique_ids = sorted(set(ids))
        rows = decision.run("find_knowledge", ids=unique_ids)
        if unknown := set(unique_ids) - {row["id"] for row in rows}:
            raise CommandError(
                f"Organization {organization!r} has no knowledge item "
                f"{', '.join(sorted(unknown))}. Nothing was changed. See "
                f"`orgctx knowledge list --organization {organization}`."
            )
        decision.run(statement, ids=unique_ids, user_id=decision.user_id)
        source_ids = sorted({row["source_id"] for row in rows if row["source_id"]})
        count_records(decision.connection, decision.organization_id, source_ids)
        _record_changes(decision, rows, decision.run("find_knowledge", ids=unique_ids))
    return unique_ids


def _record_changes(
    decision: admin.Decision, old_rows: list[dict[str, Any]], new_rows: list[dict[str, Any]]
) -> None:
    suppressed_ids = {row["id"] for row in new_rows if row["is_suppressed"]}
    for row in old_rows:
        is_suppressed = row["id"] in suppressed_ids
        if row["is_suppressed"] != is_suppressed:
            decision.before[row["id"]] = {"suppressed": row["is_suppressed"]}
            decision.after[row["id"]] = {"suppressed": is_suppressed}
