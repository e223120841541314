"""orgctx members: list the members of an organization."""

from __future__ import annotations

import click

from orgctx.cli import admin
from orgctx.cli.options import example, organization_option
from orgctx.cli.output import json_option, print_result

COLUMNS = {
    "id": "id",
    "display_name": "name",
    "role": "role",
    "active_key_count": "active keys",
}


@click.group()
def members() -> None:
    """List the members of an organization."""


@members.command("list", epilog=example("orgctx members list --organization acme"))
@organization_option
@json_option
def list_members(organization: str, as_json: bool) -> None:
    """List members. Owners and admins may make decisions; pass their id to --by."""
    rows = admin.read(organization, "list_members")
    print_result(COLUMNS, rows, as_json=as_json)
