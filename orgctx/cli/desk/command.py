"""orgctx desk: replace this process with gunicorn and the desk, invite members, end sessions."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import closing

import click

from orgctx.cli import admin, names
from orgctx.cli.addresses import check_free
from orgctx.cli.desk.process import COMMAND
from orgctx.cli.options import MEMBER, example, organization_option
from orgctx.cli.output import camel, echo, json_option, print_json
from orgctx.cli.recording import record
from orgctx.config.settings import Config
from orgctx.decisions import AUTHORITIES, run


@click.group(invoke_without_command=True, epilog=example("orgctx desk --bind 127.0.0.1:8010"))
@click.option("--bind", metavar="ADDRESS", help="HOST:PORT or unix:PATH; also ORGCTX_DESK_BIND.")
@click.pass_context
def desk(context: click.Context, bind: str | None) -> None:
    """Serve the web application in which owners and admins decide.

    It listens on loopback unless --bind says otherwise; browsers then need TLS, and
    ORGCTX_DESK_URL must be the address that they use. It connects as the login of
    ORGCTX_DESK_DATABASE_URL; on loopback, ORGCTX_ADMIN_DATABASE_URL is enough to try it.
    """
    if context.invoked_subcommand:
        return
    if bind:
        os.environ["ORGCTX_DESK_BIND"] = bind
    from orgctx.desk.settings import check

    config = Config.from_environment()
    check(config)
    check_free(config.desk_addresses)
    sys.stdout.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    # exec, so that signals reach gunicorn.
    os.execv(sys.executable, COMMAND)  # noqa: S606


for_option = click.option(
    "--for",
    "name",
    required=True,
    metavar="USER",
    type=MEMBER,
    help="Id or name of the owner or admin.",
)


@desk.command(epilog=example("orgctx desk invite --organization acme --for Ada"))
@organization_option
@for_option
@json_option
def invite(organization: str, name: str, as_json: bool) -> None:
    """Print a link that signs an owner or admin in once, within ten minutes.

    Send it to nobody else: whoever opens it first decides as this member.
    """
    from orgctx.desk.sessions import LINK_SECONDS, Entry, Sessions
    from orgctx.desk.settings import check

    config = Config.from_environment()
    # The desk accepts only links that were made with its login.
    check(config)
    with admin.writing() as connection, connection.transaction():
        organization_id = names.find_organization(connection, organization)
        user_id = names.find_member(connection, organization, organization_id, name, "--for")
        (row,) = run(
            connection, "find_members", organization_id=organization_id, user_id=user_id, name=None
        )
        if row["role"] not in AUTHORITIES:
            raise names.not_authorized(organization, name, "--for")
        record(connection, organization_id, before={}, after={str(user_id): {"invited": True}})
        with closing(Sessions(config)) as sessions:
            secret = sessions.invite(Entry(organization_id, user_id))
    link = f"{config.desk_url}/sign-in#{secret}"
    if as_json:
        print_json(camel({"link": link, "expires_in_seconds": LINK_SECONDS}))
    else:
        echo(link)


@desk.command(epilog=example("orgctx desk end --organization acme --for Ada"))
@organization_option
@for_option
@json_option
def end(organization: str, name: str, as_json: bool) -> None:
    """End all sessions of a member at the desk, and all links that the member has not opened."""
    from orgctx.desk.sessions import Entry, Sessions

    config = Config.from_environment()
    with admin.writing() as connection:
        organization_id = names.find_organization(connection, organization)
        user_id = names.find_member(connection, organization, organization_id, name, "--for")
        with closing(Sessions(config)) as sessions:
            count = sessions.end_all(Entry(organization_id, user_id))
        if count:
            after = {str(user_id): {"sessions_ended": count}}
            record(connection, organization_id, before={}, after=after)
    if as_json:
        print_json({"ended": count})
    else:
        echo(f"ended {count} session{'' if count == 1 else 's'}")
