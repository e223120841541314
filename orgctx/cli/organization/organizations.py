"""orgctx organizations: create, list and delete organizations."""

from __future__ import annotations

from functools import partial

import click

from orgctx.cli import admin
from orgctx.cli.options import by_option, example, one_line, organization_option, yes_option
from orgctx.cli.organization import deletion
from orgctx.cli.output import camel, echo, json_option, print_json, print_result, say
from orgctx.cli.recording import current_command
from orgctx.decisions import organizations as decisions


@click.group()
def organizations() -> None:
    """Create, list and delete organizations."""


@organizations.command("list", epilog=example("orgctx organizations list --json"))
@json_option
def list_organizations(as_json: bool) -> None:
    """List all organizations, by slug."""
    with admin.reading() as connection:
        rows = admin.run(connection, "list_organizations")
    for row in rows:
        row["verified_holding"] = float(row["verified_holding"])
    columns = {"id": "id", "slug": "slug", "display_name": "name", "plan": "plan"}
    print_result(columns, rows, as_json=as_json)


@organizations.command(
    epilog=example("orgctx organizations create acme --name 'Acme Inc' --owner Ada")
)
@click.argument("slug")
@click.option("--name", callback=one_line, help="Its name. Default: the slug.")
@click.option("--owner", required=True, callback=one_line, help="Name of its first owner.")
@json_option
def create(slug: str, name: str | None, owner: str, as_json: bool) -> None:
    """Create an organization with its first owner. SLUG names it in other commands.

    Its profile source, which shows its name to keys, waits for approval like every source.
    """
    with admin.writing() as connection:
        organization = decisions.create(
            connection,
            slug=slug,
            display_name=name or slug,
            owner=owner,
            command=current_command(),
        )
    if as_json:
        print_json(camel(organization))
    else:
        echo(f"created organization {slug} ({organization['id']}) with the owner {owner}")
        say(
            "Import a source with `orgctx import`. Keys can read the organization's name once "
            f"{decisions.PROFILE} is approved."
        )


@organizations.command(epilog=example("orgctx organizations delete --organization acme --by ada"))
@organization_option
@by_option
@yes_option
@json_option
def delete(organization: str, by: str, yes: bool, as_json: bool) -> None:
    """Delete an organization, its records and its keys, not its audit."""
    plan = deletion.confirm(partial(_plan_deletion, organization, by), yes=yes)
    deletion.delete("organization", plan, as_json=as_json)


def _plan_deletion(organization: str, by: str) -> deletion.Deletion:
    with admin.deciding(by, organization) as decision:
        rows = admin.run(decision.connection, "list_organizations")
        (row,) = (row for row in rows if row["id"] == decision.organization_id)
        description = {"slug": row["slug"], "display_name": row["display_name"]}
        return deletion.plan(decision, "organization", {str(row["id"]): description}, [row["slug"]])
