"""orgctx people: find people behind messages and posts, and erase them."""

from functools import partial

import click

from orgctx.cli import admin
from orgctx.cli.errors import confirm
from orgctx.cli.options import by_option, example, organization_option, yes_option
from orgctx.cli.output import (
    columns,
    echo,
    json_option,
    print_json,
    print_result,
    say,
)
from orgctx.config.settings import Config
from orgctx.decisions import deletion

COLUMNS = columns("platform", person_id="id", display_names="names", usernames="usernames")


@click.group()
def people() -> None:
    """Find and erase the people behind messages and posts."""


@people.command(epilog=example("orgctx people find --organization acme ada"))
@organization_option
@click.argument("text", metavar="TEXT")
@json_option
def find(organization: str, text: str, as_json: bool) -> None:
    """Find people in every source by id, username or part of a name."""
    find_by_name = partial(deletion.find_people, term=text, by_name=True)
    rows = admin.read(organization, find_by_name)
    print_result(COLUMNS, rows, as_json=as_json)


@people.command(epilog=example("orgctx people erase --organization acme --by ada telegram:user7"))
@organization_option
@by_option
@click.argument("persons", metavar="PERSON...", nargs=-1, required=True)
@yes_option
@json_option
def erase(organization: str, by: str, persons: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Erase people and what they wrote. Later loads do not bring it back.

    PERSON is a key such as telegram:user7, an id or a username. Name every identity of a person.
    Texts of others that contain the name stay.
    """
    planned = _plan(organization, by, persons)
    if not yes:
        say("This permanently erases, in all sources:")
        for person in planned.people:
            say(f"  {person}")
        counts = [f"{count:,} {name}" for name, count in planned.counts().items()]
        say(f"and what they wrote: {', '.join(counts) or 'no records'}, and quotes of it.")
        confirm("Continue?", "Nothing was erased. Look at what would be, then pass --yes.")
        planned = _plan(organization, by, persons)
    url = Config.from_environment().admin_database_url
    erased = deletion.erase(url, planned, command=admin.current_command())
    if as_json:
        report = {"people": len(planned.people), "records": erased.counts}
        print_json({**report, "quotes": erased.quote_count})
        return
    erased_counts = {**erased.counts, "quote": erased.quote_count}
    counts = [f"{count:,} {name}" for name, count in erased_counts.items() if count]
    echo(f"erased {len(planned.people)} (with {', '.join(counts) or 'no records'})")
    if unknown := [person.key for person in planned.people if not person.display_names]:
        keys = ", ".join(unknown)
        echo(f"no record of {keys} was stored; later loads will leave them out")
        echo("If a key is mistyped, see `orgctx people find`.")
    echo("Texts of others and forwards without an id may still contain the name: search for it,")
    echo("and correct or suppress them.")


def _plan(organization: str, by: str, persons: tuple[str, ...]) -> deletion.Erasure:
    with admin.deciding(by, organization) as decision:
        return deletion.plan_erasure(decision, persons)
