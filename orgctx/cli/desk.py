"""orgctx desk: replace this process with gunicorn and the desk, invite members, end sessions."""

import os
import signal
import sys
from socket import socket

import click

from orgctx.cli import admin, names
from orgctx.cli.options import example, organization_option
from orgctx.cli.output import json_option, print_object, say
from orgctx.cli.serve import check_free
from orgctx.config.settings import Config, variable
from orgctx.decisions import AUTHORITIES, lock_member
from orgctx.decisions.audit_log import record
from orgctx.decisions.members import sign_out

COMMAND = (sys.executable, "-m", "orgctx.server", "-c", "python:orgctx.desk.gunicorn")
HOST = "127.0.0.1"


def free_port(preferred: int) -> int:
    """Return the preferred port of loopback, or another one if that is in use."""
    for candidate in (preferred, 0):
        with socket() as probe:
            try:
                probe.bind((HOST, candidate))
            except (OSError, OverflowError):
                continue
            port: int = probe.getsockname()[1]
            return port
    raise OSError("no port is free")


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
    from orgctx.desk.settings import check, check_login

    config = Config.from_environment()
    check(config)
    check_login(config)
    check_free([*config.desk_addresses, *filter(None, [config.desk_metrics_bind])])
    sys.stdout.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    # exec, so that signals reach gunicorn.
    os.execv(sys.executable, COMMAND)  # noqa: S606


for_option = click.option(
    "--for",
    "name",
    required=True,
    metavar="USER",
    help="Id or name of the owner or admin.",
)


@desk.command(epilog=example("orgctx desk invite --organization acme --for Ada"))
@organization_option
@for_option
@json_option
def invite(organization: str, name: str, as_json: bool) -> None:
    """Print a link that signs an owner or admin in, once.

    The link works for ten minutes. Send it to nobody else: whoever opens it first decides
    as this member.
    """
    from orgctx.desk import sessions
    from orgctx.desk.settings import check, check_login

    config = Config.from_environment()
    # The desk accepts only links that are signed with the URL of its login.
    check(config)
    check_login(config)
    with admin.writing() as connection, connection.transaction():
        tenant = names.find_organization(connection, organization)
        user_id = names.find_member(tenant, organization, name, "--for")
        if lock_member(tenant, user_id) not in AUTHORITIES:
            raise names.not_authorized(organization, name, "--for")
        after = {str(user_id): {"invited": True}}
        record(tenant, command=admin.current_command(), after=after)
        secret = sessions.invite(connection, config, tenant.organization_id, user_id)
    if not variable("DESK_URL"):
        say(
            f"ORGCTX_DESK_URL is not set, so the link assumes {config.desk_url}. If the desk is "
            "elsewhere, set it to the address in the browser, such as ORGCTX_DESK_URL="
            "http://localhost:8011, and invite again."
        )
    link = f"{config.desk_url}/sign-in#{secret}"
    print_object({"link": link, "expires_in_seconds": sessions.LINK_SECONDS}, link, as_json=as_json)


@desk.command(epilog=example("orgctx desk end --organization acme --for Ada"))
@organization_option
@for_option
@json_option
def end(organization: str, name: str, as_json: bool) -> None:
    """End all sessions and unopened links of a member."""
    with admin.writing() as connection, connection.transaction():
        tenant = names.find_organization(connection, organization)
        user_id = names.find_member(tenant, organization, name, "--for")
        sign_out(tenant, user_id)
        after = {str(user_id): {"signed_out": True}}
        record(tenant, command=admin.current_command(), after=after)
    text = f"ended all sessions and unopened links of {name}"
    print_object({"id": user_id}, text, as_json=as_json)
