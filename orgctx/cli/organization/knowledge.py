"""orgctx knowledge: list, suppress and restore knowledge items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click
from marshmallow import ValidationError

from orgctx.cli import admin, names
from orgctx.cli.options import SOURCE, by_option, example, organization_option
from orgctx.cli.output import camel, echo, json_option, print_json, print_result, say
from orgctx.decisions import documents
from orgctx.decisions import knowledge as decisions
from orgctx.resources.knowledge.schemas import KnowledgeId

Decide = Callable[[admin.Decision, Sequence[str]], list[str]]

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
    "-q", metavar="TEXT", help="Only items whose title or content has TEXT, ignoring case."
)
@click.option("--suppressed", is_flag=True, help="Only suppressed items.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=1_000,
    show_default=True,
    help="How many items to list, the newest first.",
)
@json_option
def list_items(
    organization: str,
    source_id: str | None,
    q: str | None,
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
        page = documents.search(
            connection,
            organization_id,
            source_id=source_id,
            q=q,
            only_suppressed=suppressed,
            size=limit,
        )
    print_result(COLUMNS, page.rows, as_json=as_json)
    if page.has_more:
        say(f"Only the newest {limit:,} items are listed. Pass --limit for more.")


@knowledge.command(epilog=example("orgctx knowledge show --organization acme ID"))
@organization_option
@click.argument("id_", metavar="ID", type=StoredId())
@click.option("--offset", type=click.IntRange(0), default=0, help="Where to start.")
@click.option(
    "--limit",
    type=click.IntRange(1, documents.SEGMENT_UNITS),
    default=documents.SEGMENT_UNITS,
    show_default=True,
    help="How much to show, in UTF-16 code units.",
)
@json_option
def show(organization: str, id_: str, offset: int, limit: int, as_json: bool) -> None:
    """Show the text of a document or note, even if it is suppressed or not approved."""
    with admin.reading() as connection:
        organization_id = admin.find_organization(connection, organization)
        item = documents.read(connection, organization_id, id_, offset=offset, limit=limit)
    del item["state"]
    if as_json:
        print_json(camel(item | {"content_range": camel(item["content_range"])}))
        return
    echo(item["content"])
    if (next_offset := item["content_range"]["next_offset"]) is not None:
        say(f"To read on, pass --offset {next_offset}.")


@knowledge.command(epilog=example("orgctx knowledge suppress --organization acme --by ada ID"))
@organization_option
@by_option
@click.argument("ids", metavar="ID...", nargs=-1, required=True, type=StoredId())
@json_option
def suppress(organization: str, by: str, ids: Sequence[str], as_json: bool) -> None:
    """Hide items from every interface, even if they are loaded again."""
    _print("suppressed", _decide(decisions.suppress, organization, by, ids), as_json)


@knowledge.command(epilog=example("orgctx knowledge restore --organization acme --by ada ID"))
@organization_option
@by_option
@click.argument("ids", metavar="ID...", nargs=-1, required=True, type=StoredId())
@json_option
def restore(organization: str, by: str, ids: Sequence[str], as_json: bool) -> None:
    """Make suppressed items readable again."""
    _print("restored", _decide(decisions.restore, organization, by, ids), as_json)


def _print(verb: str, ids: list[str], as_json: bool) -> None:
    if as_json:
        print_json({verb: ids})
    else:
        echo(f"{verb} {', '.join(ids)}")


def _decide(decide: Decide, organization: str, by: str, ids: Sequence[str]) -> list[str]:
    with admin.deciding(by, organization) as decision:
        return decide(decision, ids)
