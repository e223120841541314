"""orgctx sources: list, show, approve, exclude and delete sources."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import click

from orgctx.cli import admin
from orgctx.cli.names import check_sources
from orgctx.cli.options import by_option, example, organization_option, source_argument, yes_option
from orgctx.cli.organization import preview as view
from orgctx.cli.organization.organizations import delete_planned
from orgctx.cli.output import (
    camel,
    columns,
    echo,
    json_option,
    print_json,
    print_result,
    print_rows,
    print_table,
)
from orgctx.decisions import scan
from orgctx.decisions import sources as decisions
from orgctx.decisions.deletion import Deletion, plan_deletion
from orgctx.decisions.preview import APPROVE, INCLUDE, Exposure, build_preview
from orgctx.decisions.scopes import report as describe
from orgctx.schemas.formats import instant_text
from orgctx.stores.db import Tenant

COLUMNS = columns(
    *("id", "kind", "label", "included"),
    external="approved",
    status="status",
    updated_at="updated",
    count="count",
    holds_new="holds new",
    held_count="held",
)

DETAILS = (
    *("id", "kind", "label", "description", "record_count", "updated_at", "included", "external"),
    *("decided_by", "decided_at"),
)

SAMPLE_COUNT = 5
# A part of the help of commands that make sources readable.
PREVIEWED = (
    "On a terminal, shows first what becomes readable, for which keys, and what in it looks like "
    "a secret, hidden text or an instruction to an agent; then it asks. Elsewhere, it fails if the "
    "scan finds something, unless you pass --yes."
)
all_option = click.option("--all", "is_all", is_flag=True, help="All sources of the organization.")


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
    _print(admin.read(organization, decisions.stored), as_json)


@sources.command(epilog=example("orgctx sources show --organization acme docs:handbook"))
@organization_option
@source_argument("source_id")
@json_option
def show(organization: str, source_id: str, as_json: bool) -> None:
    """Show a source, its keys, newest records and secrets."""
    with admin.reading_of(organization) as tenant:
        check_sources(tenant, organization, [source_id])
        report = describe(tenant, source_id)
        assert report, "found above, in the same transaction"
        texts, _ = scan.read_texts(tenant, source_id, deadline=None)
    report["samples"] = [*scan.samples(source_id, texts, SAMPLE_COUNT)]
    report["secrets"] = scan.certain_findings(source_id, texts)
    if as_json:
        rows = {name: [*map(camel, report[name])] for name in ("exposes", "syncs")}
        print_json(camel({**report, **rows}))
        return
    print_table(("member", "value"), [(name, report[name]) for name in DETAILS])
    echo("")
    verb = "exposes" if report["external"] and report["included"] else "would expose"
    echo(f"Its approval {verb} to active keys:" if report["exposes"] else "No active key reads it.")
    print_rows({"hint": "key", "name": "name", "operations": "operations"}, report["exposes"])
    for row in report["syncs"]:
        message = f": {row['message']}" if row["message"] else ""
        echo(f"Last sync at {instant_text(row['synced_at'])}: {row['state']}{message}")
    echo("\nNewest records:")
    print_rows({"kind": "kind", "title": "title", "preview": "preview"}, report["samples"])
    if secrets := report["secrets"]:
        echo(f"\nSecrets in the newest {len(texts):,} texts: {len(secrets):,}")
        view.show_findings(secrets[: view.MOST_SHOWN], view.options(organization, "MEMBER"))


@sources.command(epilog=example("orgctx sources delete --organization acme --by ada docs:old"))
@organization_option
@by_option
@source_argument("source_ids", many=True, required=True)
@yes_option
@json_option
def delete(organization: str, by: str, source_ids: Sequence[str], yes: bool, as_json: bool) -> None:
    """Delete sources and their records."""
    delete_planned(partial(_plan_deletion, organization, by, source_ids), yes=yes, as_json=as_json)


def _plan_deletion(organization: str, by: str, source_ids: Sequence[str]) -> Deletion:
    with admin.deciding(by, organization) as decision:
        ids = check_sources(decision, organization, source_ids)
        decisions.lock(decision, ids)
        rows = decisions.stored(decision, ids)
        objects = {
            row["id"]: {**decisions.audit_values(row), "count": row["count"]} for row in rows
        }
        return plan_deletion(decision, "source", objects)


def add_decision(name: str, text: str, exposure: Exposure | None = None) -> None:
    """Add a command that makes a decision, and previews it if it exposes sources."""
    line = f"orgctx sources {name} --organization acme --by ada docs:handbook"
    dry_run_option: Callable[[Any], Any] = (
        click.option("--dry-run", is_flag=True, help="Only show what the decision would do.")
        if exposure
        else lambda command: command
    )

    @sources.command(
        name,
        help=f"{text}\n\n{PREVIEWED}" if exposure else text,
        epilog=example(f"{line} --dry-run" if exposure else line),
    )
    @organization_option
    @by_option
    @all_option
    @source_argument("source_ids", many=True)
    @yes_option
    @dry_run_option
    @json_option
    def command(
        organization: str,
        by: str,
        source_ids: Sequence[str],
        is_all: bool,
        yes: bool,
        as_json: bool,
        dry_run: bool = False,
    ) -> None:
        if bool(source_ids) == is_all:
            raise click.UsageError("Pass at least one SOURCE, or --all.")
        preview = None
        if exposure and (dry_run or not yes):
            # Reject a member who may not decide before any question.
            with admin.deciding(by, organization) as decision:
                ids = None if is_all else check_sources(decision, organization, source_ids)
            with admin.reading() as connection:
                tenant = Tenant(connection, decision.organization_id)
                preview = build_preview(tenant, ids, exposure)
            question, who = f"{name.capitalize()} them?", view.options(organization, by)
            view.ask(preview, who, question, dry_run=dry_run, as_json=as_json)
        if dry_run:
            return
        with admin.deciding(by, organization) as decision:
            ids = None if is_all else check_sources(decision, organization, source_ids)
            if preview:
                decision.expect(preview.state)
            rows = decisions.DECISIONS[name](decision, ids)
        _print(rows, as_json)


add_decision("approve", "Approve sources for reading.", APPROVE)
add_decision("withdraw", "Withdraw the approval of sources.")
add_decision("include", "Include excluded sources; approval is unchanged.", INCLUDE)
add_decision("exclude", "Exclude sources; approval is unchanged.")


@sources.command(
    "new-documents",
    epilog=example("orgctx sources new-documents --organization acme --by ada held docs:handbook"),
)
@organization_option
@by_option
@click.argument("state", type=click.Choice(("held", "readable")))
@source_argument("source_ids", many=True, required=True)
@json_option
def new_documents(
    organization: str, by: str, state: str, source_ids: Sequence[str], as_json: bool
) -> None:
    """Hold new documents of sources, or make them readable at once.

    What waits already goes on waiting: see `orgctx knowledge list --held`.
    """
    with admin.deciding(by, organization) as decision:
        ids = check_sources(decision, organization, source_ids)
        rows = decisions.hold_new(decision, ids, value=state == "held")
    _print(rows, as_json)


def _print(rows: list[dict[str, Any]], as_json: bool) -> None:
    # With the status of the API.
    shown = [{**row, "status": decisions.status(row)} for row in rows]
    print_result(COLUMNS, [{name: row[name] for name in COLUMNS} for row in shown], as_json=as_json)
