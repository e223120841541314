"""orgctx knowledge: what a human keeps from being read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import click
from marshmallow import ValidationError

from orgctx.cli import admin
from orgctx.cli.faults import CommandError
from orgctx.cli.options import by_option, organization_option
from orgctx.cli.output import json_option, print_json
from orgctx.resources.knowledge.schemas import KnowledgeId


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
    """Suppress and restore knowledge items."""


@knowledge.command()
@organization_option
@by_option
@click.argument("ids", metavar="ID...", nargs=-1, required=True, type=StoredId())
@json_option
def suppress(organization: str, user_id: UUID, ids: Sequence[str], as_json: bool) -> None:
    """Keep items from being read, also when they are loaded again."""
    done = _decide("suppress_knowledge", organization, user_id, ids, user_id=user_id)
    _report("suppressed", done, as_json)


@knowledge.command()
@organization_option
@by_option
@click.argument("ids", metavar="ID...", nargs=-1, required=True, type=StoredId())
@json_option
def restore(organization: str, user_id: UUID, ids: Sequence[str], as_json: bool) -> None:
    """Let suppressed items be read again."""
    done = _decide("restore_knowledge", organization, user_id, ids)
    _report("restored", done, as_json)


def _report(verb: str, ids: list[str], as_json: bool) -> None:
    if as_json:
        print_json({verb: ids})
    else:
        click.echo(f"{verb} {', '.join(ids)}")


def _decide(
    statement: str, organization: str, by: UUID, ids: Sequence[str], **parameters: Any
) -> list[str]:
    """Run a statement on all these items or on none, and count their sources anew."""
    with admin.transaction() as connection:
        organization_id = admin.find_organization(connection, organization)
        admin.check_authority(connection, organization_id, by)
        admin.run(connection, "lock_organization", organization_id=organization_id)
        items = sorted(set(ids))
        known = admin.run(connection, "find_knowledge", organization_id=organization_id, ids=items)
        if unknown := set(items) - {row["id"] for row in known}:
            raise CommandError(
                f"organization {organization_id} has no knowledge item "
                f"{', '.join(sorted(unknown))}, so nothing was changed: check the ids"
            )
        source_ids = sorted({row["source_id"] for row in known if row["source_id"]})
        admin.run(connection, statement, organization_id=organization_id, ids=items, **parameters)
        admin.run(
            connection, "count_records", organization_id=organization_id, source_ids=source_ids
        )
    return items
