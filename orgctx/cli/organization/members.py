"""orgctx members: list, add, promote, demote and remove members, and say how they sign in."""

import click

from orgctx.cli import admin, names
from orgctx.cli.errors import confirm
from orgctx.cli.options import NAME, by_option, example, organization_option, yes_option
from orgctx.cli.output import columns, json_option, print_object, print_result, printable, say
from orgctx.decisions import AUTHORITIES, list_members
from orgctx.decisions import members as decisions

COLUMNS = columns("id", display_name="name", role="role", active_key_count="active keys")
IDENTITY_COLUMNS = columns(display_name="name", role="role", kind="kind", value="identity")


@click.group()
def members() -> None:
    """List, add, change and remove members, and say how they sign in to the desk."""


@members.command("list", epilog=example("orgctx members list --organization acme"))
@organization_option
@json_option
def list_all(organization: str, as_json: bool) -> None:
    """List members. Owners and admins may make decisions; pass their id or name to --by."""
    rows = admin.read(organization, list_members)
    print_result(COLUMNS, rows, as_json=as_json)


@members.command(
    epilog=example("orgctx members add Grace --organization acme --by ada --role admin")
)
@organization_option
@by_option
@click.argument("member_name", metavar="NAME", type=NAME)
@click.option(
    "--role",
    type=click.Choice(decisions.ROLES),
    required=True,
    help="Owners and admins may make decisions; only an owner may add an owner.",
)
@json_option
def add(organization: str, by: str, member_name: str, role: str, as_json: bool) -> None:
    """Add a member, who can be named in --by."""
    with admin.deciding(by, organization) as decision:
        member = decisions.add(decision, name=member_name, role=role)
    text = f"added {member_name} ({role}) with the id {member['id']}"
    print_object(member, text, as_json=as_json)


@members.command(
    "role", epilog=example("orgctx members role Grace --organization acme --by Ada --role member")
)
@organization_option
@by_option
@click.argument("member_name", metavar="NAME")
@click.option("--role", type=click.Choice(decisions.ROLES), required=True, help="The new role.")
@yes_option
@json_option
def change_role(
    organization: str, by: str, member_name: str, role: str, yes: bool, as_json: bool
) -> None:
    """Change the role of a member.

    Keys work only while their issuer is an owner or admin. The command lists those that end or
    work again, and asks. Only an owner changes an owner or makes one, and the last owner stays.
    """
    _change(organization, by, member_name, role, yes=yes, as_json=as_json)


@members.command(epilog=example("orgctx members remove Grace --organization acme --by Ada"))
@organization_option
@by_option
@click.argument("member_name", metavar="NAME")
@yes_option
@json_option
def remove(organization: str, by: str, member_name: str, yes: bool, as_json: bool) -> None:
    """End a membership, and with it the keys that the person issued.

    The command lists these keys and asks. The last owner cannot be removed.
    """
    _change(organization, by, member_name, decisions.REMOVED, yes=yes, as_json=as_json)


def _change(
    organization: str, by: str, member_name: str, role: str, *, yes: bool, as_json: bool
) -> None:
    with admin.deciding(by, organization) as decision:
        user_id = names.find_member(decision, organization, member_name, "NAME")
        member = decisions.find(decision, user_id)
    if keys := [key["name"] or key["hint"] for key in decisions.affected(member, role)]:
        verb = "work again" if role in AUTHORITIES else "end"
        say(f"Keys of {member_name} that {verb}: {', '.join(keys)}.")
        if not yes:
            confirm("Continue?", "Nothing was changed. Look at the keys, then pass --yes.")
    with admin.deciding(by, organization) as decision:
        decision.expect({str(user_id): decisions.state(member)})
        changed = decisions.change_role(decision, user_id, role)
    shown = {"id": user_id, "role": role, "keys": [key["id"] for key in changed]}
    print_object(shown, f"{printable(member_name)} is now {role}", as_json=as_json)


@members.command("identities", epilog=example("orgctx members identities --organization acme"))
@organization_option
@json_option
def list_identities(organization: str, as_json: bool) -> None:
    """List the identities of members at an OpenID provider."""
    rows = admin.read(organization, decisions.identities)
    print_result(IDENTITY_COLUMNS, rows, as_json=as_json)


@members.command(
    epilog=example(
        "orgctx members identify Ada --organization acme --by Ada --email ada@acme.example"
    )
)
@organization_option
@by_option
@click.argument("member_name", metavar="NAME")
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
    """Let a member sign in to the desk by OpenID Connect.

    Names the member by an e-mail address or a subject. A subject is safer: a
    provider may give an e-mail address to somebody else later.
    """
    if (email is None) == (subject is None):
        raise click.UsageError("Pass either --email or --subject.")
    kind, value = decisions.parse(email=email, subject=subject)
    change = decisions.forget_identity if remove else decisions.identify
    with admin.deciding(by, organization) as decision:
        user_id = names.find_member(decision, organization, member_name, "NAME")
        change(decision, user_id, kind, value)
    verb = "no longer signs in" if remove else "may sign in"
    shown = {"id": user_id, "kind": kind, "value": value, "removed": remove}
    text = f"{printable(member_name)} {verb} with {printable(value)}"
    print_object(shown, text, as_json=as_json)
