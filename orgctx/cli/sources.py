"""orgctx sources: what is approved for external reading, and what is taken out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import click

from orgctx.cli import admin
from orgctx.cli.faults import CommandError
from orgctx.cli.options import Decorator, by_option, organization_option
from orgctx.cli.output import camel, json_option, print_json, print_table

COLUMNS = {
    "id": "id",
    "kind": "kind",
    "label": "label",
    "included": "included",
    "external": "approved",
    "status": "status",
    "updated_at": "updated",
    "count": "count",
}


@click.group()
def sources() -> None:
    """List sources, approve them for reading, take them out.

    A source is exposed only while it is both included and approved.
    """


@sources.command("list")
@organization_option
@json_option
def list_sources(organization: str, as_json: bool) -> None:
    """List an organization's sources."""
    with admin.transaction() as connection:
        organization_id = admin.find_organization(connection, organization)
        rows = admin.run(connection, "list_sources", organization_id=organization_id, ids=None)
    _print(rows, as_json)


def decision(name: str, statement: str, value: bool, text: str) -> None:
    """Add the command by which a human turns something of sources on or off."""

    @sources.command(name, help=text)
    @_chosen_sources
    @json_option
    def decide(
        organization: str, user_id: UUID, source_ids: Sequence[str], is_all: bool, as_json: bool
    ) -> None:
        if bool(source_ids) == is_all:
            raise click.UsageError("name at least one SOURCE, or give --all alone")
        with admin.transaction() as connection:
            organization_id = admin.find_organization(connection, organization)
            admin.check_authority(connection, organization_id, user_id)
            ids = _lock(connection, organization_id, None if is_all else source_ids)
            decided = {"organization_id": organization_id, "ids": ids}
            admin.run(connection, statement, **decided, value=value, decided_by=user_id)
            rows = admin.run(connection, "list_sources", **decided)
        _print(rows, as_json)


def _chosen_sources(command: Any) -> Decorator:
    for option in (
        click.argument("source_ids", metavar="SOURCE...", nargs=-1),
        click.option("--all", "is_all", is_flag=True, help="All sources of the organization."),
        by_option,
        organization_option,
    ):
        command = option(command)
    decorated: Decorator = command
    return decorated


decision("approve", "approve_sources", True, "Approve sources for external reading.")
decision("withdraw", "approve_sources", False, "Withdraw the approval of sources.")
decision("include", "include_sources", True, "Take sources in again; their approval stood.")
decision("exclude", "include_sources", False, "Take sources out; their approval stands.")


def _lock(
    connection: admin.Connection, organization_id: UUID, ids: Sequence[str] | None
) -> list[str]:
    """Hold all these sources, or raise CommandError naming those that do not exist."""
    wanted = None if ids is None else list(ids)
    rows = admin.run(connection, "lock_sources", organization_id=organization_id, ids=wanted)
    found = [row["id"] for row in rows]
    if unknown := [repr(id_) for id_ in dict.fromkeys(ids or ()) if id_ not in found]:
        raise CommandError(
            f"organization {organization_id} has no source {', '.join(unknown)}, so nothing was "
            "changed: see `orgctx sources list`"
        )
    return found


def _print(rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print_json([camel(row) for row in rows])
    else:
        print_table(tuple(COLUMNS.values()), ([row[name] for name in COLUMNS] for row in rows))
