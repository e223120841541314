"""orgctx keys scopes: what a key with each scope would read now."""

from __future__ import annotations

from collections.abc import Sequence

import click

from orgctx.cli import admin
from orgctx.cli.names import find_sources
from orgctx.cli.options import example, limit_option, organization_option
from orgctx.cli.output import camel, json_option, print_json, print_rows
from orgctx.decisions.scopes import explain, summary

COLUMNS = {"scope": "scope", "summary": "reads now", "operations": "operations"}


@click.command(epilog=example("orgctx keys scopes --organization acme"))
@organization_option
@limit_option
@json_option
def scopes(organization: str, source_ids: Sequence[str], as_json: bool) -> None:
    """List the scopes and what each of them opens now."""
    with admin.reading() as connection:
        organization_id = admin.find_organization(connection, organization)
        ids = find_sources(connection, organization, organization_id, source_ids)
        rows = explain(connection, organization_id, ids if source_ids else None)
    if as_json:
        print_json([camel(row) for row in rows])
    else:
        print_rows(COLUMNS, [row | {"summary": summary(row)} for row in rows])
