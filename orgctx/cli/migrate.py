"""orgctx migrate."""

from __future__ import annotations

import click

from orgctx.cli.output import json_option, print_json


@click.command(epilog="Example: orgctx migrate --json")
@json_option
def migrate(as_json: bool) -> None:
    """Bring the database schema up to date.

    Safe to run from many machines at once: one applies, the others wait. Creates the
    read-only role orgctx_reader and lets the service's login use it.
    """
    from orgctx.cli import migrations
    from orgctx.config import Config

    config = Config.from_environment()
    applied = migrations.migrate(config.admin_database_url, config.database_url)
    if as_json:
        print_json({"applied": applied})
    else:
        click.echo("\n".join(f"applied {name}" for name in applied) or "up to date")
