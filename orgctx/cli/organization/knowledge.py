"""orgctx knowledge: list, suppress, restore and release knowledge items."""

from collections.abc import Callable, Sequence
from shlex import quote
from typing import Any

import click
from marshmallow import ValidationError

from orgctx.cli import admin, names
from orgctx.cli.options import by_option, example, organization_option
from orgctx.cli.output import columns, json_option, print_object, print_result, say
from orgctx.decisions import knowledge as decisions
from orgctx.decisions.findings import visible
from orgctx.decisions.knowledge import Items
from orgctx.resources.knowledge.schemas import KnowledgeId
from orgctx.stores.db import Row

COLUMNS = columns(
    *("id", "title"),
    source_id="source",
    visibility="visibility",
    is_archived="archived",
    suppressed="suppressed",
    updated_at="updated",
)
# With --held: the kind of the secret, or the suppressed document; and where in the content.
HELD_COLUMNS = columns("id", "title", source_id="source", reason="reason", where="where")


class StoredId(click.ParamType[str]):
    """The id of a knowledge item, in the stored form."""

    name = "id"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        try:
            return str(KnowledgeId().parse(value))
        except ValidationError as error:
            self.fail(
                f"{value!r} {error.messages[0]}. `orgctx knowledge list` prints ids.", param, ctx
            )


@click.group()
def knowledge() -> None:
    """List, suppress, restore and release knowledge items."""


@knowledge.command("list", epilog=example("orgctx knowledge list --organization acme -q harbor"))
@organization_option
@click.option("--source", "source_id", metavar="SOURCE", help="Only items of this source.")
@click.option(
    "-q", metavar="TEXT", help="Only items whose title or content has TEXT, ignoring case."
)
@click.option("--held", is_flag=True, help="Only documents that wait for a release.")
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
    held: bool,
    limit: int,
    as_json: bool,
) -> None:
    """List documents and notes, also suppressed and held ones.

    Archived items are listed, too, and a suppressed one even after its content was deleted.

    Loads hold documents until an owner or admin releases them with `orgctx knowledge release`: new
    ones of a source that holds these, those with a secret of a certain kind, and those with the
    text of a suppressed document.
    """
    state = decisions.HELD if held else None
    with admin.reading_of(organization) as tenant:
        if source_id is not None:
            names.check_sources(tenant, organization, [source_id])
        rows, has_more = decisions.search(tenant, source_id=source_id, q=q, state=state, size=limit)
    print_result(HELD_COLUMNS if held else COLUMNS, [*map(_described, rows)], as_json=as_json)
    if has_more:
        say(f"Only the newest {limit:,} items are listed. Pass --limit for more.")


def _described(row: Row) -> Row:
    """Return a listed item with why it is held, where in the text, and secrets masked."""
    places = [
        f"{detail}, {'title' if offset is None else f'offset {offset:,}'}"
        if reason == "secret"
        else str(detail)
        for reason, (detail, offset) in sorted(row["held"].items())
        if detail
    ]
    described = {"reason": ", ".join(sorted(row["held"])), "where": "; ".join(places)}
    return row | described | ({"title": visible(row["title"])} if "secret" in row["held"] else {})


# What a command says of items that stay hidden, by why, and which other command shows them.
STILL = {
    decisions.HELD: ("release what you have seen", "release"),
    decisions.SUPPRESSED: ("show it again", "restore"),
}


def add_command(name: str, decide: Callable[..., Items], done: str, text: str) -> None:
    line = f"orgctx knowledge {name} --organization acme --by ada ID"

    @knowledge.command(name, help=text, epilog=example(line))
    @organization_option
    @by_option
    @click.argument("ids", metavar="ID...", nargs=-1, required=True, type=StoredId())
    @json_option
    def command(organization: str, by: str, ids: Sequence[str], as_json: bool) -> None:
        with admin.deciding(by, organization) as decision:
            after = decide(decision, ids)
        print_object({done: [*after]}, f"{done} {', '.join(after)}", as_json=as_json)
        options = f"--organization {quote(organization)} --by {quote(by)}"
        if decide is decisions.suppress:
            say(
                "To make new documents of a source wait until you have seen them: `orgctx sources "
                f"new-documents {options} held SOURCE`."
            )
            return
        for state, (purpose, other) in STILL.items():
            if hidden := [id_ for id_ in after if after[id_][state]]:
                still = f"Still {state}: {', '.join(hidden)}. To {purpose}"
                say(f"{still}: `orgctx knowledge {other} {options} ID`.")


HIDE = "Hide items from every interface, even if they are loaded again."
add_command("suppress", decisions.suppress, "suppressed", HIDE)
SHOW = (
    "Make suppressed items readable again, and release held ones.\n\nOne that is both stays held."
)
add_command("restore", decisions.restore, "restored", SHOW)
RELEASE = (
    "Release held items.\n\nA release holds for the present text and title; a changed text is "
    "judged again."
)
add_command("release", decisions.release, "released", RELEASE)
