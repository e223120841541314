"""orgctx organizations: create, list and delete organizations."""

from collections.abc import Callable, Mapping
from functools import partial

import click

from orgctx.cli import admin
from orgctx.cli.errors import confirm
from orgctx.cli.options import NAME, by_option, example, organization_option, yes_option
from orgctx.cli.output import columns, json_option, print_object, print_result, printable, say
from orgctx.config.settings import Config
from orgctx.decisions import deletion
from orgctx.decisions import organizations as decisions
from orgctx.decisions.deletion import Deletion, plan_deletion


@click.group()
def organizations() -> None:
    """Create, list and delete organizations."""


@organizations.command("list", epilog=example("orgctx organizations list --json"))
@json_option
def list_organizations(as_json: bool) -> None:
    """List all organizations, by slug."""
    with admin.reading() as connection:
        rows = decisions.listed(connection)
    for row in rows:
        row["verified_holding"] = float(row["verified_holding"])
    print_result(columns("id", "slug", display_name="name", plan="plan"), rows, as_json=as_json)


@organizations.command(
    epilog=example("orgctx organizations create acme --name 'Acme Inc' --owner Ada")
)
@click.argument("slug")
@click.option("--name", type=NAME, help="Its name. Default: the slug.")
@click.option("--owner", required=True, type=NAME, help="Name of its first owner.")
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
            command=admin.current_command(),
        )
    text = f"created organization {slug} ({organization['id']}) with the owner {owner}"
    print_object(organization, text, as_json=as_json)
    if not as_json:
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
    delete_planned(partial(plan, organization, by), yes=yes, as_json=as_json)


def plan(organization: str, by: str) -> Deletion:
    """Plan the deletion of an organization."""
    with admin.deciding(by, organization) as decision:
        (row,) = decisions.listed(decision.connection, "", id_=decision.organization_id)
        description = {"slug": row["slug"], "display_name": row["display_name"]}
        return plan_deletion(decision, "organization", {str(row["id"]): description})


def delete_planned(make_plan: Callable[[], Deletion], *, yes: bool, as_json: bool) -> None:
    """Delete what is planned, once the user has confirmed it, and print the counts.

    Plans again after the answer: meanwhile records may have changed, and `--by` may have lost the
    right to decide. Raises click.Abort if the answer is no, and CommandError if nobody can answer.
    """
    planned = make_plan()
    if not yes:
        say(f"This permanently deletes {_format_deletion(planned, planned.record_counts)}.")
        confirm("Continue?", "Nothing was deleted. Look at what would be, then pass --yes.")
        planned = make_plan()
    url = Config.from_environment().admin_database_url
    counts = deletion.delete(url, planned, command=admin.current_command())
    deleted = {"deleted": list(planned.descriptions), "records": counts}
    print_object(deleted, f"deleted {_format_deletion(planned, counts)}", as_json=as_json)


def _format_deletion(planned: Deletion, counts: Mapping[str, int]) -> str:
    names = [object_.get("slug", id_) for id_, object_ in planned.descriptions.items()]
    with_records = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    objects = printable(", ".join(names))
    return f"{objects} (with {with_records})" if with_records else objects
