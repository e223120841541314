"""orgctx sources: list, show, approve, exclude and delete sources."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import partial
from typing import Any

import click

from orgctx.cli import admin, names
from orgctx.cli.options import (
    Decorator,
    by_option,
    example,
    organization_option,
    source_argument,
    yes_option,
)
from orgctx.cli.organization import deletion
from orgctx.cli.organization import rehearsal as view
from orgctx.cli.output import (
    camel,
    echo,
    json_option,
    print_json,
    print_result,
    print_rows,
    print_table,
    printable,
)
from orgctx.decisions import sources as decisions
from orgctx.decisions.rehearsal import APPROVE, INCLUDE, Opening, Rehearsal, rehearse
from orgctx.operations.source_kinds import KINDS

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

DETAILS = (
    *("id", "kind", "label", "description", "record_count", "updated_at", "included", "external"),
    *("decided_by", "decided_at"),
)

# A part of the help of commands that make sources readable.
REHEARSED = (
    "On a terminal, shows first what becomes readable, for which keys, and what in it looks like "
    "a secret, hidden text or an instruction to an agent; then it asks."
)


@click.group()
def sources() -> None:
    """List, show, approve, exclude and delete sources.

    A source is readable only while it is both included and approved.
    """


@sources.command("list", epilog=example("orgctx sources list --organization acme"))
@organization_option
@json_option
def list_sources(organization: str, as_json: bool) -> None:
    """List an organization's sources."""
    _print(admin.read(organization, "list_sources", ids=None, kinds=list(KINDS)), as_json)


@sources.command(epilog=example("orgctx sources show --organization acme docs:handbook"))
@organization_option
@source_argument("source_id")
@json_option
def show(organization: str, source_id: str, as_json: bool) -> None:
    """Show a source, samples of its records, and which keys can read it once it is approved."""
    from orgctx.cli.organization import source_report

    report = source_report.report(organization, source_id)
    if as_json:
        rows = {name: [*map(camel, report[name])] for name in ("exposes", "importers")}
        print_json(camel({**report, **rows}))
        return
    print_table(("member", "value"), [(name, report[name]) for name in DETAILS])
    echo("")
    verb = "exposes" if report["external"] and report["included"] else "would expose"
    echo(f"Its approval {verb} to active keys:" if report["exposes"] else "No active key.")
    print_rows({"hint": "key", "name": "name", "operations": "operations"}, report["exposes"])
    for row in report["importers"]:
        importer = printable(row["importer"] or "an unknown importer")
        documents = f"{row['count']:,} document{'' if row['count'] == 1 else 's'}"
        echo(f"{documents} of {importer}.")
    echo("\nNewest records:")
    print_rows({"kind": "kind", "title": "title", "preview": "preview"}, report["samples"])


@sources.command(epilog=example("orgctx sources delete --organization acme --by ada docs:old"))
@organization_option
@by_option
@source_argument("source_ids", many=True, required=True)
@yes_option
@json_option
def delete(organization: str, by: str, source_ids: Sequence[str], yes: bool, as_json: bool) -> None:
    """Delete sources and their records."""
    plan = deletion.confirm(partial(_plan_deletion, organization, by, source_ids), yes=yes)
    deletion.delete("source", plan, as_json=as_json)


def _plan_deletion(organization: str, by: str, source_ids: Sequence[str]) -> deletion.Deletion:
    with admin.deciding(by, organization) as decision:
        ids = _find(decision, organization, source_ids)
        decisions.lock(decision, ids)
        rows = decisions.stored(decision.connection, decision.organization_id, ids)
        objects = {
            row["id"]: {**decisions.audit_values(row), "count": row["count"]} for row in rows
        }
        return deletion.plan(decision, "source", objects, list(objects))


def _check_sources(source_ids: Sequence[str], is_all: bool) -> None:
    if bool(source_ids) == is_all:
        raise click.UsageError("Pass at least one SOURCE, or --all.")


def _source_options(command: Any) -> Decorator:
    for option in (
        source_argument("source_ids", many=True),
        click.option("--all", "is_all", is_flag=True, help="All sources of the organization."),
        by_option,
        organization_option,
    ):
        command = option(command)
    decorated: Decorator = command
    return decorated


def add_command(name: str, text: str) -> None:
    """Add a command that decides about sources."""

    @sources.command(
        name,
        help=text,
        epilog=example(f"orgctx sources {name} --organization acme --by ada docs:handbook"),
    )
    @_source_options
    @json_option
    def command(
        organization: str, by: str, source_ids: Sequence[str], is_all: bool, as_json: bool
    ) -> None:
        _check_sources(source_ids, is_all)
        _decide(name, organization, by, None if is_all else source_ids, as_json)


def add_opening(opening: Opening, text: str) -> None:
    """Add a command that may make sources readable."""

    @sources.command(
        opening.name,
        help=f"{text}\n\n{REHEARSED}",
        epilog=example(
            f"orgctx sources {opening.name} --organization acme --by ada docs:handbook --dry-run"
        ),
    )
    @_source_options
    @yes_option
    @click.option("--dry-run", is_flag=True, help=f"Only show what an {opening.noun} would do.")
    @json_option
    def command(
        organization: str,
        by: str,
        source_ids: Sequence[str],
        is_all: bool,
        yes: bool,
        dry_run: bool,
        as_json: bool,
    ) -> None:
        _check_sources(source_ids, is_all)
        ids = None if is_all else source_ids
        rehearsal = None
        if dry_run or (sys.stdin.isatty() and not yes):
            rehearsal = _rehearse(opening, organization, by, ids)
        if rehearsal and dry_run and as_json:
            view.as_json(rehearsal)
        elif rehearsal:
            with redirect_stdout(sys.stdout if dry_run else sys.stderr):
                view.show(rehearsal, view.options(organization, by))
            if rehearsal.sources and not dry_run:
                click.confirm(f"{opening.name.capitalize()} them?", abort=True, err=True)
        if not dry_run:
            _decide(opening.name, organization, by, ids, as_json, rehearsal)


def _rehearse(
    opening: Opening, organization: str, by: str, source_ids: Sequence[str] | None
) -> Rehearsal:
    # Reject a member who may not decide before any question.
    with admin.deciding(by, organization) as decision:
        ids = _find_all(decision, organization, source_ids)
    with admin.reading() as connection:
        return rehearse(connection, decision.organization_id, ids, opening)


def _decide(
    name: str,
    organization: str,
    by: str,
    source_ids: Sequence[str] | None,
    as_json: bool,
    rehearsal: Rehearsal | None = None,
) -> None:
    with admin.deciding(by, organization) as decision:
        ids = _find_all(decision, organization, source_ids)
        if rehearsal:
            decision.expect(rehearsal.state)
        rows = decisions.DECISIONS[name](decision, ids)
    _print(rows, as_json)


add_opening(APPROVE, "Approve sources for reading.")
add_command("withdraw", "Withdraw the approval of sources.")
add_opening(INCLUDE, "Include excluded sources; approval is unchanged.")
add_command("exclude", "Exclude sources; approval is unchanged.")


def _find_all(
    decision: admin.Decision, organization: str, source_ids: Sequence[str] | None
) -> list[str] | None:
    return None if source_ids is None else _find(decision, organization, source_ids)


def _find(decision: admin.Decision, organization: str, source_ids: Sequence[str]) -> list[str]:
    return names.find_sources(
        decision.connection,
        organization,
        decision.organization_id,
        source_ids,
        "Nothing was changed. ",
    )


def _as_served(row: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of a source, with the status of the API."""
    return {name: row[name] for name in COLUMNS} | {"status": decisions.status(row)}


def _print(rows: list[dict[str, Any]], as_json: bool) -> None:
    print_result(COLUMNS, [_as_served(row) for row in rows], as_json=as_json)
