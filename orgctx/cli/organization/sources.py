"""orgctx sources: list, approve, exclude and delete sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import click

from orgctx.cli import admin
from orgctx.cli.errors import CommandError
from orgctx.cli.options import Decorator, by_option, example, organization_option, yes_option
from orgctx.cli.organization import deletion
from orgctx.cli.output import camel, json_option, print_json, print_rows, print_table
from orgctx.operations.exposure import Source
from orgctx.operations.source_kinds import KINDS
from orgctx.schemas.spelling import did_you_mean

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

SHOWN = (
    *("id", "kind", "label", "description", "record_count", "updated_at", "included", "external"),
    *("decided_by", "decided_at"),
)


@click.group()
def sources() -> None:
    """List and show sources, approve them for reading, take them out, delete them.

    A source is exposed only while it is both included and approved.
    """


@sources.command("list", epilog=example("orgctx sources list --organization acme"))
@organization_option
@json_option
def list_sources(organization: str, as_json: bool) -> None:
    """List an organization's sources."""
    with admin.reading() as connection:
        organization_id = admin.find_organization(connection, organization)
        rows = admin.run(
            connection, "list_sources", organization_id=organization_id, ids=None, kinds=list(KINDS)
        )
    _print(rows, as_json)


@sources.command(epilog=example("orgctx sources show --organization acme docs:handbook"))
@organization_option
@click.argument("source_id", metavar="SOURCE")
@json_option
def show(organization: str, source_id: str, as_json: bool) -> None:
    """Show what a source holds, and what its approval exposes to which key."""
    from orgctx.cli.organization import source_report

    report = source_report.report(organization, source_id)
    if as_json:
        members = {**report, "exposes": [camel(key) for key in report["exposes"]]}
        print_json(camel(members))
        return
    print_table(("member", "value"), [(name, report[name]) for name in SHOWN])
    click.echo()
    verb = "exposes" if report["external"] and report["included"] else "would expose"
    click.echo(f"Its approval {verb} to active keys:" if report["exposes"] else "No active key.")
    print_rows({"hint": "key", "name": "name", "operations": "operations"}, report["exposes"])
    click.echo("\nThe newest of what it holds:")
    print_rows({"kind": "kind", "title": "title", "preview": "preview"}, report["samples"])


@sources.command(epilog=example("orgctx sources delete --organization acme --by ada docs:old"))
@organization_option
@by_option
@click.argument("source_ids", metavar="SOURCE...", nargs=-1, required=True)
@yes_option
@json_option
def delete(organization: str, by: str, source_ids: Sequence[str], yes: bool, as_json: bool) -> None:
    """Delete sources and all that was loaded into them."""
    found = deletion.agreed(partial(_found, organization, by, source_ids), yes=yes)
    deletion.delete("source", found, as_json=as_json)


def _found(organization: str, by: str, source_ids: Sequence[str]) -> deletion.Found:
    with admin.deciding(by, organization) as decision:
        ids = _lock(decision, source_ids)
        rows = decision.run("list_sources", ids=ids, kinds=list(KINDS))
        things = {row["id"]: {**_recorded(row), "count": row["count"]} for row in rows}
        return deletion.find(decision, "source", things, list(things))


def decision(name: str, statement: str, value: bool, text: str) -> None:
    """Add a command that turns a flag of sources on or off."""

    @sources.command(
        name,
        help=text,
        epilog=example(f"orgctx sources {name} --organization acme --by ada docs:handbook"),
    )
    @_chosen_sources
    @json_option
    def decide(
        organization: str, by: str, source_ids: Sequence[str], is_all: bool, as_json: bool
    ) -> None:
        if bool(source_ids) == is_all:
            raise click.UsageError("name at least one SOURCE, or give --all alone")
        with admin.deciding(by, organization) as decision:
            ids = _lock(decision, None if is_all else source_ids)
            before = decision.run("list_sources", ids=ids, kinds=list(KINDS))
            decision.run(statement, ids=ids, value=value, decided_by=decision.user_id)
            rows = decision.run("list_sources", ids=ids, kinds=list(KINDS))
            changed = [pair for pair in zip(before, rows, strict=True) if pair[0] != pair[1]]
            decision.before = {old["id"]: _recorded(old) for old, _ in changed}
            decision.after = {new["id"]: _recorded(new) for _, new in changed}
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
decision("exclude", "include_sources", False, "Take sources out; their approval is kept.")


def _recorded(source: Mapping[str, Any]) -> dict[str, Any]:
    """The audit's description of a source."""
    return {name: source[name] for name in ("kind", "label", "included", "external")}


def _lock(decision: admin.Decision, ids: Sequence[str] | None) -> list[str]:
    """Lock all these sources, or raise CommandError naming those that do not exist."""
    wanted = None if ids is None else list(ids)
    found = [row["id"] for row in decision.run("lock_sources", ids=wanted)]
    if unknown := [id_ for id_ in dict.fromkeys(ids or ()) if id_ not in found]:
        stored = [row["id"] for row in decision.run("list_sources", ids=None, kinds=list(KINDS))]
        names = ", ".join(repr(id_) for id_ in unknown)
        raise CommandError(
            f"organization {decision.organization!r} has no source {names}, so nothing was "
            f"changed: see `orgctx sources list --organization {decision.organization}`"
            f"{did_you_mean(unknown[0], stored)}"
        )
    return found


def _as_served(row: dict[str, Any]) -> dict[str, Any]:
    """A source's columns, with the status that the API shows."""
    source = Source(**{name: row[name] for name in Source._fields})
    return {name: row[name] for name in COLUMNS} | {"status": source.status}


def _print(rows: list[dict[str, Any]], as_json: bool) -> None:
    rows = [_as_served(row) for row in rows]
    if as_json:
        print_json([camel(row) for row in rows])
    else:
        print_rows(COLUMNS, rows)
