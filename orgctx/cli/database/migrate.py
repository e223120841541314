"""orgctx migrate: bring the schema up to date, and distribute it with --citus."""

import click

from orgctx.cli.output import echo, json_option, print_json


@click.command(epilog="Example: orgctx migrate --json")
@click.option(
    "--citus",
    "is_distributed",
    is_flag=True,
    help="Distribute the tables over the servers of the Citus cluster.",
)
@json_option
def migrate(is_distributed: bool, as_json: bool) -> None:
    """Bring the database schema up to date.

    Safe to run on many machines at once: one migrates, the others wait. Creates the
    read-only role orgctx_reader and grants it to the service's login, and the role
    orgctx_desk for the desk's login.

    --citus distributes every table by organization, with its rows, unless it is distributed
    already. Writes wait until it ends.
    """
    from orgctx.cli.admin import connect
    from orgctx.cli.database import migrations
    from orgctx.config.settings import Config

    config = Config.from_environment()
    applied = migrations.migrate(
        config.admin_database_url, config.database_url, config.desk_database_url
    )
    tables = []
    if is_distributed:
        with connect(config.admin_database_url) as connection:
            tables = migrations.distribute(connection)
    if as_json:
        print_json({"applied": applied} | ({"tables": tables} if tables else {}))
        return
    echo("\n".join(f"applied {name}" for name in applied) or "up to date")
    for table in tables:
        echo(f"{table['name']}: {table['kind']}, shards: {table['shard_count']}")
