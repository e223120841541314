"""orgctx members: list and add members of an organization."""

from __future__ import annotations

from uuid import UUID

import click

from orgctx.cli import admin
from orgctx.cli.options import by_option, example, one_line, organization_option
from orgctx.cli.output import camel, echo, json_option, print_json, print_result, printable
from orgctx.decisions import organizations as decisions

COLUMNS = {
    "id": "id",
    "display_name": "name",
    "role": "role",
    "active_key_count": "active keys",
}


@click.group()
def members() -> None:
    """List and add members of an organization."""


@members.command("list", epilog=example("orgctx members list --organization acme"))
@organization_option
@json_option
def list_members(organization: str, as_json: bool) -> None:
    """List members. Owners and admins may make decisions; pass their id or name to --by."""
    rows = admin.read(organization, "list_members")
    print_result(COLUMNS, rows, as_json=as_json)


@members.command(
    epilog=example("orgctx members add Grace --organization acme --by ada --role admin")
)
@organization_option
@by_option
@click.argument("member_name", metavar="NAME", callback=one_line)
@click.option(
    "--role",
    type=click.Choice(decisions.ROLES),
    required=True,
    help="Owners and admins may make decisions; only an owner may add an owner.",
)
@click.option(
    "--id", "id_", type=click.UUID, help="Id of the member elsewhere. Default: a random one."
)
@json_option
def add(
    organization: str, by: str, member_name: str, role: str, id_: UUID | None, as_json: bool
) -> None:
    """Add a member, who can be named in --by."""
    with admin.deciding(by, organization) as decision:
        member = decisions.add_member(decision, id_=id_, name=member_name, role=role)
    if as_json:
        print_json(camel(member))
    else:
        echo(f"added {printable(member_name)} ({role}) with the id {member['id']}")
