"""orgctx members."""

from __future__ import annotations

import click

from orgctx.cli import admin
from orgctx.cli.options import example, organization_option
from orgctx.cli.output import camel, json_option, print_json, print_rows

COLUMNS = {
    "id": "id",
    "display_name": "name",
    "role": "role",
    "active_key_count": "active keys",
}


@click.group()
def members() -> None:
    """List who belongs to an organization."""


@members.command("list", epilog=example("orgctx members list --organization acme"))
@organization_option
@json_option
def list_members(organization: str, as_json: bool) -> None:
    """List an organization's members; owners and admins may decide, with --by."""
    with admin.reading() as connection:
        organization_id = admin.find_organization(connection, organization)
        rows = admin.run(connection, "list_members", organization_id=organization_id)
    if as_json:
        print_json([camel(row) for row in rows])
    else:
        print_rows(COLUMNS, rows)
