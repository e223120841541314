"""orgctx knowledge: list stored items, and suppress or restore them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from marshmallow import ValidationError

from orgctx.bundle import count_records
from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.options import by_option, example, organization_option
from orgctx.cli.output import camel, json_option, print_json, print_rows, say
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
    """The id of a knowledge item, as stored."""

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
@click.option("--source", "source_id", metavar="SOURCE", help="Only items of one source.")
@click.option("-q", "term", metavar="TEXT", help="Only items whose title holds it, ignoring case.")
@click.option("--suppressed", is_flag=True, help="Only those that a human keeps from being read.")
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
    """List an organization's documents and notes, also archived and suppressed ones.

    The newest first. A suppressed item stays in the list while its content is gone.
    """
    with admin.reading() as connection:
        rows = admin.run(
            connection,
            "list_knowledge",
            organization_id=admin.find_organization(connection, organization),
            source_id=source_id,
            term=term,
            only_suppressed=suppressed,
            row_limit=limit + 1,
        )
    shown = rows[:limit]
    if as_json:
        print_json([camel(row) for row in shown])
    else:
        print_rows(COLUMNS, shown)
    if len(rows) > limit:
        say(f"Only the newest {limit:,} are shown; --limit shows more.")


@knowledge.command(epilog=example("orgctx knowledge suppress --organization acme --by ada ID"))
@organization_option
@by_option
@click.argument("ids", metavar="ID...", nargs=-1, required=True, type=StoredId())
@json_option
def suppress(organization: str, by: str, ids: Sequence[str], as_json: bool) -> None:
    """Keep items from being read, also when they are loaded again."""
    _report("suppressed", _decide("suppress_knowledge", organization, by, ids), as_json)


@knowledge.command(epilog=example("orgctx knowledge restore --organization acme --by ada ID"))
@organization_option
@by_option
@click.argument("ids", metavar="ID...", nargs=-1, required=True, type=StoredId())
@json_option
def restore(organization: str, by: str, ids: Sequence[str], as_json: bool) -> None:
    """Let suppressed items be read again."""
    _report("restored", _decide("restore_knowledge", organization, by, ids), as_json)


def _report(verb: str, ids: list[str], as_json: bool) -> None:
    if as_json:
        print_json({verb: ids})
    else:
        click.echo(f"{verb} {', '.join(ids)}")


def _decide(statement: str, organization: str, by: str, ids: Sequence[str]) -> list[str]:
    """Run a statement on all these items or on none, and count the records of their sources."""
    with admin.deciding(by, organization) as decision:
        decision.run("lock_organization")
        items = sorted(set(ids))
        known = decision.run("find_knowledge", ids=items)
        if unknown := set(items) - {row["id"] for row in known}:
            raise CommandError(
                f"organization {organization!r} has no knowledge item "
                f"{', '.join(sorted(unknown))}, so nothing was changed: see "
                f"`orgctx knowledge list --organization {organization}`"
            )
        decision.run(statement, ids=items, user_id=decision.user_id)
        source_ids = sorted({row["source_id"] for row in known if row["source_id"]})
        count_records(decision.connection, decision.organization_id, source_ids)
        now = {
            row["id"] for row in decision.run("find_knowledge", ids=items) if row["is_suppressed"]
        }
        for row in known:
            if row["is_suppressed"] != (row["id"] in now):
                decision.before[row["id"]] = {"suppressed": row["is_suppressed"]}
                decision.after[row["id"]] = {"suppressed": row["id"] in now}
    return items
