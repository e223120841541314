"""orgctx sources: list, show, approve, exclude and delete sources."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
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
)
from orgctx.decisions import sources as decisions
from orgctx.decisions.rehearsal import Rehearsal, rehearse
from orgctx.operations.exposure import Source
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
        members = {**report, "exposes": [camel(key) for key in report["exposes"]]}
        print_json(camel(members))
        return
    print_table(("member", "value"), [(name, report[name]) for name in DETAILS])
    echo("")
    verb = "exposes" if report["external"] and report["included"] else "would expose"
    echo(f"Its approval {verb} to active keys:" if report["exposes"] else "No active key.")
    print_rows({"hint": "key", "name": "name", "operations": "operations"}, report["exposes"])
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


def add_command(name: str, decide: Callable[..., list[dict[str, Any]]], text: str) -> None:
    """Add a command that decides about sources. decide: a function of `decisions.sources`."""

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
        with admin.deciding(by, organization) as decision:
            ids = None if is_all else _find(decision, organization, source_ids)
            rows = decide(decision, ids)
        _print(rows, as_json)


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


@sources.command(
    epilog=example("orgctx sources approve --organization acme --by ada docs:handbook --dry-run")
)
@_source_options
@yes_option
@click.option("--dry-run", is_flag=True, help="Only show what an approval would do.")
@json_option
def approve(
    organization: str,
    by: str,
    source_ids: Sequence[str],
    is_all: bool,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Approve sources for reading.

    On a terminal, shows first what becomes readable, for which keys, and what in it looks like a
    secret, hidden text or an instruction to an agent; then it asks.
    """
    _check_sources(source_ids, is_all)
    rehearsal = None
    if dry_run or (sys.stdin.isatty() and not yes):
        rehearsal = _rehearse(organization, by, source_ids, is_all)
    if rehearsal and dry_run and as_json:
        view.as_json(rehearsal)
    elif rehearsal:
        with redirect_stdout(sys.stdout if dry_run else sys.stderr):
            view.show(rehearsal, view.options(organization, by))
        if rehearsal.sources and not dry_run:
            click.confirm("Approve them?", abort=True, err=True)
    if dry_run:
        return
    with admin.deciding(by, organization) as decision:
        ids = None if is_all else _find(decision, organization, source_ids)
        if rehearsal:
            decision.expect(rehearsal.state)
        rows = decisions.approve(decision, ids)
    _print(rows, as_json)


def _rehearse(organization: str, by: str, source_ids: Sequence[str], is_all: bool) -> Rehearsal:
    # Whoever may not decide is told before the question.
    with admin.deciding(by, organization) as decision:
        ids = None if is_all else _find(decision, organization, source_ids)
    with admin.reading() as connection:
        return rehearse(connection, decision.organization_id, ids)


add_command(
    "withdraw", partial(decisions.approve, value=False), "Withdraw the approval of sources."
)
add_command("include", decisions.include, "Include excluded sources; approval is unchanged.")
add_command(
    "exclude", partial(decisions.include, value=False), "Exclude sources; approval is unchanged."
)


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
    source = Source(**{name: row[name] for name in Source._fields})
    return {name: row[name] for name in COLUMNS} | {"status": source.status}


def _print(rows: list[dict[str, Any]], as_json: bool) -> None:
    print_result(COLUMNS, [_as_served(row) for row in rows], as_json=as_json)
