"""orgctx members: list and add members of an organization, and say how they sign in."""

from __future__ import annotations

from uuid import UUID

import click

from orgctx.cli import admin, names
from orgctx.cli.options import MEMBER, by_option, example, one_line, organization_option
from orgctx.cli.output import camel, echo, json_option, print_json, print_result, printable
from orgctx.decisions import identities
from orgctx.decisions import organizations as decisions

COLUMNS = {
    "id": "id",
    "display_name": "name",
    "role": "role",
    "active_key_count": "active keys",
}
IDENTITY_COLUMNS = {"display_name": "name", "role": "role", "kind": "kind", "value": "identity"}


@click.group()
def members() -> None:
    """List and add members of an organization, and say how they sign in to the desk."""


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
    "--id", "id_", type=click.UUID, help="The id that another system uses. Default: a random one."
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


@members.command("identities", epilog=example("orgctx members identities --organization acme"))
@organization_option
@json_option
def list_identities(organization: str, as_json: bool) -> None:
    """List the identities with which members sign in to the desk by OpenID Connect."""
    rows = admin.read(organization, "list_identities")
    print_result(IDENTITY_COLUMNS, rows, as_json=as_json)


@members.command(
    epilog=example(
        "orgctx members identify Ada --organization acme --by Ada --email ada@acme.example"
    )
)
@organization_option
@by_option
@click.argument("member_name", metavar="NAME", type=MEMBER)
@click.option("--email", metavar="ADDRESS", help="An e-mail address that the provider verified.")
@click.option(
    "--subject",
    metavar="ISSUER#SUB",
    help="The issuer and the subject, such as https://login.example.com#248289761001.",
)
@click.option("--remove", is_flag=True, help="Remove the identity from the member.")
@json_option
def identify(
    organization: str,
    by: str,
    member_name: str,
    email: str | None,
    subject: str | None,
    remove: bool,
    as_json: bool,
) -> None:
    """Let a member sign in to the desk by OpenID Connect with an e-mail address or a subject.

    A subject is safer: a provider may give an e-mail address to somebody else later.
    """
    if (email is None) == (subject is None):
        raise click.UsageError("Pass either --email or --subject.")
    kind, value = identities.parse(email=email, subject=subject)
    change = identities.remove if remove else identities.add
    with admin.deciding(by, organization) as decision:
        user_id = names.find_member(
            decision.connection, organization, decision.organization_id, member_name, "NAME"
        )
        change(decision, user_id, kind, value)
    if as_json:
        print_json(camel({"id": user_id, "kind": kind, "value": value, "removed": remove}))
    elif remove:
        echo(f"{printable(member_name)} no longer signs in with {printable(value)}")
    else:
        echo(f"{printable(member_name)} may sign in with {printable(value)}")
