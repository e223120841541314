"""orgctx organizations."""

from __future__ import annotations

import click

from orgctx.cli import admin
from orgctx.cli.options import example
from orgctx.cli.output import camel, json_option, print_json, print_rows


@click.group()
def organizations() -> None:
    """List the organizations."""


@organizations.command("list", epilog=example("orgctx organizations list --json"))
@json_option
def list_organizations(as_json: bool) -> None:
    """List all organizations, by slug."""
    with admin.reading() as connection:
        rows = admin.run(connection, "list_organizations")
    for row in rows:
        row["verified_holding"] = float(row["verified_holding"])
    if as_json:
        print_json([camel(row) for row in rows])
    else:
        columns = {"id": "id", "slug": "slug", "display_name": "name", "plan": "plan"}
        print_rows(columns, rows)
