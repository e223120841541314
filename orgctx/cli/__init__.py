"""The operator's command. This file knows the commands' names; each is a module of its own.

A module is imported only when its command is used, so that `orgctx --help` stays fast. The help
lines are therefore here.
"""

from __future__ import annotations

from importlib import import_module
from keyword import iskeyword
from typing import Any

import click

from orgctx import __version__

# Name of the command: its module below orgctx.cli, and its help.
COMMANDS = {
    "audit": ("governing.audit", "List who decided, loaded and imported what, and when."),
    "completion": ("completion", "Print the completion script of a shell."),
    "connect": ("connecting.command", "Print, write or check how an agent or a program connects."),
    "demo": ("serving.demo", "Serve a preview organization from embedded servers."),
    "doctor": ("checks.doctor", "Check configuration, database, Redis, migrations and roles."),
    "import": ("importing.command", "Load real exports and folders."),
    "keys": ("governing.keys", "Issue, list, revoke and change API keys."),
    "knowledge": ("governing.knowledge", "List, suppress and restore knowledge items."),
    "load": ("load", "Load bundles of records."),
    "members": ("governing.members", "List who belongs to an organization."),
    "migrate": ("database.migrate", "Bring the database schema up to date."),
    "organizations": ("governing.organizations", "List and delete organizations."),
    "schema": ("schema", "Print the JSON Schema of the load format."),
    "serve": ("serving.serve", "Serve the API with gunicorn."),
    "usage": ("governing.usage", "List how many requests each key made, day by day."),
    "sources": ("governing.sources", "List sources, show, approve, take out and delete them."),
}


class Commands(click.Group):
    """A group that imports commands on use, and explains failures in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in COMMANDS:
            return None
        module = import_module(f"{__name__}.{COMMANDS[name][0]}")
        # A function cannot be called `import`.
        command: click.Command = getattr(module, f"{name}_" if iskeyword(name) else name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:
            from orgctx.cli.errors import explain

            raise explain(error) from error


def _say_version(ctx: click.Context) -> None:
    from orgctx.openapi.document import VERSION
    from orgctx.stores.schema import migrations

    click.echo(f"orgctx, version {__version__}; schema {max(migrations())}; contract {VERSION}")
    ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, wanted: _say_version(ctx) if wanted else None,
    help="Show the versions of package, schema and contract, and exit.",
)
def main() -> None:
    """Operate orgctx: its schema, data, approvals, keys and server.

    Settings come from the environment, see .env.example.
    """
